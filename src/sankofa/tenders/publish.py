"""Publish contracting processes as edition rows: releases, texts, values, and events for signals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from sankofa.editions.provenance import keep_provenance
from sankofa.editions.reconcile import Changes, reconcile
from sankofa.editions.walk import Step
from sankofa.storage.postgres import Connection, copy_line
from sankofa.storage.queries import named
from sankofa.tenders.categories import CategoryRule, category_rules, rules_version
from sankofa.tenders.dataset import DATASET, EVENTS, FACTS, RELEASES, TEXTS
from sankofa.tenders.marks import VERSION, Content, marks, marks_with_words
from sankofa.tenders.model import Body

_SQL = named(__package__, "publish.sql") | named(__package__, "values.sql") | named(__package__, "events.sql")
_BODY = msgspec.json.Decoder(Body)
_PARTIES = msgspec.json.Decoder(list[tuple[str, list[str]]])
# Statements that gather a chunk from the ledger, each with the key columns to analyse.
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
        """Return the versions of the rules for categories and for marks."""
        return {"tender_categories": rules_version(), "tender_marks": VERSION}

    def touch_for_rules(self, connection: Connection, before: dict[str, str]) -> None:
        """Mark every process if these rules have changed."""
        if before and any(before.get(name) != version for name, version in self.versions().items()):
            connection.execute(_SQL["touch_all"])

    def publish(self, connection: Connection, edition: int) -> Changes:
        """Update the touched processes to the present statements of their portals."""
        for name, analysed in _GATHERED:
            connection.execute(_SQL[name])
            connection.execute(f"ANALYZE {analysed}")
        # From here on every input is as small as the chunk: force hash joins, as the planner misestimates
        # CTEs.
        connection.execute("SET LOCAL enable_nestloop = off")
        connection.execute(_SQL["vintages"])
        connection.execute("SET LOCAL enable_nestloop = on")
        connection.execute("ANALYZE vintage (process_key, release_key)")
        self._mark(connection)
        connection.execute(_SQL["target_releases"])
        keep_provenance(connection, method="ocds")
        changes = reconcile(connection, RELEASES, edition)
        connection.execute(_SQL["target_texts"])
        reconcile(connection, TEXTS, edition)
        connection.execute(_SQL["awards_in_time"])
        connection.execute("ANALYZE reported_award (process_key, award)")
        connection.execute(_SQL["values_in_time"])
        connection.execute("ANALYZE reported_value")
        connection.execute(_SQL["target_facts"])
        changes.add(reconcile(connection, FACTS, edition))
        connection.execute(_SQL["answering"])
        connection.execute("ANALYZE answering")
        connection.execute(_SQL["target_events"])
        reconcile(connection, EVENTS, edition)
        return changes

    def _mark(self, connection: Connection) -> None:
        """Fill `marked` with the search marks of each content."""
        rules = zip(*category_rules(), strict=True)
        named_rules = zip(CategoryRule._fields, map(list, rules), strict=True)
        connection.execute(_SQL["category_rules"], dict(named_rules))
        connection.execute(_SQL["categories"])
        connection.execute("ANALYZE categorised")
        connection.execute(_SQL["marked"])
        contents = connection.execute(_SQL["to_be_marked"]).fetchall()
        with connection.cursor() as cursor, cursor.copy(_SQL["copy_marked"]) as copy:
            for row in contents:
                copy.write(_marked(row))
        connection.execute("ANALYZE marked (fact_id)")


def _marked(row: Sequence[Any]) -> str:
    """Return the line of `marked` for one content."""
    fact_id, country, ocid, sorted_at, body, parties, category, texts = row
    content = Content(
        country, ocid, sorted_at, _BODY.decode(body), _PARTIES.decode(parties), category, texts or ()
    )
    with_words = None if texts is None else _array(marks_with_words(content))
    return copy_line(fact_id, _array(marks(content)), with_words)


def _array(numbers: list[int]) -> str:
    return "{" + ",".join(map(str, numbers)) + "}"
