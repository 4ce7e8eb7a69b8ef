"""Publish fundamentals: install the line-item map and compute the target of `publish.sql`."""

from __future__ import annotations

from sankofa.editions.provenance import keep_filed_provenance
from sankofa.editions.reconcile import Changes, reconcile
from sankofa.editions.walk import Step
from sankofa.fundamentals import labels
from sankofa.fundamentals.dataset import DATASET, FACTS
from sankofa.fundamentals.filed import note_changed_values, publish_filings
from sankofa.fundamentals.line_items import MapEntry, map_version
from sankofa.storage.postgres import Connection, sql
from sankofa.storage.queries import named, whole

_SQL = named(__package__, "rules.sql") | named(__package__, "days.sql")
# What the statements below join and group by. The other columns are wide, and sampling them costs more.
_ANALYZE = (
    "ANALYZE reported_value (service_id, subject_id, filing_number, accession, filing_id, concept_id,"
    " period_start, period_end, is_rounded)"
)
_TARGET = sql.SQL(
    "CREATE TEMPORARY TABLE target ON COMMIT DROP AS "
    "SELECT row_number() OVER () AS target_id, computed.* FROM ({}) AS computed"
).format(sql.SQL(whole(__package__, "publish.sql")))


class Fundamentals(Step):
    """Publishes the values that issuers reported, computed with one line-item map."""

    dataset = DATASET

    def __init__(self, entries: tuple[MapEntry, ...]) -> None:
        self._entries = entries
        self._version = map_version(entries)

    def versions(self) -> dict[str, str]:
        """Return the versions of the line-item map and of the rules for labels."""
        return {"line_items": self._version, "fiscal_labels": labels.VERSION}

    def install(self, connection: Connection) -> None:
        """Insert the map into the table that SQL reads, unless this version is there."""
        if connection.execute(_SQL["has_map"], {"map_version": self._version}).fetchone():
            return
        concepts = [entry.concept for entry in self._entries]
        conditions = {one for entry in self._entries for one in (*entry.unless, *entry.when)}
        connection.execute(_SQL["insert_concepts"], {"concepts": sorted({*concepts, *conditions})})
        connection.execute(
            _SQL["install_map"],
            {
                "map_version": self._version,
                "line_items": [entry.line_item for entry in self._entries],
                "ranks": [entry.rank for entry in self._entries],
                "concepts": concepts,
                "kinds": [entry.kind for entry in self._entries],
                "unless": [" ".join(entry.unless) for entry in self._entries],
                "needs": [" ".join(entry.when) for entry in self._entries],
            },
        )

    def touch_for_rules(self, connection: Connection, before: dict[str, str]) -> None:
        """Touch issuers that reported a concept whose place in the map changed; all if the labels changed."""
        if before and before.get("fiscal_labels") != labels.VERSION:
            connection.execute(_SQL["touch_all"])
        elif "line_items" in before and before["line_items"] != self._version:
            connection.execute(
                _SQL["touch_changed_concepts"],
                {"before": before["line_items"], "now": self._version},
            )

    def publish(self, connection: Connection, edition: int) -> Changes:
        """Compute the touched issuers' facts anew and reconcile serving with them."""
        connection.execute(_SQL["reported_values"], {"map_version": self._version})
        connection.execute(_ANALYZE)
        connection.execute(_SQL["join_sources"])
        connection.execute(_SQL["mend_days"])
        connection.execute(_SQL["declarations"])
        connection.execute(_SQL["own_periods"])
        connection.execute("ANALYZE declaration, own_period")
        labels.label_periods(connection)
        # From here on every input is as small as the chunk: hash joins, whatever the planner guesses of CTEs.
        connection.execute("SET LOCAL enable_nestloop = off")
        connection.execute(_TARGET, {"map_version": self._version})
        connection.execute("SET LOCAL enable_nestloop = on")
        keep_filed_provenance(connection)
        note_changed_values(connection)
        changes = reconcile(connection, FACTS, edition)
        publish_filings(connection, edition)
        return changes
