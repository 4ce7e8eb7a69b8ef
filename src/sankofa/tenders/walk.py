"""The walk over contracting processes: which an edition must look at, some at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sankofa.editions.walk import Chunk, Dataset, chunks
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__, "walk.sql")
_CHUNK_PROCESSES = 5_000
_BEFORE_ALL = "00000000-0000-0000-0000-000000000000"


@dataclass(frozen=True, slots=True, kw_only=True)
class Processes:
    """Everything that is published of contracting processes; organisations are walked before."""

    datasets: tuple[Dataset, ...]

    def touch(self, connection: Connection, edition: int, before: dict[str, str]) -> Sequence[Chunk]:
        """Find the processes of which this edition holds something new; return them in chunks."""
        connection.execute(_SQL["session_tables"])
        connection.execute(_SQL["touch_held"], {"edition": edition})
        for dataset in self.datasets:
            dataset.touch_for_rules(connection, before)
        connection.execute("ANALYZE touched_process")
        asked = {"size": _CHUNK_PROCESSES}
        bounds = [str(row[0]) for row in connection.execute(_SQL["chunk_bounds"], asked)]
        return chunks(bounds, _BEFORE_ALL)

    def enter(self, connection: Connection, chunk: Chunk) -> None:
        """Make `touched`."""
        connection.execute(_SQL["chunk"], {"after": chunk.after, "until": chunk.until})
