"""The records of an ingest: document, batch, rejections and run."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal, cast

from sankofa.drift.judge import Reason
from sankofa.ingest.archive import Document
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.source import Source
from sankofa.ingest.validators import Validators
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__)
_SOURCE_LOCK = 0x5A4E  # first half of the advisory lock


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """The result of ingesting one document."""

    outcome: Literal["accepted", "refused", "seen"]
    facts_read: int = 0
    facts_appended: int = 0
    facts_mapped: int | None = None  # of those read, how many have a concept of the line-item map
    rejected: dict[str, int] = field(default_factory=dict)
    held: tuple[Reason, ...] = ()  # why it is held until a reviewer releases it
    unchanged: int = 0  # members of an archive that equal those of the previous one


def lock_of(source: str, purpose: int) -> list[int]:
    """Return both halves of an advisory lock: its purpose, and a hash of the source's name."""
    return [purpose, zlib.crc32(source.encode()) - 2**31]


@contextmanager
def one_at_a_time(connection: Connection, source: str) -> Iterator[None]:
    """Lock the source, so that its documents are compared with the ledger one after the other."""
    with _held(connection, source, "pg_advisory_lock", "pg_advisory_unlock"):
        yield


@contextmanager
def side_by_side(connection: Connection, source: str) -> Iterator[None]:
    """Acquire the shared lock of the source, with other readers of parts; an exclusive lock waits."""
    with _held(connection, source, "pg_advisory_lock_shared", "pg_advisory_unlock_shared"):
        yield


@contextmanager
def _held(connection: Connection, source: str, take: str, give: str) -> Iterator[None]:
    lock = lock_of(source, _SOURCE_LOCK)
    connection.execute(f"SELECT {take}(%s, %s)", lock)
    try:
        yield
    finally:
        if not connection.broken:
            connection.execute(f"SELECT {give}(%s, %s)", lock)


def newest_version(connection: Connection, source: Source, url: str) -> Validators | None:
    """Return the validators of the last readable document fetched from a URL."""
    row = connection.execute(_SQL["newest_version"], {"source": source.name, "url": url}).fetchone()
    return Validators(*cast("tuple[str, str]", row)) if row else None


def note_version(connection: Connection, document: Document, batch_id: int) -> None:
    """Record the publisher's version of a document, unless it is the last recorded one of the URL."""
    if document.url and document.validators and any(document.validators):
        noted = document.validators._asdict() | {"source": document.source.name, "url": document.url}
        connection.execute(_SQL["note_version"], noted | {"batch_id": batch_id})


def enter_run(connection: Connection, document: Document) -> str:
    """Return the number of the open run of the document's source, or None."""
    row = connection.execute(_SQL["enter_run"], {"source": document.source.name}).fetchone()
    return cast("tuple[str]", row)[0]


def offer(connection: Connection, run: str, batch_id: int) -> None:
    """Record that the source offered the document of a batch in a run, if there is one."""
    if run:
        connection.execute(_SQL["offer"], {"run": run, "batch_id": batch_id})


def wait(connection: Connection, run: str, batch_id: int, document_id: int) -> None:
    """Hold a new batch until its run has ended, if it belongs to one."""
    if run:
        connection.execute(_SQL["wait"], {"batch_id": batch_id, "document_id": document_id, "run": run})


def seen(connection: Connection, document: Document, outcome: str) -> int | None:
    """Return the batch of a document with this outcome, if it has one."""
    values = {"source": document.source.name, "sha256": document.sha256, "outcome": outcome}
    row = connection.execute(_SQL["seen"], values).fetchone()
    return cast("tuple[int]", row)[0] if row else None


def register(connection: Connection, document: Document) -> int:
    """Insert a document unless it exists, and return its number."""
    values = {
        "source": document.source.name,
        "sha256": document.sha256,
        "url": document.url,
        "license_class": document.source.license_class,
        "bytes": document.size,
        "fetched_at": document.fetched_at,
    }
    return cast("tuple[int]", connection.execute(_SQL["register"], values).fetchone())[0]


def put_batch(connection: Connection, document_id: int, outcome: str, read: int, appended: int) -> int:
    """Insert the batch of a document, and return its number."""
    values = {"document_id": document_id, "outcome": outcome, "read": read, "appended": appended}
    return cast("tuple[int]", connection.execute(_SQL["batch"], values).fetchone())[0]


def put_extent(connection: Connection, batch_id: int, keys: int, newest: object) -> None:
    """Record the extent of a document."""
    connection.execute(_SQL["extent"], {"batch_id": batch_id, "keys": keys, "newest": newest})


def reject(connection: Connection, batch_id: int, rejections: Rejections) -> None:
    """Record the rejections."""
    for reason, rows in rejections.counts.items():
        values: Mapping[str, object] = {
            "batch_id": batch_id,
            "reason": reason,
            "rows": rows,
            "sample": rejections.samples[reason],
        }
        connection.execute(_SQL["reject"], values)
