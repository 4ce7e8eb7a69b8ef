"""The command that verifies editions."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from sankofa.core.errors import NotFound, Refused
from sankofa.editions.chain import Chain, Finding, read_chain
from sankofa.editions.digests import Reader
from sankofa.editions.kept import check_kept
from sankofa.editions.outside import Outside
from sankofa.editions.rows import Forms
from sankofa.editions.verify import check
from sankofa.export import kept as exports
from sankofa.ingest import archive
from sankofa.quality.verification import record_verification
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import Connection, connect
from sankofa.surfaces.publishing import publisher
from sankofa.surfaces.settings import Settings
from sankofa.surfaces.terminal import progress, running

app = typer.Typer()
out = Console(soft_wrap=True, highlight=False, markup=False)


@app.command()
def verify(
    edition: Annotated[int | None, typer.Option(help="Only what this edition sealed.")] = None,
    part: Annotated[
        str | None, typer.Option(help="Only one table, such as ledger.fact; or documents, or exports.")
    ] = None,
    every: Annotated[
        float | None,
        typer.Option(help="Verify everything again after so many hours, and record each result.", min=0.01),
    ] = None,
) -> None:
    """Check editions against their digests, documents and files against their hashes. Changes nothing."""
    with running("verify") as settings:
        if every is not None and (edition is not None or part is not None):
            raise Refused("--every verifies everything: leave out --edition and --part")
        tally = _verify(settings, edition, part)
        while every is not None:
            if tally.newest:
                record_verification(settings.publish_dsn, tally.newest, tally.checked, len(tally.editions))
            time.sleep(every * 3600)
            tally = _verify(settings, edition, part)
    if tally.editions:
        raise typer.Exit(1)


def _verify(settings: Settings, edition: int | None, part: str | None) -> _Tally:
    tally = _Tally()
    with connect(settings.publish_dsn) as connection:
        connection.execute("SET default_transaction_read_only = on")
        chain = read_chain(connection, Outside(Objects(settings.objects()), connection), edition)
        reader = Reader(connection, Forms(connection), publisher(settings).datasets)
        if edition is not None and edition not in chain.manifests and not chain.findings:
            raise NotFound(f"there is no edition {edition}")
        parts = (archive.PART, exports.PART, *reader.parts)
        if part not in (None, *parts):
            raise NotFound(f"there is no part {part}; the parts are {', '.join(parts)}")
        for note in chain.notes:
            out.print(f"note: {note}")
        with progress("rows", chain.rows(part)) as bar:
            for finding in _findings(reader, chain, tally, bar, part):
                _print(tally, finding)
        with progress("documents and files") as bar:
            for kind, outcome in _objects(settings, connection, edition, part):
                tally.objects[kind] += 1
                bar.advance(bar.task_ids[0])
                if outcome:
                    _print(tally, outcome)
        tally.newest = max(chain.manifests, default=0)
        out.print(tally.message(len(chain.manifests)))
    return tally


@dataclass(slots=True)
class _Tally:
    """The number of rows and objects read, and the edition of each finding."""

    rows: int = 0
    objects: Counter[str] = field(default_factory=Counter)
    editions: list[int] = field(default_factory=list)
    newest: int = 0  # the newest edition that was verified

    @property
    def checked(self) -> int:
        """The number of rows and objects that were read."""
        return self.rows + self.objects.total()

    def message(self, editions: int) -> str:
        """Return the last line."""
        documents, files = self.objects[archive.PART], self.objects[exports.PART]
        read = f"{editions:,} editions, {self.rows:,} rows, {documents:,} documents, {files:,} files verified"
        if not self.editions:
            return f"{read}: all is as it was sealed"
        first = min(filter(None, self.editions), default="none")  # 0: of no edition yet
        return f"{read}: {len(self.editions):,} findings; the first bad edition is {first}"


def _findings(
    reader: Reader, chain: Chain, tally: _Tally, bar: Progress, part: str | None
) -> Iterator[Finding]:
    def advance(rows: int) -> None:
        tally.rows += rows
        bar.advance(bar.task_ids[0], rows)

    yield from chain.findings
    yield from check(reader, chain, part, advance)


def _objects(
    settings: Settings, connection: Connection, edition: int | None, part: str | None
) -> Iterator[tuple[str, Finding | None]]:
    """Yield the result for each object in S3: the documents, and the files of both buckets."""
    kept = (
        (archive.PART, None, archive.archived(connection, edition)),
        (exports.PART, settings.open_bucket, exports.kept(connection, edition, is_open=True)),
        (exports.PART, settings.licensed_bucket, exports.kept(connection, edition, is_open=False)),
    )
    for kind, bucket, objects in kept:
        if part in (None, kind):
            yield from ((kind, outcome) for outcome in check_kept(Objects(settings.objects(bucket)), objects))


def _print(tally: _Tally, finding: Finding) -> None:
    tally.editions.append(finding.edition)
    named = f" {finding.key}" if finding.key else ""
    out.print(f"edition {finding.edition}: {finding.part}{named}: {finding.what}")
