"""The walk over cells, each a country and a month: which an edition must compute anew, some at a time."""

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
    """Everything that is published of cells; contracting processes are walked before."""

    name = "cells"
    writes = ("touched_cell",)

    steps: tuple[Step, ...]

    def touch(self, connection: Connection, edition: int, before: dict[str, str]) -> Sequence[Chunk]:
        """Find the cells in which this edition changed an event; return them in chunks."""
        with connection.transaction():
            connection.execute(_SQL["by_index"])
            connection.execute(_SQL["touch_changed"], {"edition": edition})
        for step in self.steps:
            step.touch_for_rules(connection, before)
        return chunks(connection, "touched_cell", "cell", _CHUNK_CELLS)

    def enter(self, connection: Connection, chunk: Chunk) -> None:
        """Make `touched`."""
        connection.execute(_SQL["chunk"], {"after": chunk.after, "until": chunk.until})
