"""The command that writes exports."""

from __future__ import annotations

import time
from typing import Annotated

import typer
from rich.console import Console

from sankofa.core.errors import ServiceError
from sankofa.export import run
from sankofa.storage.iceberg import Tables
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import OperationalError
from sankofa.surfaces.settings import Settings
from sankofa.surfaces.terminal import progress, running

app = typer.Typer()
out = Console(soft_wrap=True)


def exporter(settings: Settings) -> run.Exporter:
    """Return the exporter of this installation."""
    return run.Exporter(
        dsn=settings.export_dsn,
        open=Objects(settings.objects(settings.open_bucket)),
        licensed=Objects(settings.objects(settings.licensed_bucket)),
        tables=Tables(settings.objects(settings.licensed_bucket)),
        open_url=settings.open_url,
    )


@app.command()
def export(
    watch: Annotated[bool, typer.Option(help="Go on writing files after every edition.")] = False,  # noqa: FBT002  # an option
    interval: Annotated[
        float, typer.Option(min=0.1, help="With --watch: the least seconds between two exports.")
    ] = 60.0,
) -> None:
    """Write what the current edition has and no Parquet file holds. Safe to repeat and to stop."""
    with running("export") as settings:
        writer = exporter(settings)
        if watch:
            _watch(writer, interval)
        else:
            _export(writer)


def _watch(writer: run.Exporter, interval: float) -> None:
    """Export each new edition; if a store does not answer, retry later."""
    exported = 0
    while True:
        try:
            edition = run.current_edition(writer)
            if edition > exported:
                _export(writer)
                exported = edition  # what was published meanwhile is next
        except (ServiceError, OperationalError) as failed:
            out.print(f"the export will be repeated: {failed}", markup=False)
        time.sleep(interval)


def _export(writer: run.Exporter) -> None:
    with progress("files") as bar:
        task = bar.task_ids[0]

        def advance(what: str) -> None:
            bar.update(task, advance=1, description=what)

        done = run.export(writer, advance)
        out.print(
            f"edition {done.edition}: {done.files:,} files with {done.rows:,} rows written, "
            f"{done.swept:,} left-over files removed; the next publish lists what was written"
        )
