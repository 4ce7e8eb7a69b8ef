"""Correct the fetch day of a document that was ingested with a wrong one.

The ledger depends on the days of documents in many places: as the first day of their statements, and in
statements left out because an earlier document had them. So nothing is altered. The document is read again
with the right day, and so is every document of the source that was compared with it. The earlier readings are
set aside: the next edition uses the new ones, and earlier editions stay unchanged.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, cast

from sankofa.core.errors import Refused, UnreadableDocument
from sankofa.ingest import archive
from sankofa.ingest.archive import Document
from sankofa.ingest.batches import one_at_a_time
from sankofa.ingest.parsing import PARSING, Parsing
from sankofa.ingest.run import read_again
from sankofa.ingest.source import Source
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import Connection, within
from sankofa.storage.queries import named

_SQL = named(__package__, "correcting.sql")
_SECONDS = 7_200


class Corrected(NamedTuple):
    """The documents that a correction read again."""

    correction: int
    documents: int
    appended: int


class _Again(NamedTuple):
    """A document to be read again."""

    read_as: int
    sha256: bytes
    url: str | None
    fetched_at: datetime


def decide(connection: Connection, source: str, sha256: bytes, fetched_at: datetime, because: str) -> int:
    """Record the real fetch time of a document, and return the number of the decision.

    Repeated after a crash, it returns the recorded decision that was not carried out.
    """
    if not because.strip():
        raise Refused("a decision needs a reason: --because")
    if fetched_at > datetime.now(UTC):
        raise Refused(f"{fetched_at:%Y-%m-%d %H:%M} UTC has not come yet: no document was fetched then")
    with connection.transaction():
        about = {"source": source, "sha256": sha256, "fetched_at": fetched_at, "because": because}
        found = connection.execute(_SQL["document"], about).fetchone()
        if not found:
            raise Refused(f"no document of {source} with SHA-256 {sha256.hex()} was accepted")
        document_id, fetched_before = cast("tuple[int, datetime]", found)
        about["document_id"] = document_id
        if fetched_before == fetched_at:
            raise Refused(f"the document is already known as fetched at {fetched_at:%Y-%m-%d %H:%M} UTC")
        waiting = cast("tuple[int]", connection.execute(_SQL["waiting"], about).fetchone())[0]
        if waiting or connection.execute(_SQL["is_held_back"], about).fetchone():
            raise Refused(
                f"documents of {source} are held back: decide about them first (`sankofa held --all`); one"
                " that was refused is in no edition, and its day does not matter"
            )
        _require_whole(connection, source)
        row = connection.execute(_SQL["undone"], about).fetchone()
        row = row or connection.execute(_SQL["decide"], about).fetchone()
        return cast("tuple[int]", row)[0]


def carry_out(
    connection: Connection,
    objects: Objects,
    correction: int,
    named: Callable[[str], Source],
    progress: Callable[[int, int], None] = lambda _done, _total: None,
    *,
    parsing: Parsing = PARSING,
) -> Corrected:
    """Read all documents of a correction again, in one transaction."""
    found = connection.execute(_SQL["decision"], {"correction": correction}).fetchone()
    if not found:
        raise Refused(f"correction {correction} is unknown, or was carried out, or the document read again")
    name, document_id, fetched_at = cast("tuple[str, int, datetime]", found)
    origin = named(name)
    with within(connection, _SECONDS), one_at_a_time(connection, name), connection.transaction():
        _require_whole(connection, name)
        rows = connection.execute(_SQL["to_read"], {"document_id": document_id, "source": name}).fetchall()
        again = []
        for known, sha256, url, fetched_before in cast("list[tuple[int, bytes, str | None, datetime]]", rows):
            moment = fetched_at if known == document_id else fetched_before
            values = {"document_id": known, "correction": correction, "fetched_at": moment}
            read_as = cast("tuple[int]", connection.execute(_SQL["register_again"], values).fetchone())[0]
            again.append(_Again(read_as, sha256, url, moment))
        appended = 0
        for done, one in enumerate(again):
            progress(done, len(again))
            appended += _read(connection, objects, origin, one, parsing)
        archive.keep_day(objects, name, again[0].sha256, fetched_at)
        connection.execute(_SQL["done"], {"correction": correction})
    progress(len(again), len(again))
    return Corrected(correction, len(again), appended)


def _require_whole(connection: Connection, source: str) -> None:
    """Raise while an archive of the source is being read: its parts were compared with the old readings."""
    if connection.execute(_SQL["archive_in_parts"], {"source": source}).fetchone():
        raise Refused(
            f"an archive of {source} was not read to its end: repeat its `sankofa ingest` or its run first"
        )


def _read(connection: Connection, objects: Objects, origin: Source, again: _Again, parsing: Parsing) -> int:
    with TemporaryDirectory() as folder:
        file = archive.fetch(objects, again.sha256, Path(folder) / "document")
        document = Document(source=origin, content=file, fetched_at=again.fetched_at, url=again.url)
        try:
            return read_again(connection, document, again.read_as, parsing)
        except UnreadableDocument as refusal:
            raise Refused(
                f"{origin.name}@sha256:{again.sha256.hex()} cannot be read as fetched at"
                f" {again.fetched_at:%Y-%m-%d %H:%M} UTC ({refusal.reason}: {refusal.detail}); nothing was"
                " changed. Correct it to another moment"
            ) from refusal
