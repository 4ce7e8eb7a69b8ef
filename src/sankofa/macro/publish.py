"""Publish series as edition rows: choose the source of each value, and publish every vintage."""

from __future__ import annotations

import hashlib

from sankofa.editions.provenance import keep_provenance
from sankofa.editions.reconcile import Changes, reconcile
from sankofa.editions.walk import Step
from sankofa.macro.dataset import DATASET, SERIES, VALUES
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

# The original publisher has priority over sources that repeat its figures. Sources of one group hold the
# figures of one publisher: the newest serves, so that an old document hides no newer copy. Unlisted sources
# come last, ordered by name.
AUTHORITY = (
    (
        *("world-bank", "datahub-gdp", "datahub-population", "datahub-deflator"),
        *("datahub-cpi", "datahub-cpi-change"),
    ),
    ("wdi-archives",),  # its days are ends of months, so a dated table of the Bank's precedes it
    ("ecb",),
    ("cbk-fx",),
    ("cbk-inflation",),
    ("alfred-gdp",),
)

_RULE = "by observation"  # raised when the choice of a source or of a unit changes
_SQL = named(__package__, "publish.sql")


class Macro(Step):
    """Series and their values."""

    dataset = DATASET

    def __init__(self, authority: tuple[tuple[str, ...], ...] = AUTHORITY) -> None:
        self._places = [(source, place) for place, group in enumerate(authority) for source in group]
        ranked = (f"{place} {source}" for source, place in self._places)
        self._version = hashlib.sha256("|".join((_RULE, *ranked)).encode()).hexdigest()[:16]

    def versions(self) -> dict[str, str]:
        """Return the version of the rules and of the order of authority."""
        return {"series_sources": self._version}

    def touch_for_rules(self, connection: Connection, before: dict[str, str]) -> None:
        """Mark the keys that a change of rules may affect."""
        if "series_sources" in before and before["series_sources"] != self._version:
            connection.execute(_SQL["touch_ambiguous"])

    def publish(self, connection: Connection, edition: int) -> Changes:
        """Update the touched series to the present statements of their sources."""
        listed = {
            "sources": [source for source, _ in self._places],
            "places": [place for _, place in self._places],
        }
        connection.execute(_SQL["candidates"], listed)
        connection.execute(_SQL["one_frequency"])
        connection.execute("ANALYZE candidate")
        connection.execute(_SQL["by_index"])
        connection.execute(_SQL["snapshots"])
        connection.execute(_SQL["ledger_value"])
        connection.execute(_SQL["by_plan"])
        connection.execute(_SQL["ordered"])
        connection.execute("ANALYZE ordered, ledger_value")
        connection.execute(_SQL["reported"])
        connection.execute("ANALYZE reported")
        connection.execute(_SQL["target_series"])
        connection.execute(_SQL["described"])
        reconcile(connection, SERIES, edition)
        connection.execute(_SQL["target_values"])
        keep_provenance(connection, method="series")
        return reconcile(connection, VALUES, edition)
