"""The walk over organisations in tenders: their roles, countries, first days and counts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from sankofa.editions.reconcile import Changes, reconcile
from sankofa.editions.walk import Chunk, Step, Walk, chunks
from sankofa.storage.postgres import Connection, copy_line
from sankofa.storage.queries import named
from sankofa.tenders.counting import Counted, vintages
from sankofa.tenders.dataset import DATASET, PARTIES

_SQL = named(__package__, "parties.sql")
_CHUNK_PARTIES = 2_000
_FETCHED = 20_000  # spans at a time: those of all parties of a chunk need not fit into memory


class TenderParties(Step):
    """Buyers and suppliers, counted over releases."""

    dataset = DATASET

    def publish(self, connection: Connection, edition: int) -> Changes:
        """Recount the roles of the touched organisations."""
        for name, table in (("members", "member"), ("processes", "process"), ("parts", "part")):
            connection.execute(_SQL[name])
            connection.execute(f"ANALYZE {table}")
        connection.execute(_SQL["moved"], {"edition": edition})
        self._count(connection)
        connection.execute(_SQL["target_parties"])
        return reconcile(connection, PARTIES, edition)

    def _count(self, connection: Connection) -> None:
        """Fill `vintage` with what was known of each role, from day to day."""
        with connection.cursor(name="span") as spans:
            spans.itersize = _FETCHED
            spans.execute(_SQL["spans"])
            lines = [
                copy_line(*part, one.available_at, one.known_until or "infinity", *one[2:])
                for part, counted in groupby(spans, key=itemgetter(0, 1, 2))
                for one in vintages([_counted(row) for row in counted])
            ]
        connection.execute(_SQL["vintages"])
        with connection.cursor() as cursor, cursor.copy(_SQL["copy_vintages"]) as copy:
            for line in lines:
                copy.write(line)


def _counted(row: Sequence[Any]) -> Counted:
    """Return the releases of a row of `spans`."""
    return Counted(*row[3:])


class Parties(Walk):
    """The walk over organisations that processes mention. Processes are walked before."""

    name = "parties"
    steps: tuple[Step, ...] = (TenderParties(),)
    writes = ("touched_party",)
    reads = ("touched_process", "answered_before")

    def touch(self, connection: Connection, edition: int, before: dict[str, str]) -> Sequence[Chunk]:  # noqa: ARG002  # as every walk
        """Return the organisations whose roles may have changed, in chunks."""
        connection.execute(_SQL["touch"])
        return chunks(connection, "touched_party", "service_id", _CHUNK_PARTIES)

    def enter(self, connection: Connection, chunk: Chunk) -> None:
        """Fill `touched` with the organisations of a chunk."""
        connection.execute(_SQL["chunk"], {"after": chunk.after, "until": chunk.until})
