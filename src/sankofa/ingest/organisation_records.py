"""How records of organisations enter the ledger."""

from __future__ import annotations

from sankofa.drift.bounds import ORGANISATIONS
from sankofa.drift.screen import Scale
from sankofa.entities import record
from sankofa.ingest.archive import Document
from sankofa.ingest.bounds import Rejections
from sankofa.ingest.sources import Parser
from sankofa.storage.postgres import Connection

DATASET = ORGANISATIONS


def stage(connection: Connection, parse: Parser, document: Document, rejections: Rejections) -> int:
    """Read a document into this session's staging table and return the number of records."""
    with document.opened() as stream:
        return record.stage(connection, parse(stream, rejections, fetched_at=document.fetched_at))


def know(connection: Connection) -> None:
    """Give handles to subjects not met before."""
    record.know(connection)


def append(connection: Connection, document: Document, document_id: int) -> int:
    """Append what is staged and new, and return how many records that was."""
    return record.append(connection, document.source.name, document_id, document.fetched_at, document.sha256)


def touch(connection: Connection, batch_id: int) -> None:
    """Record whom the batch said something new about."""
    record.touch(connection, batch_id)


def compare(connection: Connection, document: Document, document_id: int, scale: Scale) -> int:
    """Note how known records changed, and return how many the document speaks of."""
    del scale  # records have no values
    return record.compare(connection, document.source.name, document_id)
