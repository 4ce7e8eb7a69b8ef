"""One ingest run: a document in, a batch out, committed together with every row it counts."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, cast

from sankofa.core.errors import UnreadableDocument
from sankofa.drift.judge import Reason
from sankofa.drift.screen import screen
from sankofa.ingest import archive
from sankofa.ingest.archive import Document
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.parsers import PARSERS
from sankofa.ingest.recording import Recorder
from sankofa.ingest.source import Source
from sankofa.ingest.validators import Validators
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import Connection, within
from sankofa.storage.queries import named

_SQL = named(__package__)
_DOCUMENT_SECONDS = 1_800
_SOURCE_LOCK = 0x5A4E  # first half of the advisory lock


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What became of one document."""

    outcome: Literal["accepted", "refused", "seen"]
    facts_read: int = 0
    facts_appended: int = 0
    facts_mapped: int | None = None  # of those read, how many have a concept of the line-item map
    rejected: dict[str, int] = field(default_factory=dict)
    held: tuple[Reason, ...] = ()  # why no edition takes it in before somebody releases it


def ingest(connection: Connection, objects: Objects, document: Document) -> Batch:
    """Archive a document, read it, and append what it newly says; all of it or nothing.

    Safe to repeat and to kill anywhere: bytes are kept before, rows and batch commit in one transaction.
    """
    archive.keep(objects, document)
    with within(connection, _DOCUMENT_SECONDS), one_at_a_time(connection, document.source.name):
        run = _enter_run(connection, document)
        if batch_id := _seen(connection, document, "accepted"):
            _offer(connection, run, batch_id)
            _note_version(connection, document, batch_id)
            return Batch(outcome="seen")
        rejections = Rejections()
        parse, recorder = PARSERS[document.source.parser]
        try:
            with connection.transaction():
                facts_read = recorder.stage(connection, parse, document, rejections)
        except UnreadableDocument as refusal:
            return _refuse(connection, document, run, refusal)
        recorder.know(connection)
        with connection.transaction():
            return _append(
                connection, recorder, document, run=run, facts_read=facts_read, rejections=rejections
            )


def read_again(connection: Connection, document: Document, document_id: int) -> int:
    """Append what a registered document says, within the caller's transaction; return how much is new.

    Nothing is screened for drift: that the bytes are read again is somebody's decision.
    """
    rejections = Rejections()
    parse, recorder = PARSERS[document.source.parser]
    facts_read = recorder.stage(connection, parse, document, rejections)
    recorder.know(connection)
    appended = recorder.append(connection, document, document_id)
    batch_id = _batch(connection, document_id, "accepted", facts_read, appended)
    recorder.touch(connection, batch_id)
    _reject(connection, batch_id, rejections)
    return appended


def _append(
    connection: Connection,
    recorder: Recorder,
    document: Document,
    *,
    run: str,
    facts_read: int,
    rejections: Rejections,
) -> Batch:
    document_id = _register(connection, document)
    appended = recorder.append(connection, document, document_id)
    batch_id = _batch(connection, document_id, "accepted", facts_read, appended)
    keys, newest = cast("tuple[int, date | None]", connection.execute(recorder.extent).fetchone())
    connection.execute(_SQL["extent"], {"batch_id": batch_id, "keys": keys, "newest": newest})
    if run:
        connection.execute(_SQL["wait"], {"batch_id": batch_id, "document_id": document_id, "run": run})
    _offer(connection, run, batch_id)
    _note_version(connection, document, batch_id)
    recorder.touch(connection, batch_id)
    _reject(connection, batch_id, rejections)
    held = screen(
        connection,
        source=document.source.name,
        dataset=recorder.dataset,
        batch_id=batch_id,
        new_rows=appended,
        compare=lambda scale: recorder.compare(connection, document, document_id, scale),
    )
    return Batch(
        outcome="accepted",
        facts_read=facts_read,
        facts_appended=appended,
        facts_mapped=recorder.mapped(connection) if recorder.mapped else None,
        rejected=dict(rejections.counts),
        held=held,
    )


def _refuse(connection: Connection, document: Document, run: str, refusal: UnreadableDocument) -> Batch:
    with connection.transaction():
        batch_id = _seen(connection, document, "refused")
        if not batch_id:
            rejections = Rejections()
            rejections.add(refusal.reason, refusal.detail)
            batch_id = _batch(connection, _register(connection, document), "refused", 0, 0)
            _reject(connection, batch_id, rejections)
        _offer(connection, run, batch_id)
    return Batch(outcome="refused", rejected={refusal.reason: 1})


def lock_of(source: str, purpose: int) -> list[int]:
    """Return both halves of an advisory lock: what it is for, and the name of the source."""
    return [purpose, zlib.crc32(source.encode()) - 2**31]


@contextmanager
def one_at_a_time(connection: Connection, source: str) -> Iterator[None]:
    """Hold the source: two documents of one source are compared with the ledger one after the other."""
    lock = lock_of(source, _SOURCE_LOCK)
    connection.execute("SELECT pg_advisory_lock(%s, %s)", lock)
    try:
        yield
    finally:
        if not connection.broken:
            connection.execute("SELECT pg_advisory_unlock(%s, %s)", lock)


def newest_version(connection: Connection, source: Source, url: str) -> Validators | None:
    """Return the validators of the readable document that was fetched last from an address."""
    row = connection.execute(_SQL["newest_version"], {"source": source.name, "url": url}).fetchone()
    return Validators(*cast("tuple[str, str]", row)) if row else None


def _note_version(connection: Connection, document: Document, batch_id: int) -> None:
    """Record what the publisher calls this version, unless that is the last record of the address."""
    if document.url and document.validators and any(document.validators):
        noted = document.validators._asdict() | {"source": document.source.name, "url": document.url}
        connection.execute(_SQL["note_version"], noted | {"batch_id": batch_id})


def _enter_run(connection: Connection, document: Document) -> str:
    """Return the number of the run that the document belongs to; none if its source has no run under way."""
    row = connection.execute(_SQL["enter_run"], {"source": document.source.name}).fetchone()
    return cast("tuple[str]", row)[0]


def _offer(connection: Connection, run: str, batch_id: int) -> None:
    if run:
        connection.execute(_SQL["offer"], {"run": run, "batch_id": batch_id})


def _seen(connection: Connection, document: Document, outcome: str) -> int | None:
    asked = {"source": document.source.name, "sha256": document.sha256, "outcome": outcome}
    row = connection.execute(_SQL["seen"], asked).fetchone()
    return cast("tuple[int]", row)[0] if row else None


def _register(connection: Connection, document: Document) -> int:
    told = {
        "source": document.source.name,
        "sha256": document.sha256,
        "url": document.url,
        "license_class": document.source.license_class,
        "bytes": document.size,
        "fetched_at": document.fetched_at,
    }
    return cast("tuple[int]", connection.execute(_SQL["register"], told).fetchone())[0]


def _batch(connection: Connection, document_id: int, outcome: str, read: int, appended: int) -> int:
    told = {"document_id": document_id, "outcome": outcome, "read": read, "appended": appended}
    return cast("tuple[int]", connection.execute(_SQL["batch"], told).fetchone())[0]


def _reject(connection: Connection, batch_id: int, rejections: Rejections) -> None:
    for reason, rows in rejections.counts.items():
        told = {"batch_id": batch_id, "reason": reason, "rows": rows, "sample": rejections.samples[reason]}
        connection.execute(_SQL["reject"], told)
