"""What ingestion appends to the ledger about tenders: each content of a release once, and whom it mentions.

Safe to repeat: a document that shows nothing new appends nothing. Safe in any order: a content is kept with
the earliest fetched document that shows it, whenever that document arrives.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple, cast

import msgspec

from sankofa.storage.postgres import Connection, copy_line
from sankofa.storage.queries import named
from sankofa.tenders.model import Release

_SQL = named(__package__, "record.sql")
_ENCODER = msgspec.json.Encoder(decimal_format="number")
_ELSEWHERE = (
    "ocid",
    "id",
    "date",
    "day",
    "parties",
    "text_flags",
)  # in columns of their own, not in the body


class Mention(NamedTuple):
    """A party of a release, under the name that the ledger knows it by."""

    subject: str
    is_named_in_text: bool
    roles: tuple[str, ...]


def stage(connection: Connection, releases: Iterable[tuple[Release, list[Mention]]]) -> int:
    """Copy a document's releases into this session's staging tables and return their number."""
    connection.execute(_SQL["stage"])
    count = 0
    with connection.cursor() as cursor, cursor.copy(_SQL["copy"]) as copy:
        for release, mentions in releases:
            count += 1
            body = {
                name: getattr(release, name) for name in release.__struct_fields__ if name not in _ELSEWHERE
            }
            copy.write(
                copy_line(
                    count,
                    release.ocid,
                    release.id,
                    release.date,
                    release.day,
                    " ".join(release.text_flags),
                    _ENCODER.encode(body).decode(),
                    _ENCODER.encode(mentions).decode(),
                )
            )
    connection.execute("ANALYZE staged_release")
    return count


def append(
    connection: Connection,
    *,
    source: str,
    country: str,
    document_id: int,
    fetched_at: datetime,
    sha256: bytes,
) -> int:
    """Append what is staged and new to the ledger and return how many contents that was."""
    told = {
        "source": source,
        "country": country,
        "document_id": document_id,
        "fetched_at": fetched_at,
        "fetched_on": fetched_at.date(),
        "sha256": sha256,
    }
    for name in ("state", "append", "append_parties"):
        connection.execute(_SQL[name], told)
    return cast("tuple[int]", connection.execute(_SQL["count_appended"]).fetchone())[0]


def touch(connection: Connection, batch_id: int) -> None:
    """Record which releases the batch said something new about."""
    connection.execute(_SQL["touch_releases"], {"batch_id": batch_id})
