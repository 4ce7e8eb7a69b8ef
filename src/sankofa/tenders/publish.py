"""How contracting processes become edition rows: releases, their texts, values, and what signals count."""

from __future__ import annotations

from sankofa.editions.provenance import keep_provenance
from sankofa.editions.reconcile import Changes, ServingTable, reconcile
from sankofa.editions.walk import RulelessDataset
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_RESTATED = (
    "CASE WHEN was.known_until <> now.known_until THEN 'restated'"
    " WHEN was.vintage <> now.vintage THEN 'renumbered' ELSE 'corrected' END"
)
_FRESH = "CASE WHEN now.vintage > 1 THEN 'restated' ELSE 'added' END"
# A release is about nobody: it refers to parties by ids that stand for nothing once they are taken down.
# Where a name stands in an id or in text, what holds it goes with whom it names.

RELEASES = ServingTable(
    name="tender_release",
    columns=(
        "fact_id",
        "process_key",
        "provenance_id",
        "sorted_at",
        "available_at",
        "known_until",
        "vintage",
        "has_text",
        "country",
        "source",
        "ocid",
        "release_id",
        "named_in_ids",
        "parties",
        "body",
    ),
    identity="fact_id",
    key="process_key",
    cluster=("country", "sorted_at", "ocid", "release_id"),
    unseen=("named_in_ids",),
    changed=_RESTATED,
    fresh=_FRESH,
)
TEXTS = ServingTable(
    name="tender_text",
    columns=("fact_id", "process_key", "named", "texts"),
    identity="fact_id",
    key="process_key",
    cluster=("process_key",),
)
FACTS = ServingTable(
    name="tender_fact",
    columns=(
        "fact_id",
        "process_key",
        "provenance_id",
        "period_end",
        "available_at",
        "known_until",
        "vintage",
        "measure",
        "country",
        "party",
        "unit",
        "location",
        "named_in_ids",
        "value",
    ),
    identity="fact_id",
    key="process_key",
    cluster=("country", "period_end", "fact_id"),
    unseen=("named_in_ids",),
    changed=_RESTATED,
    fresh=_FRESH,
)
EVENTS = ServingTable(
    name="tender_event",
    columns=(
        "event_id",
        "process_key",
        "provenance_id",
        "month",
        "tenderers",
        "days",
        "kind",
        "country",
        "category",
        "party",
        "currency",
        "value",
    ),
    identity="event_id",
    key="process_key",
    cluster=("country", "month"),
)

_SQL = named(__package__, "publish.sql")
# Statements that gather a chunk from the ledger, and what the planner must know of each: keys, not contents.
_GATHERED = (
    ("contents", "content (release_key, content)"),
    ("sightings", "sighting (release_key, content)"),
    ("mentions", "mention (release_key, content, service_id)"),
    ("named", "named (release_key, content)"),
)


class Tenders(RulelessDataset):
    """The dataset AF-TENDER."""

    name = "AF-TENDER"
    tables = (RELEASES, TEXTS, FACTS, EVENTS)

    def publish(self, connection: Connection, edition: int) -> Changes:
        """Bring the touched processes to what their portals state now."""
        for name, analysed in _GATHERED:
            connection.execute(_SQL[name])
            connection.execute(f"ANALYZE {analysed}")
        # From here on every input is as small as the chunk: hash joins, whatever the planner guesses of CTEs.
        connection.execute("SET LOCAL enable_nestloop = off")
        connection.execute(_SQL["vintages"])
        connection.execute("SET LOCAL enable_nestloop = on")
        connection.execute("ANALYZE vintage (process_key, release_key)")
        connection.execute(_SQL["target_releases"])
        keep_provenance(connection, method="ocds")
        changes = reconcile(connection, RELEASES, edition)
        connection.execute(_SQL["target_texts"])
        reconcile(connection, TEXTS, edition)
        connection.execute(_SQL["values_in_time"])
        connection.execute("ANALYZE stated_value")
        connection.execute(_SQL["target_facts"])
        changes.add(reconcile(connection, FACTS, edition))
        connection.execute(_SQL["answering"])
        connection.execute("ANALYZE answering")
        connection.execute(_SQL["target_events"])
        reconcile(connection, EVENTS, edition)
        return changes
