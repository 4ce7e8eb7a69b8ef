"""How filings, and the places of their issuers, become edition rows beside the facts."""

from __future__ import annotations

from sankofa.editions.provenance import keep_filed_provenance
from sankofa.editions.reconcile import reconcile
from sankofa.fundamentals.dataset import FILINGS, PLACES
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__, "filed.sql")


def note_changed_values(connection: Connection) -> None:
    """Count by filing what `target`, the facts to come, says that it changed."""
    connection.execute(_SQL["changed_values"])


def publish_filings(connection: Connection, edition: int) -> None:
    """Bring the filings of the touched issuers, and where these were, to what `stated` holds."""
    connection.execute(_SQL["target_filings"])
    keep_filed_provenance(connection)
    reconcile(connection, FILINGS, edition)
    connection.execute(_SQL["target_places"])
    reconcile(connection, PLACES, edition)
