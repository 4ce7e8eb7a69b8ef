"""The listed files, for `sankofa verify`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from sankofa.editions.kept import Kept
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

PART = "exports"

_SQL = named(__package__, "record.sql")


def kept(connection: Connection, edition: int | None, *, is_open: bool) -> Iterator[Kept]:
    """Return the listed files of one bucket: all, or those that one edition listed first."""
    rows = connection.execute(_SQL["listed"], {"edition": edition, "is_open": is_open})
    for first, name, key, sha256 in cast("list[tuple[int, str, str, bytes]]", rows.fetchall()):
        yield Kept(first, PART, name, key, sha256)
