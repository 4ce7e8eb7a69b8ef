"""The walk over countries: where the releases of each begin in an edition, newest first.

A page of an old edition begins there, and not at what was released since.
"""

from __future__ import annotations

from collections.abc import Sequence

from sankofa.editions.reconcile import Changes, ServingTable, reconcile
from sankofa.editions.walk import Chunk, Dataset, RulelessDataset
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__, "countries.sql")

COUNTRIES = ServingTable(
    name="tender_country",
    columns=("country", "newest_at"),
    identity="country",
    key="country",
    cluster=("country",),
)


class TenderCountries(RulelessDataset):
    """The date of each country's newest release; a help to readers, and no row that anybody is shown."""

    name = "AF-TENDER"
    tables = (COUNTRIES,)

    def publish(self, connection: Connection, edition: int) -> Changes:
        """Look up the newest release of each touched country."""
        connection.execute(_SQL["target_countries"])
        reconcile(connection, COUNTRIES, edition)
        return Changes()


class Countries:
    """Countries whose portals released something; processes are walked before."""

    datasets: tuple[Dataset, ...] = (TenderCountries(),)

    def touch(self, connection: Connection, edition: int, before: dict[str, str]) -> Sequence[Chunk]:  # noqa: ARG002  # as every walk
        """Find the countries of the processes that were touched: few, so one chunk."""
        connection.execute(_SQL["touch"])
        row = connection.execute("SELECT 1 FROM touched_country LIMIT 1").fetchone()
        return [Chunk("", "ZZ")] if row else []

    def enter(self, connection: Connection, chunk: Chunk) -> None:  # noqa: ARG002  # as every walk
        """Make `touched`."""
        connection.execute(_SQL["chunk"])
