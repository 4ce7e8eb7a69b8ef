"""The walk over cells, each a country and a month, that an edition must recompute, in chunks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sankofa.editions.walk import Chunk, Step, Walk, chunks
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__, "walk.sql")
_CHUNK_CELLS = 200


@dataclass(frozen=True, kw_only=True)
class Cells(Walk):
    """Publishes all signals of cells. Contracting processes are walked before."""

    name = "cells"
    writes = ("touched_cell",)

    steps: tuple[Step, ...]

    def touch(self, connection: Connection, edition: int, before: dict[str, str]) -> Sequence[Chunk]:
        """Return the cells in which this edition changed an event, in chunks."""
        with connection.transaction():
            connection.execute(_SQL["by_index"])
            connection.execute(_SQL["touch_changed"], {"edition": edition})
        for step in self.steps:
            step.touch_for_rules(connection, before)
        return chunks(connection, "touched_cell", "cell", _CHUNK_CELLS)

    def enter(self, connection: Connection, chunk: Chunk) -> None:
        """Fill `touched` with the cells of a chunk."""
        connection.execute(_SQL["chunk"], {"after": chunk.after, "until": chunk.until})
