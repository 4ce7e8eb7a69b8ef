"""Publish filings and the places of their issuers, beside the facts."""

from __future__ import annotations

from sankofa.editions.provenance import keep_filed_provenance
from sankofa.editions.reconcile import reconcile
from sankofa.fundamentals.dataset import FILINGS, PLACES
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__, "filed.sql")


def note_changed_values(connection: Connection) -> None:
    """Count the values that each filing changed, from `target`, the facts of the coming edition."""
    connection.execute(_SQL["changed_values"])


def publish_filings(connection: Connection, edition: int) -> None:
    """Reconcile the filings and places of the touched issuers with `reported_value`."""
    connection.execute(_SQL["target_filings"])
    keep_filed_provenance(connection)
    reconcile(connection, FILINGS, edition)
    connection.execute(_SQL["target_places"])
    reconcile(connection, PLACES, edition)
