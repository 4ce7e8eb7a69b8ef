"""The command that removes left-over files and rows of other commands."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from sankofa.feeds.tidying import tidy as remove_leftovers
from sankofa.storage.postgres import connect
from sankofa.surfaces.terminal import running

app = typer.Typer()
out = Console(soft_wrap=True, highlight=False, markup=False)


@app.command()
def tidy(
    every: Annotated[
        float | None, typer.Option(help="Do it again after so many hours, until ended.", min=0.01)
    ] = None,
) -> None:
    """Remove failed jobs of 30 days ago, parts of downloads of a week ago, and files of killed processes."""
    with running("tidy") as settings:
        spool = Path(settings.spool) if settings.spool else None
        while True:
            with connect(settings.ingest_dsn) as connection:
                done = remove_leftovers(connection, spool)
            out.print(
                f"removed: {done.jobs:,} jobs, {done.parts:,} parts of downloads, "
                f"{done.temporary:,} temporary files"
            )
            if every is None:
                return
            time.sleep(every * 3600)
