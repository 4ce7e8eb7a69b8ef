"""How commands speak: of failures, of what they are at, of what came of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import MofNCompleteColumn, Progress, TimeElapsedColumn

from sankofa.core.errors import ServiceError
from sankofa.ingest.bytes.bounds import is_repair


@contextmanager
def told() -> Iterator[None]:
    """Say what went wrong in one line and leave with status 1; a fault keeps its traceback."""
    try:
        yield
    except ServiceError as error:
        console = Console(stderr=True, soft_wrap=True)
        console.print(f"[red]{type(error).__name__}[/red] {error}", highlight=False)
        raise typer.Exit(1) from None


@contextmanager
def progress(label: str, total: int | None = None) -> Iterator[Progress]:
    """Show a bar on a terminal, nothing elsewhere: the closing line says it all."""
    columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty()) as bar:
        bar.add_task(escape(label), total=total)
        yield bar


def counted(counts: Mapping[str, int]) -> str:
    """Say how many of each, the most first."""
    most = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    return ", ".join(f"{count:,} {what}" for what, count in most if count) or "none"


def not_taken(counts: Mapping[str, int]) -> str:
    """Return a line with the counts of refused rows and repaired fields, by reason."""
    repaired = {reason: n for reason, n in counts.items() if is_repair(reason)}
    refused = {reason: n for reason, n in counts.items() if reason not in repaired}
    return f"rejected: {counted(refused)}" + (f"; fields: {counted(repaired)}" if repaired else "")
