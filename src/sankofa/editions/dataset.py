"""What a domain tells the publisher: its tables, its rules, and what its touched keys should look like."""

from __future__ import annotations

from typing import Protocol

from sankofa.editions.reconcile import Changes, ServingTable
from sankofa.storage.postgres import Connection


class Dataset(Protocol):
    """One dataset of the service, as the publisher sees it."""

    @property
    def name(self) -> str:
        """The dataset's SKU."""

    @property
    def tables(self) -> tuple[ServingTable, ...]:
        """Its tables of edition rows, in the order they are written."""

    def versions(self) -> dict[str, str]:
        """Return the versions of the rules its rows are computed from, by part."""

    def install(self, connection: Connection) -> None:
        """Put the present rules where SQL can read them."""

    def touch_for_rules(self, connection: Connection, before: dict[str, str]) -> None:
        """Add to `touched_subject` every subject that a change of rules since `before` may concern."""

    def publish(self, connection: Connection, edition: int) -> Changes:
        """Reconcile the keys of `touched` at `edition`."""
