"""The walk over the series that an edition must process, in chunks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sankofa.editions.walk import Chunk, Step, Walk, chunks
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__, "walk.sql")
_CHUNK_SERIES = 1_000


@dataclass(frozen=True, kw_only=True)
class Series(Walk):
    """Publishes series, by their keys."""

    name = "series"
    writes = ("touched_series",)
    reads = ("concerned_batch", "held_document")

    steps: tuple[Step, ...]

    def touch(self, connection: Connection, _edition: int, before: dict[str, str]) -> Sequence[Chunk]:
        """Return the keys with new values in this edition, in chunks."""
        connection.execute(_SQL["touch_held"])
        for step in self.steps:
            step.touch_for_rules(connection, before)
        return chunks(connection, "touched_series", "series_key", _CHUNK_SERIES)

    def enter(self, connection: Connection, chunk: Chunk) -> None:
        """Fill `touched` with the keys of a chunk."""
        connection.execute(_SQL["chunk"], {"after": chunk.after, "until": chunk.until})
