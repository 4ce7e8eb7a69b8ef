"""What ingestion appends to the ledger about tenders: each content of a release once, and who showed it when.

Safe to repeat: a document is read once. Safe in any order: every document that shows a content is noted, so
that which content followed which is decided by when documents were fetched, and not by when they were loaded.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable
from typing import NamedTuple, cast

import msgspec

from sankofa.drift.screen import Scale
from sankofa.entities.model import OrganisationRecord
from sankofa.storage.postgres import Connection, copy_line
from sankofa.storage.queries import named
from sankofa.tenders.model import Body, Release

_SQL = named(__package__, "record.sql") | named(__package__, "drift.sql")
EXTENT = _SQL["extent"]  # different keys, and the last day of the newest period
_ENCODER = msgspec.json.Encoder(decimal_format="number")


class Mention(NamedTuple):
    """A party of a release, as the ledger knows it."""

    number: int  # of its record, among those of the document
    record: OrganisationRecord
    is_named_in_text: bool
    is_named_in_id: bool
    roles: tuple[str, ...]


def stage(connection: Connection, releases: Iterable[tuple[Release, list[Mention]]]) -> int:
    """Copy a document's releases into this session's staging tables and return their number."""
    connection.execute(_SQL["stage"])
    count = 0
    with connection.cursor() as cursor, cursor.copy(_SQL["copy"]) as copy:
        for release, mentions in releases:
            count += 1
            body = {name: getattr(release, name) for name in Body.__struct_fields__}
            copy.write(
                copy_line(
                    count,
                    _content(release, body, mentions),
                    release.ocid,
                    release.id,
                    release.date,
                    release.day,
                    " ".join(release.text_flags),
                    _ENCODER.encode(release.texts).decode(),
                    _ENCODER.encode(body).decode(),
                    _ENCODER.encode([(number, *others) for number, _, *others in mentions]).decode(),
                )
            )
    connection.execute("ANALYZE staged_release (staged)")
    return count


def _content(release: Release, body: dict[str, object], mentions: list[Mention]) -> uuid.UUID:
    """Name what a release says. What we make of its texts is left out: that may change with our rules."""
    parties = [
        (record.subject, record.legal_name, record.jurisdiction, record.identifiers, record.marks)
        for _, record, *_ in mentions
    ]
    encoded = _ENCODER.encode((release.date, release.texts, body, parties))
    return uuid.UUID(bytes=hashlib.md5(encoded, usedforsecurity=False).digest())


def append(connection: Connection, *, source: str, country: str, document_id: int) -> int:
    """Append what is staged and new to the ledger and return how many contents that was."""
    values = {"source": source, "country": country, "document_id": document_id}
    for name in ("state", "append", "append_parties", "append_sightings"):
        connection.execute(_SQL[name], values)
    return cast("tuple[int]", connection.execute(_SQL["count_appended"]).fetchone())[0]


def touch(connection: Connection, batch_id: int) -> None:
    """Record which contracting processes the batch showed anything of."""
    connection.execute(_SQL["touch_processes"], {"batch_id": batch_id})


def compare(connection: Connection, document_id: int, scale: Scale) -> int:
    """Note in `moved` how known values of tenders and awards changed, and return how many were known."""
    values = {"document_id": document_id, **scale._asdict()}
    return cast("tuple[int]", connection.execute(_SQL["compare"], values).fetchone())[0]
