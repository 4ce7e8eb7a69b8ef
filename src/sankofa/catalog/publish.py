"""Publish the catalogue's counts as edition rows: issuers by shelf, and sources with their documents.

Each is a separate walk after that over organisations, so that a shelf is counted once per edition.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sankofa.catalog.dataset import COVERAGE, SERVED, SHELVES, SOURCES
from sankofa.editions.reconcile import Changes, reconcile
from sankofa.editions.walk import Chunk, Step, Walk
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__, "publish.sql")


class IssuerCounts(Step):
    """The number of issuers per country for each line item, metric and exchange."""

    dataset = COVERAGE

    def publish(self, connection: Connection, edition: int) -> Changes:
        """Update the counts of the shelf: by what its touched issuers changed, if that is enough."""
        connection.execute(_SQL["moved"], {"edition": edition})
        must_be_recounted = connection.execute(_SQL["must_be_recounted"]).fetchone() is not None
        connection.execute(_SQL["target_recounted" if must_be_recounted else "target_by_difference"])
        return reconcile(connection, SHELVES, edition)


class Coverage(Walk):
    """The walk over shelves of issuers; each shelf is a thirty-second of all issuers."""

    name = "coverage"
    steps: tuple[Step, ...] = (IssuerCounts(),)
    reads = ("touched_id",)

    def touch(self, connection: Connection, _edition: int, _before: dict[str, str]) -> Sequence[Chunk]:
        """Return the shelves of the touched organisations."""
        shelves = [str(row[0]) for row in connection.execute(_SQL["touched_shelves"])]
        return [Chunk("", shelf) for shelf in shelves]

    def enter(self, connection: Connection, chunk: Chunk) -> None:
        """Fill `touched` with one shelf."""
        connection.execute(_SQL["enter_shelf"], {"key": chunk.until})


class ServedSource(NamedTuple):
    """A source that may be served, with its fields in the catalogue."""

    name: str
    publisher: str
    country: str
    license_class: str


class SourceCounts(Step):
    """The sources of an edition, with their documents."""

    dataset = SOURCES

    def __init__(self, served: Iterable[ServedSource]) -> None:
        self._served = sorted(served)
        listed = "\n".join("|".join(source) for source in self._served)
        self._version = hashlib.sha256(listed.encode()).hexdigest()[:12]

    def versions(self) -> dict[str, str]:
        """Return the version of the source descriptions."""
        return {"sources": self._version}

    def has_changed(self, before: dict[str, str]) -> bool:
        """Return whether the source descriptions differ from those of the previous edition."""
        return bool(before) and before.get("sources") != self._version

    def publish(self, connection: Connection, edition: int) -> Changes:
        """Update the row of the source to the contents of the edition."""
        names, publishers, countries, licenses = (
            (list(column) for column in zip(*self._served, strict=True)) if self._served else ([], [], [], [])
        )
        values = {"sources": names, "publishers": publishers, "countries": countries, "licenses": licenses}
        connection.execute(_SQL["target_sources"], values | {"edition": edition})
        return reconcile(connection, SERVED, edition)


class Sources(Walk):
    """The walk over the sources of an edition; each is a chunk."""

    name = "sources"
    reads = ("set_aside",)

    def __init__(self, served: Iterable[ServedSource]) -> None:
        self._counts = SourceCounts(served)
        self.steps = (self._counts,)

    def touch(self, connection: Connection, edition: int, before: dict[str, str]) -> Sequence[Chunk]:
        """Return the sources with new documents, or all if their descriptions have changed."""
        has_changed = self._counts.has_changed(before)
        statement = _SQL["served_sources" if has_changed else "touched_sources"]
        values = {} if has_changed else {"edition": edition}
        return [Chunk("", str(row[0])) for row in connection.execute(statement, values)]

    def enter(self, connection: Connection, chunk: Chunk) -> None:
        """Fill `touched` with one source."""
        connection.execute(_SQL["enter_source"], {"key": chunk.until})
