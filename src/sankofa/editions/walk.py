"""What a domain tells the publisher: its tables and rules, and which of its keys an edition must look at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from sankofa.editions.reconcile import Changes, ServingTable
from sankofa.storage.postgres import Connection


class Dataset(Protocol):
    """Rows of one kind, as the publisher sees them."""

    @property
    def name(self) -> str:
        """What an edition calls it when it tells its changes."""

    @property
    def tables(self) -> tuple[ServingTable, ...]:
        """Its tables of edition rows, in the order they are written."""

    def versions(self) -> dict[str, str]:
        """Return the versions of the rules its rows are computed from, by part."""

    def install(self, connection: Connection) -> None:
        """Put the present rules where SQL can read them."""

    def touch_for_rules(self, connection: Connection, before: dict[str, str]) -> None:
        """Touch every key of the walk that a change of rules since `before` may concern."""

    def publish(self, connection: Connection, edition: int) -> Changes:
        """Reconcile the keys of the chunk that the walk has entered, at `edition`."""


class Chunk(NamedTuple):
    """Some of the touched keys: those after one and up to another, in the keys' own order."""

    after: str
    until: str


def chunks(bounds: Sequence[str], start: str = "") -> list[Chunk]:
    """Return the chunks that end at each of some keys; `start` is below all keys."""
    return [Chunk(after, until) for after, until in zip([start, *bounds], bounds, strict=False)]


class Walk(Protocol):
    """Keys that are published together, some at a time: organisations, series, releases."""

    @property
    def datasets(self) -> tuple[Dataset, ...]:
        """What is published of each key, in order."""

    def touch(self, connection: Connection, edition: int, before: dict[str, str]) -> Sequence[Chunk]:
        """Find the keys that what `edition` holds, or changed rules, concern; return them in chunks."""

    def enter(self, connection: Connection, chunk: Chunk) -> None:
        """Make the temporary tables that the datasets read, for one chunk; `touched` holds its keys."""


class RulelessDataset:
    """What a dataset says of rules that has none: its rows follow from what sources state."""

    def versions(self) -> dict[str, str]:
        """Return nothing: there are no rules."""
        return {}

    def install(self, connection: Connection) -> None:
        """Do nothing: there are no rules."""

    def touch_for_rules(self, connection: Connection, before: dict[str, str]) -> None:
        """Touch nothing: there are no rules that could change."""
