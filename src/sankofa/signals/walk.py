"""The walk over cells, each a country and a month: which an edition must compute anew, some at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sankofa.editions.walk import Chunk, Dataset, chunks
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__, "walk.sql")
_CHUNK_CELLS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """Everything that is published of cells; contracting processes are walked before."""

    datasets: tuple[Dataset, ...]

    def touch(self, connection: Connection, edition: int, before: dict[str, str]) -> Sequence[Chunk]:
        """Find the cells in which this edition changed an event; return them in chunks."""
        connection.execute(_SQL["session_tables"])
        with connection.transaction():
            connection.execute(_SQL["by_index"])
            connection.execute(_SQL["touch_changed"], {"edition": edition})
        for dataset in self.datasets:
            dataset.touch_for_rules(connection, before)
        connection.execute("ANALYZE touched_cell")
        bounds = [str(row[0]) for row in connection.execute(_SQL["chunk_bounds"], {"size": _CHUNK_CELLS})]
        return chunks(bounds)

    def enter(self, connection: Connection, chunk: Chunk) -> None:
        """Make `touched`."""
        connection.execute(_SQL["chunk"], {"after": chunk.after, "until": chunk.until})
