"""Append organisation records to the ledger: each vintage of each source's record once.

Safe to repeat: a document that states nothing new appends nothing. Safe in any order: a vintage is kept
with the earliest fetched document that shows it, whenever that document arrives.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import cast

import msgspec

from sankofa.entities.model import OrganisationRecord
from sankofa.storage.postgres import Connection, copy_line
from sankofa.storage.queries import named

_SQL = named(__package__, "record.sql") | named(__package__, "drift.sql")
EXTENT = _SQL["extent"]  # number of keys, and the last day of the newest period
_ENCODER = msgspec.json.Encoder()


def stage(connection: Connection, records: Iterable[OrganisationRecord]) -> int:
    """Copy a document's records into this session's staging table and return their number."""
    connection.execute(_SQL["stage"])
    count = 0
    with connection.cursor() as cursor, cursor.copy(_SQL["copy"]) as copy:
        for record in records:
            count += 1
            copy.write(
                copy_line(
                    count,
                    record.subject,
                    record.available_at,
                    record.stated_at,
                    record.legal_name,
                    record.jurisdiction,
                    record.status,
                    record.available_at_basis,
                    record.duplicate_of,
                    record.is_mention,
                    " ".join(record.marks),
                    _ENCODER.encode(record.identifiers).decode(),
                )
            )
    connection.execute("ANALYZE staged_organisation")
    return count


def register(connection: Connection) -> None:
    """Insert new subjects and commit immediately, so that concurrent ingests share their ids."""
    connection.execute(_SQL["register_subjects"])


def append(connection: Connection, source: str, document_id: int, fetched_at: datetime, sha256: bytes) -> int:
    """Append the staged records that are new to the ledger and return their number."""
    values = {"source": source, "document_id": document_id, "fetched_at": fetched_at, "sha256": sha256}
    connection.execute(_SQL["append"], values)
    return cast("tuple[int]", connection.execute(_SQL["count_appended"]).fetchone())[0]


def mention(connection: Connection) -> None:
    """Create the table `mentioned`, which maps staged record numbers to subjects and record hashes."""
    connection.execute(_SQL["mention"])


def touch(connection: Connection, batch_id: int) -> None:
    """Record the subjects with new records in the batch."""
    connection.execute(_SQL["touch_subjects"], {"batch_id": batch_id})


def touched(connection: Connection) -> set[int]:
    """Return the subjects with new records in the staged document."""
    return {
        subject_id
        for (subject_id,) in cast("list[tuple[int]]", connection.execute(_SQL["touched_subjects"]).fetchall())
    }


def compare(connection: Connection, source: str, document_id: int) -> int:
    """Fill `moved` with the changes of known records, and return the number of known records."""
    values = {"source": source, "document_id": document_id}
    return cast("tuple[int]", connection.execute(_SQL["compare"], values).fetchone())[0]
