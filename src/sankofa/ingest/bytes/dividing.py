"""Divide an archive into parts of whole files, by its directory alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.directory import entries

_MOST_PARTS = 1 << 20


class Part(NamedTuple):
    """Consecutive files of an archive: where the first entry begins, and the number of entries."""

    place: int
    members: int


def divide(archive: BinaryIO, most_members: int, most_bytes: int) -> Iterator[Part]:
    """Yield the parts of an archive. Raise if it has a name twice in several parts, or too many parts."""
    names = set[str]()
    parts, entered, place, members, unpacked = 0, 0, 0, 0, 0
    for entry in entries(archive):
        if members == most_members or (members and unpacked + entry.unpacked > most_bytes):
            yield Part(place, members)
            parts, members, unpacked = parts + 1, 0, 0
            if parts >= _MOST_PARTS:
                raise UnreadableDocument("archive_damaged", f"more than {_MOST_PARTS:,} parts")
        if not members:
            place = entry.place
        members, unpacked, entered = members + 1, unpacked + entry.unpacked, entered + 1
        names.add(entry.name)
    if members:
        yield Part(place, members)
    if parts and len(names) < entered:
        raise UnreadableDocument("archive_damaged", "two files have one name")
