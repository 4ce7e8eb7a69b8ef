"""How series become edition rows: which source serves a key, and every vintage of its values."""

from __future__ import annotations

import hashlib

from sankofa.editions.provenance import keep_provenance
from sankofa.editions.reconcile import Changes, reconcile
from sankofa.editions.walk import Step
from sankofa.macro.dataset import DATASET, SERIES, VALUES
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

# Which source serves a key that several state from the same day on, or by year: who publishes a figure goes
# before who repeats it, and a source that is not listed comes after all that are, by its name.
PREFERENCE = ("world-bank", "ecb", "cbk-fx", "cbk-inflation", "alfred-gdp")

_RULE = "first begun"  # changed with the rule by which a source is chosen or a value gets its unit
_SQL = named(__package__, "publish.sql")


class Macro(Step):
    """Series and their values."""

    dataset = DATASET

    def __init__(self, preference: tuple[str, ...] = PREFERENCE) -> None:
        self._preference = preference
        self._version = hashlib.sha256("|".join((_RULE, *preference)).encode()).hexdigest()[:16]

    def versions(self) -> dict[str, str]:
        """Return the version of the rules and of the order of preference."""
        return {"series_sources": self._version}

    def touch_for_rules(self, connection: Connection, before: dict[str, str]) -> None:
        """Touch the keys that other rules may serve otherwise."""
        if "series_sources" in before and before["series_sources"] != self._version:
            connection.execute(_SQL["touch_ambiguous"])

    def publish(self, connection: Connection, edition: int) -> Changes:
        """Bring the touched series to what the source that serves them states now."""
        connection.execute(_SQL["serving_source"], {"preference": list(self._preference)})
        connection.execute("ANALYZE chosen")
        connection.execute(_SQL["by_index"])
        connection.execute(_SQL["snapshots"])
        connection.execute(_SQL["stated"])
        connection.execute(_SQL["by_plan"])
        connection.execute(_SQL["ordered"])
        connection.execute("ANALYZE ordered, stated")
        connection.execute(_SQL["target_series"])
        connection.execute(_SQL["described"])
        reconcile(connection, SERIES, edition)
        connection.execute(_SQL["target_values"])
        keep_provenance(connection, method="series")
        return reconcile(connection, VALUES, edition)
