"""The command that fetches from portals."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from datetime import date, datetime
from functools import partial
from typing import Annotated

import typer
from rich.console import Console

from sankofa.feeds.turns import SharedTurns
from sankofa.ingest.archive import Document
from sankofa.ingest.asking import ids_to_ask
from sankofa.ingest.portals.fetch import documents
from sankofa.ingest.run import Batch, ingest, newest_version
from sankofa.ingest.source import Source
from sankofa.ingest.sources import source as source_named
from sankofa.storage.postgres import connect
from sankofa.surfaces.commands.feeds import means
from sankofa.surfaces.settings import Settings
from sankofa.surfaces.terminal import counted, not_taken, progress, running

app = typer.Typer()
out = Console(soft_wrap=True)
_OUTCOMES = ("accepted", "seen", "refused")


@app.command()
def fetch(
    source: Annotated[str, typer.Argument(help="A source with a portal; `sankofa sources` lists all.")],
    first: Annotated[
        datetime | None,
        typer.Option("--from", formats=["%Y-%m-%d"], help="First day. Default: the earliest there is."),
    ] = None,
    last: Annotated[
        datetime | None, typer.Option("--to", formats=["%Y-%m-%d"], help="Last day. Default: today.")
    ] = None,
) -> None:
    """Fetch what a portal publishes and append what is new. Safe to repeat and to stop at any time."""
    with running("fetch") as settings:
        days = (first.date() if first else None, last.date() if last else None)
        gather(settings, source_named(source, settings.sources), *days)


def gather(settings: Settings, source: Source, first: date | None, last: date | None) -> None:
    """Ingest each document as it arrives, and print a summary, also after a failure."""
    outcomes, rejected, appended = Counter[str](), Counter[str](), 0
    asking = means(settings)
    try:
        with connect(settings.ingest_dsn) as connection, progress(f"documents of {source.name}") as bar:
            offered = documents(
                source,
                first,
                last,
                user_agent=asking.user_agent,
                fetched=partial(newest_version, connection, source),
                spool=asking.spool,
                turns=SharedTurns(connection),
                keys=asking.keys,
                ids=ids_to_ask(connection, source),
            )
            with closing(offered) as arriving:
                for document in arriving:
                    batch = ingest(connection, asking.objects, document, parsing=asking.parsing)
                    outcomes[batch.outcome] += 1
                    rejected.update(batch.rejected)
                    appended += batch.facts_appended
                    _print_problems(document, batch)
                    bar.advance(bar.task_ids[0])
    finally:
        tally = counted({outcome: outcomes[outcome] for outcome in _OUTCOMES})
        out.print(f"documents: {tally}; appended: {appended:,}; {not_taken(rejected)}")


def _print_problems(document: Document, batch: Batch) -> None:
    if batch.outcome == "refused":
        out.print(f"refused: {document.url}: {', '.join(batch.rejected)}", markup=False, highlight=False)
    for one in batch.held:
        out.print(f"held back: {document.url}: {one.message}", markup=False, highlight=False)
