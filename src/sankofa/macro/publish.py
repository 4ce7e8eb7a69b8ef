"""How series become edition rows: which source serves a key, and every vintage of its values."""

from __future__ import annotations

import hashlib

from sankofa.editions.provenance import keep_provenance
from sankofa.editions.reconcile import Changes, ServingTable, reconcile
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

SERIES = ServingTable(
    name="series",
    columns=(
        "series_key",
        "source",
        "series_type",
        "frequency",
        "country_iso2",
        "country_iso3",
        "unit",
        "indicator",
        "indicator_name",
    ),
    identity="series_key",
    key="series_key",
    cluster=("series_key",),
)
VALUES = ServingTable(
    name="macro_value",
    columns=(
        "fact_id",
        "provenance_id",
        "period_start",
        "period_end",
        "available_at",
        "withdrawn_at",
        "vintage",
        "frequency",
        "country_iso3",
        "series_key",
        "measure",
        "unit",
        "value",
    ),
    identity="fact_id",
    key="series_key",
    cluster=("series_key", "period_end", "vintage"),
    changed=(
        "CASE WHEN was.withdrawn_at IS DISTINCT FROM now.withdrawn_at THEN 'withdrawn'"
        " WHEN was.vintage <> now.vintage THEN 'renumbered' ELSE 'corrected' END"
    ),
    fresh="CASE WHEN now.vintage > 1 THEN 'restated' ELSE 'added' END",
)

# Which source serves a key that several state from the same day on, or by year: who publishes a figure goes
# before who repeats it, and a source that is not listed comes after all that are, by its name.
PREFERENCE = ("world-bank", "ecb", "cbk-fx", "cbk-inflation", "alfred-gdp")

_RULE = "first begun"  # changed with the rule by which a source is chosen or a value gets its unit
_SQL = named(__package__, "publish.sql")


class Macro:
    """The dataset AF-MACRO."""

    name = "AF-MACRO"
    tables = (SERIES, VALUES)

    def __init__(self, preference: tuple[str, ...] = PREFERENCE) -> None:
        self._preference = preference
        self._version = hashlib.sha256("|".join((_RULE, *preference)).encode()).hexdigest()[:16]

    def versions(self) -> dict[str, str]:
        """Return the version of the rules and of the order of preference."""
        return {"series_sources": self._version}

    def install(self, connection: Connection) -> None:
        """Do nothing: the order of preference goes with each question."""

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
