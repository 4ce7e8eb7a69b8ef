"""The walk over the contracting processes that an edition must process, in chunks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sankofa.editions.walk import Chunk, Step, Walk, chunks
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__, "walk.sql")
_CHUNK_PROCESSES = 5_000
_BEFORE_ALL = "00000000-0000-0000-0000-000000000000"


@dataclass(frozen=True, kw_only=True)
class Processes(Walk):
    """Publishes contracting processes. Organisations are walked before."""

    name = "processes"
    writes = ("touched_process",)
    reads = ("concerned_batch", "held_document", "touched_id", "answered_before")

    steps: tuple[Step, ...]

    def touch(self, connection: Connection, edition: int, before: dict[str, str]) -> Sequence[Chunk]:
        """Return the processes with new releases in this edition, in chunks."""
        connection.execute(_SQL["touch_held"], {"edition": edition})
        for step in self.steps:
            step.touch_for_rules(connection, before)
        return chunks(connection, "touched_process", "process_key", _CHUNK_PROCESSES, _BEFORE_ALL)

    def enter(self, connection: Connection, chunk: Chunk) -> None:
        """Fill `touched` with the processes of a chunk."""
        connection.execute(_SQL["chunk"], {"after": chunk.after, "until": chunk.until})
