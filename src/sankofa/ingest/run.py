"""Ingest one document: its batch commits together with every row it counts.

A large archive of many files is read in parts (`parts.py`); its batch is written after the last of them.
"""

from __future__ import annotations

from datetime import date
from types import NoneType
from typing import cast

from sankofa.core.errors import UnreadableDocument
from sankofa.drift.screen import screen
from sankofa.ingest import archive, parts
from sankofa.ingest.archive import Document
from sankofa.ingest.batches import (
    Batch,
    enter_run,
    lock_of,
    newest_version,
    note_version,
    offer,
    one_at_a_time,
    put_batch,
    put_extent,
    register,
    reject,
    seen,
    wait,
)
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.bytes.columns import require_columns
from sankofa.ingest.parsers import PARSERS
from sankofa.ingest.parsing import PARSING, Parsing
from sankofa.ingest.recording import Recorder
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import Connection, within

__all__ = ["Batch", "ingest", "lock_of", "newest_version", "one_at_a_time", "read_again"]

_DOCUMENT_SECONDS = 1_800
_WORKERS = 2  # processes that read an archive


def ingest(
    connection: Connection,
    objects: Objects,
    document: Document,
    *,
    workers: int = _WORKERS,
    parsing: Parsing = PARSING,
) -> Batch:
    """Archive a document, parse it in a child process, and append its new statements, all or nothing.

    Safe to repeat and to kill at any time: bytes are stored first, rows and batch commit in one transaction.
    For an archive in parts, rows commit part by part, and count once the batch is written.
    """
    archive.keep(objects, document)
    with within(connection, _DOCUMENT_SECONDS), one_at_a_time(connection, document.source.name):
        run = enter_run(connection, document)
        if batch_id := seen(connection, document, "accepted"):
            offer(connection, run, batch_id)
            note_version(connection, document, batch_id)
            return Batch(outcome="seen")
        try:
            _require_columns(document, parsing)
            reading = parts.begin(connection, document, parsing)
            if reading is None:
                return _in_one_go(connection, document, run, parsing)
        except UnreadableDocument as refusal:
            return _refuse(connection, document, run, refusal)
    parts.read_all(connection, reading, workers)
    with within(connection, _DOCUMENT_SECONDS), one_at_a_time(connection, document.source.name):
        return parts.finish(connection, reading)


def read_again(
    connection: Connection, document: Document, document_id: int, parsing: Parsing = PARSING
) -> int:
    """Append the new statements of a registered document in the caller's transaction; return their number.

    There is no screening for drift, because reading again is an operator's decision.
    """
    rejections = Rejections()
    parser = PARSERS[document.source.parser]
    recorder = parser.recorder
    facts_read = recorder.stage(connection, parser.isolated(parsing), document, rejections)
    recorder.register(connection)
    appended = recorder.append(connection, document, document_id)
    batch_id = put_batch(connection, document_id, "accepted", facts_read, appended)
    recorder.touch(connection, batch_id)
    reject(connection, batch_id, rejections)
    return appended


def _require_columns(document: Document, parsing: Parsing) -> None:
    """Raise if a document has other columns than its source declares."""
    expects = document.source.expects
    if expects.columns:
        with document.opened() as stream:
            check = parsing.isolated(require_columns, NoneType)
            list(check(stream, expects.columns, expects.columns_like))


def _in_one_go(connection: Connection, document: Document, run: str, parsing: Parsing) -> Batch:
    rejections = Rejections()
    parser = PARSERS[document.source.parser]
    recorder = parser.recorder
    with connection.transaction():
        facts_read = recorder.stage(connection, parser.isolated(parsing), document, rejections)
    recorder.register(connection)
    with connection.transaction():
        return _append(connection, recorder, document, run=run, facts_read=facts_read, rejections=rejections)


def _append(
    connection: Connection,
    recorder: Recorder,
    document: Document,
    *,
    run: str,
    facts_read: int,
    rejections: Rejections,
) -> Batch:
    document_id = register(connection, document)
    appended = recorder.append(connection, document, document_id)
    batch_id = put_batch(connection, document_id, "accepted", facts_read, appended)
    put_extent(
        connection,
        batch_id,
        *cast("tuple[int, date | None]", connection.execute(recorder.extent).fetchone()),
    )
    wait(connection, run, batch_id, document_id)
    offer(connection, run, batch_id)
    note_version(connection, document, batch_id)
    recorder.touch(connection, batch_id)
    reject(connection, batch_id, rejections)
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
        batch_id = seen(connection, document, "refused")
        if not batch_id:
            rejections = Rejections()
            rejections.add(refusal.reason, refusal.detail)
            batch_id = put_batch(connection, register(connection, document), "refused", 0, 0)
            reject(connection, batch_id, rejections)
        offer(connection, run, batch_id)
    return Batch(outcome="refused", rejected={refusal.reason: 1})
