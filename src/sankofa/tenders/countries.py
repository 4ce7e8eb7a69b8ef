"""The walk over countries: where the releases of each begin in an edition, newest first.

A page of an old edition starts there, and not at later releases.
"""

from __future__ import annotations

from collections.abc import Sequence

from sankofa.editions.reconcile import Changes, reconcile
from sankofa.editions.walk import Chunk, Step, Walk, chunks
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named
from sankofa.tenders.dataset import COUNTRIES, DATASET

_SQL = named(__package__, "countries.sql")
_CHUNK_COUNTRIES = 100


class TenderCountries(Step):
    """The date of each country's newest release; used by queries and never served."""

    dataset = DATASET

    def publish(self, connection: Connection, edition: int) -> Changes:
        """Look up the newest release of each touched country."""
        connection.execute(_SQL["target_countries"])
        reconcile(connection, COUNTRIES, edition)
        return Changes()


class Countries(Walk):
    """The walk over countries with releases. Processes are walked before."""

    name = "countries"
    steps: tuple[Step, ...] = (TenderCountries(),)
    writes = ("touched_country",)
    reads = ("touched_process",)

    def touch(self, connection: Connection, edition: int, before: dict[str, str]) -> Sequence[Chunk]:  # noqa: ARG002  # as every walk
        """Return the countries of the touched processes."""
        connection.execute(_SQL["touch"])
        return chunks(connection, "touched_country", "country", _CHUNK_COUNTRIES)

    def enter(self, connection: Connection, chunk: Chunk) -> None:
        """Fill `touched` with the countries of a chunk."""
        connection.execute(_SQL["chunk"], {"after": chunk.after, "until": chunk.until})
