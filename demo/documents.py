"""What a format of the world is: a module that writes the world as documents, part by part.

A new format is one new file with the names of `Format`, listed in `demo/write.py`.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple, Protocol

from demo.world import World


class Document(NamedTuple):
    """Bytes as a source would send them, and when they were fetched."""

    name: str
    content: bytes
    fetched_at: datetime
    facts: int = 0


# Issuers whose organisations, listings or pairs share a table.
ISSUERS_PER_TABLE = 10_000


def shares(world: World) -> int:
    """Return how many tables a world's issuers are shared out to."""
    return -(-world.issuers // ISSUERS_PER_TABLE)


def share(world: World, number: int) -> range:
    """Return the issuers of table `number`, from 0."""
    first = number * ISSUERS_PER_TABLE
    return range(first, min(first + ISSUERS_PER_TABLE, world.issuers))


class Format(Protocol):
    """The names every format module has; parts can be written in any order and side by side."""

    SOURCE: str
    FORMAT: str

    def parts(self, world: World) -> int:
        """Return how many documents a world is written as."""

    def part(self, world: World, number: int) -> Document:
        """Return document `number`, from 0."""
