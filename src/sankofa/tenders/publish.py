"""How contracting processes become edition rows: releases, their texts, values, and what signals count."""

from __future__ import annotations

from sankofa.editions.provenance import keep_provenance
from sankofa.editions.reconcile import Changes, reconcile
from sankofa.editions.walk import Step
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named
from sankofa.tenders.categories import CategoryRule, category_rules, rules_version
from sankofa.tenders.dataset import DATASET, EVENTS, FACTS, RELEASES, TEXTS

_SQL = named(__package__, "publish.sql") | named(__package__, "values.sql") | named(__package__, "events.sql")
# Statements that gather a chunk from the ledger, and what the planner must know of each: keys, not contents.
_GATHERED = (
    ("contents", "content (release_key, content)"),
    ("sightings", "sighting (release_key, content)"),
    ("mentions", "mention (release_key, content, service_id)"),
    ("named", "named (release_key, content)"),
)


class Tenders(Step):
    """Releases, their texts, values and events."""

    dataset = DATASET

    def versions(self) -> dict[str, str]:
        """Return the version of the rules by which codes of items tell a category."""
        return {"tender_categories": rules_version()}

    def touch_for_rules(self, connection: Connection, before: dict[str, str]) -> None:
        """Touch every process when these rules have changed."""
        if before and before.get("tender_categories") != rules_version():
            connection.execute(_SQL["touch_all"])

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
        connection.execute(_SQL["awards_in_time"])
        connection.execute("ANALYZE stated_award (process_key, award)")
        connection.execute(_SQL["values_in_time"])
        connection.execute("ANALYZE stated_value")
        connection.execute(_SQL["target_facts"])
        changes.add(reconcile(connection, FACTS, edition))
        connection.execute(_SQL["answering"])
        connection.execute("ANALYZE answering")
        rules = zip(*category_rules(), strict=True)
        named_rules = zip(CategoryRule._fields, map(list, rules), strict=True)
        connection.execute(_SQL["category_rules"], dict(named_rules))
        connection.execute(_SQL["categories"])
        connection.execute("ANALYZE categorised")
        connection.execute(_SQL["target_events"])
        reconcile(connection, EVENTS, edition)
        return changes
