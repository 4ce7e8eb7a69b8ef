"""What a format of the world is: a module that writes the world as documents, part by part.

A new format is one new file with the names of `Format`, listed in `demo/write.py`.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple, Protocol

from demo.world import World


class Document(NamedTuple):
    """Bytes as a source would send them, and when they were fetched."""

    name: str
    content: bytes
    fetched_at: datetime
    facts: int = 0


# As fast as level 1 on rows of facts and a tenth smaller; level 6 takes nearly twice as long.
DEFLATE_LEVEL = 3
UNIX = 3  # the system that zips say they were made on

# Issuers whose organisations, listings or pairs share a table.
ISSUERS_PER_TABLE = 10_000


def shares(world: World) -> int:
    """Return how many tables a world's issuers are shared out to."""
    return -(-world.issuers // ISSUERS_PER_TABLE)


def share(world: World, number: int) -> range:
    """Return the issuers of table `number`, from 0."""
    first = number * ISSUERS_PER_TABLE
    return range(first, min(first + ISSUERS_PER_TABLE, world.issuers))


def zipped(files: Iterable[tuple[str, bytes]], packed_at: datetime) -> bytes:
    """Pack files so that only their bytes decide the bytes of the zip, not the clock or the system."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=DEFLATE_LEVEL) as archive:
        for name, content in files:
            member = zipfile.ZipInfo(name, packed_at.timetuple()[:6])
            member.create_system = UNIX
            member.external_attr = 0o644 << 16
            archive.writestr(member, content, zipfile.ZIP_DEFLATED, DEFLATE_LEVEL)
    return packed.getvalue()


class Format(Protocol):
    """The names every format module has; parts can be written in any order and side by side."""

    SOURCE: str
    FORMAT: str

    def parts(self, world: World) -> int:
        """Return how many documents a world is written as."""

    def part(self, world: World, number: int) -> Document:
        """Return document `number`, from 0."""
