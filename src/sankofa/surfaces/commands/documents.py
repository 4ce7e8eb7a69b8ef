"""Commands about documents that lie here as files."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from sankofa.ingest.archive import Document
from sankofa.ingest.run import ingest as ingest_document
from sankofa.ingest.sources import source as source_named
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import connect
from sankofa.surfaces.parsing import parsing
from sankofa.surfaces.terminal import counted, not_taken, progress, running

app = typer.Typer()
out = Console(soft_wrap=True)


@app.command()
def ingest(
    source: Annotated[str, typer.Argument(help="A source; `sankofa sources` lists them.")],
    files: Annotated[
        list[Path],
        typer.Argument(help="Documents of that source.", exists=True, dir_okay=False, readable=True),
    ],
    fetched_at: Annotated[
        datetime | None, typer.Option(help="When the files were fetched (UTC). Default: now.")
    ] = None,
    workers: Annotated[
        int, typer.Option(min=1, help="How many processes read a large archive at the same time.")
    ] = 2,
) -> None:
    """Append the new values of documents to the ledger. Safe to repeat, in any order."""
    with running("ingest") as settings:
        objects, limited = Objects(settings.objects()), parsing(settings)
        origin = source_named(source, settings.sources)
        moment = (fetched_at or datetime.now(UTC)).replace(tzinfo=UTC)
        tally = {"accepted": 0, "seen": 0, "refused": 0}
        read = mapped = appended = unchanged = 0
        rejected: dict[str, int] = {}
        with connect(settings.ingest_dsn) as connection, progress("documents", len(files)) as bar:
            for file in files:
                document = Document(source=origin, content=file, fetched_at=moment)
                batch = ingest_document(connection, objects, document, workers=workers, parsing=limited)
                tally[batch.outcome] += 1
                appended += batch.facts_appended
                unchanged += batch.unchanged
                if batch.facts_mapped is not None:
                    read, mapped = read + batch.facts_read, mapped + batch.facts_mapped
                for reason, rows in batch.rejected.items():
                    rejected[reason] = rejected.get(reason, 0) + rows
                for one in batch.held:
                    out.print(
                        f"{file.name} is held back, and no edition takes it in: {one.message}", markup=False
                    )
                bar.advance(bar.task_ids[0])
        of_line_items = f"; of a line item: {mapped:,} of {read:,} read" if read else ""
        files_left = f"; files as in the archive before: {unchanged:,}" if unchanged else ""
        out.print(
            f"documents: {counted(tally)}; facts appended: {appended:,}{of_line_items}{files_left};"
            f" {not_taken(rejected)}"
        )
