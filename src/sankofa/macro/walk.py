"""The walk over series: which an edition must look at, some at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sankofa.editions.walk import Chunk, Dataset, chunks
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__, "walk.sql")
_CHUNK_SERIES = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Everything that is published of series, by their keys."""

    datasets: tuple[Dataset, ...]

    def touch(self, connection: Connection, _edition: int, before: dict[str, str]) -> Sequence[Chunk]:
        """Find the keys of which this edition holds something new; return them in chunks."""
        connection.execute(_SQL["session_tables"])
        connection.execute(_SQL["touch_held"])
        for dataset in self.datasets:
            dataset.touch_for_rules(connection, before)
        connection.execute("ANALYZE touched_series")
        bounds = [str(row[0]) for row in connection.execute(_SQL["chunk_bounds"], {"size": _CHUNK_SERIES})]
        return chunks(bounds)

    def enter(self, connection: Connection, chunk: Chunk) -> None:
        """Make `touched`."""
        connection.execute(_SQL["chunk"], {"after": chunk.after, "until": chunk.until})
