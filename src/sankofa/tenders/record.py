"""Append tenders to the ledger: each content of a release once, and every document that contains it.

Safe to repeat: a document is read once. Safe in any order: every document that contains a content is
recorded, so that the order of contents depends on when documents were fetched, and not on when they were
loaded.
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
EXTENT = _SQL["extent"]  # number of keys, and the last day of the newest period
_ENCODER = msgspec.json.Encoder(decimal_format="number")


class Mention(NamedTuple):
    """A party of a release in the ledger."""

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
    """Return the hash of a release's content.

    Our own judgement of its texts is left out, as rules may change.
    """
    parties = [
        (record.subject, record.legal_name, record.jurisdiction, record.identifiers, record.marks)
        for _, record, *_ in mentions
    ]
    encoded = _ENCODER.encode((release.date, release.texts, body, parties))
    return uuid.UUID(bytes=hashlib.md5(encoded, usedforsecurity=False).digest())


def append(connection: Connection, *, source: str, country: str, document_id: int) -> int:
    """Append the staged contents that are new to the ledger and return their number."""
    values = {"source": source, "country": country, "document_id": document_id}
    for name in ("state", "append", "append_parties", "append_sightings"):
        connection.execute(_SQL[name], values)
    return cast("tuple[int]", connection.execute(_SQL["count_appended"]).fetchone())[0]


def touch(connection: Connection, batch_id: int) -> None:
    """Record the contracting processes of the batch."""
    connection.execute(_SQL["touch_processes"], {"batch_id": batch_id})


def compare(connection: Connection, document_id: int, scale: Scale) -> int:
    """Fill `moved` with the changes of known values, and return the number of known values."""
    values = {"document_id": document_id, **scale._asdict()}
    return cast("tuple[int]", connection.execute(_SQL["compare"], values).fetchone())[0]
