"""Publish organisations as edition rows: ids, names and identifiers."""

from __future__ import annotations

from typing import Protocol

from sankofa.editions.provenance import keep_filed_provenance, keep_provenance
from sankofa.editions.reconcile import Changes, reconcile
from sankofa.editions.walk import Step
from sankofa.entities.dataset import (
    DATASET,
    EARLIER_IDENTIFIERS,
    IDENTIFIERS,
    IDS,
    ISSUERS,
    NAMES,
    ORGANISATIONS,
)
from sankofa.entities.names import search_key
from sankofa.entities.rules import Rules
from sankofa.storage.postgres import Connection, copy_line
from sankofa.storage.queries import named

_TARGETS = (
    ("target_organisations", ORGANISATIONS),
    ("target_names", NAMES),
    ("target_identifiers", IDENTIFIERS),
    ("target_earlier_identifiers", EARLIER_IDENTIFIERS),
)
# Raised when `name_versions.sql` computes other names from the same records.
_NAMES_VERSION = "4"
_SQL = named(__package__, "publish.sql") | named(__package__, "name_versions.sql")


class Mentions(Protocol):
    """Sets the dates of names that are only mentioned, such as in releases of tenders."""

    def touch(self, connection: Connection) -> None:
        """Mark subjects whose mentions may have other dates in the coming edition."""

    def date(self, connection: Connection) -> None:
        """Set the dates of the mentions in `vintage`."""


class Entities(Step):
    """Organisations, their names and identifiers, under one version of the organisation rules."""

    dataset = DATASET

    def __init__(self, rules: Rules, mentions: Mentions) -> None:
        self._version = rules.version
        self._mentions = mentions

    def versions(self) -> dict[str, str]:
        """Return the versions of the organisation rules and of the dating of names."""
        return {"organisation_rules": self._version, "organisation_names": _NAMES_VERSION}

    def touch_for_rules(self, connection: Connection, before: dict[str, str]) -> None:
        """Mark all subjects if the rules have changed, otherwise those whose names may have other dates."""
        if before and any(before.get(part) != version for part, version in self.versions().items()):
            connection.execute(_SQL["touch_all"])
        else:
            self._mentions.touch(connection)

    def publish(self, connection: Connection, edition: int) -> Changes:
        """Update the touched organisations to the present statements of the sources."""
        changes = Changes()
        connection.execute(_SQL["vintages"])
        connection.execute("ANALYZE vintage")
        self._mentions.date(connection)
        connection.execute(_SQL["disputed"])
        connection.execute(_SQL["filings"])
        connection.execute("ANALYZE filed")
        # From here on every input is as small as the chunk: force hash joins, as the planner misestimates
        # CTEs.
        connection.execute("SET LOCAL enable_nestloop = off")
        connection.execute(_SQL["name_versions"])
        connection.execute(_SQL["identifier_versions"])
        connection.execute(_SQL["target_name_provenance"])
        keep_provenance(connection, method="register")
        connection.execute("DROP TABLE target")
        _keep_search_names(connection)
        for target, table in _TARGETS:
            connection.execute("SET LOCAL enable_nestloop = off")
            connection.execute(_SQL[target])
            connection.execute("SET LOCAL enable_nestloop = on")
            keep_provenance(connection, method="register")
            changes.add(reconcile(connection, table, edition))
        connection.execute(_SQL["target_issuers"])
        keep_filed_provenance(connection)
        changes.add(reconcile(connection, ISSUERS, edition))
        connection.execute(_SQL["target_ids"])
        reconcile(connection, IDS, edition)
        return changes


def _keep_search_names(connection: Connection) -> None:
    """Fill `search_name` with the search keys of the chunk's former names."""
    names = [str(row[0]) for row in connection.execute(_SQL["former_names"])]
    connection.execute(_SQL["search_names"])
    with connection.cursor() as cursor, cursor.copy(_SQL["copy_search_names"]) as copy:
        for name in names:
            copy.write(copy_line(name, search_key(name)))
