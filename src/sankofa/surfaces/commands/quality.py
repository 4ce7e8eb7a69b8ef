"""Commands about quality: the whole look-ahead audit, and samples that somebody labelled."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from sankofa.core.errors import Refused
from sankofa.quality.audit import audit as audit_edition
from sankofa.quality.samples import COLUMNS, measure_sample
from sankofa.surfaces.terminal import counted, progress, running

app = typer.Typer()
out = Console(soft_wrap=True)


@app.command()
def audit() -> None:
    """Check the current edition as a whole for look-ahead, and record the result."""
    with running("audit") as settings:
        with progress("parts of the edition") as bar:
            task = bar.task_ids[0]
            found = audit_edition(
                settings.publish_dsn, lambda done, total: bar.update(task, completed=done, total=total)
            )
        for one in found.datasets:
            out.print(
                f"edition {found.edition} {one.sku}: {one.checked:,} checks; faults: {counted(one.faults)}"
            )
        for sku, part, anew, kept in found.differing:
            out.print(f"{sku} {part}: counted anew {anew or 0:,}, kept {kept or 0:,}", highlight=False)
        if not found.is_clean:
            raise Refused("the audit found faults; they are recorded and served from the next edition on")


@app.command()
def sample(
    file: Annotated[
        Path,
        typer.Argument(
            help=f"CSV with the columns {','.join(COLUMNS)}.", exists=True, dir_okay=False, readable=True
        ),
    ],
) -> None:
    """Keep a labelled sample, and record how the current edition agrees with it."""
    with running("sample") as settings:
        for one in measure_sample(settings.publish_dsn, file.read_bytes()):
            out.print(f"{one.sku} {one.measure}: {one.good:,} of {one.measured:,}")
        out.print("served from the next edition on")
