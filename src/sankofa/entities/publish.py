"""How organisations become edition rows: who answers, under which names, by which identifiers."""

from __future__ import annotations

from sankofa.editions.provenance import keep_provenance
from sankofa.editions.reconcile import Changes, ServingTable, reconcile
from sankofa.entities.rules import Rules
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

# An organisation that is no more was merged into another, or nobody states it any longer.
_GONE = (
    "CASE WHEN was.service_id IN (SELECT service_id FROM touched WHERE survivor <> service_id)"
    " THEN 'merged' ELSE 'withdrawn' END"
)
ORGANISATIONS = ServingTable(
    name="organisation",
    columns=(
        "service_id",
        "decision_id",
        "provenance_id",
        "legal_name",
        "search_name",
        "jurisdiction",
        "lei",
        "status",
        "established_by",
        "rule_version",
        "location",
        "known_from",
        "name_as_of",
    ),
    identity="service_id",
    unseen=("decision_id",),
    gone=_GONE,
)
NAMES = ServingTable(
    name="organisation_name",
    columns=(
        "service_id",
        "decision_id",
        "name_id",
        "provenance_id",
        "known_from",
        "known_until",
        "name_as_of",
        "legal_name",
        "jurisdiction",
        "location",
    ),
    identity="name_id",
    unseen=("decision_id",),
    gone=_GONE,
)
IDENTIFIERS = ServingTable(
    name="identifier",
    columns=(
        "service_id",
        "claim_id",
        "provenance_id",
        "valid_from",
        "valid_to",
        "id_type",
        "issuer",
        "id_value",
        "location",
    ),
    identity="claim_id",
    gone="'withdrawn'",
    changed="CASE WHEN was.valid_to IS DISTINCT FROM now.valid_to THEN 'withdrawn' ELSE 'corrected' END",
)
IDS = ServingTable(
    name="issued_id",
    columns=("service_id", "resolves_to"),
    identity="service_id",
    changed="'merged'",
)
_TARGETS = (
    ("target_organisations", ORGANISATIONS),
    ("target_names", NAMES),
    ("target_identifiers", IDENTIFIERS),
)
# Raised when `name_versions.sql` computes other names from the same records.
_NAMES_VERSION = "1"
_SQL = named(__package__, "publish.sql") | named(__package__, "name_versions.sql")


class Entities:
    """Organisations, their names and identifiers, shown by one version of the organisation rules."""

    name = "entities"
    tables = (ORGANISATIONS, NAMES, IDENTIFIERS, IDS)

    def __init__(self, rules: Rules) -> None:
        self._version = rules.version

    def versions(self) -> dict[str, str]:
        """Return the versions of the organisation rules and of how names are dated."""
        return {"organisation_rules": self._version, "organisation_names": _NAMES_VERSION}

    def install(self, connection: Connection) -> None:
        """Do nothing: the rules are read in Python."""

    def touch_for_rules(self, connection: Connection, before: dict[str, str]) -> None:
        """Touch everybody when the rules have changed."""
        if before and any(before.get(part) != version for part, version in self.versions().items()):
            connection.execute(_SQL["touch_all"])

    def publish(self, connection: Connection, edition: int) -> Changes:
        """Bring the touched organisations to what sources state of them now."""
        changes = Changes()
        connection.execute(_SQL["vintages"])
        connection.execute("ANALYZE vintage")
        # From here on every input is as small as the chunk: hash joins, whatever the planner guesses of CTEs.
        connection.execute("SET LOCAL enable_nestloop = off")
        connection.execute(_SQL["name_versions"])
        for target, table in _TARGETS:
            connection.execute("SET LOCAL enable_nestloop = off")
            connection.execute(_SQL[target])
            connection.execute("SET LOCAL enable_nestloop = on")
            keep_provenance(connection, method="register")
            changes.add(reconcile(connection, table, edition))
        connection.execute(_SQL["target_ids"])
        reconcile(connection, IDS, edition)
        return changes
