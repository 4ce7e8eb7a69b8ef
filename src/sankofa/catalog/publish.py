"""How the catalogue's counts become edition rows: issuers by shelf, and sources with their documents.

Each is a walk of its own, after the one over organisations: a shelf is counted once, whoever was touched.
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
    """How many issuers each country has for a line item, a metric or an exchange."""

    dataset = COVERAGE

    def publish(self, connection: Connection, edition: int) -> Changes:
        """Count the shelf anew."""
        connection.execute(_SQL["target_coverage"])
        return reconcile(connection, SHELVES, edition)


class Coverage(Walk):
    """Shelves of issuers, each a thirty-second of all."""

    name = "coverage"
    steps: tuple[Step, ...] = (IssuerCounts(),)
    reads = ("touched_id",)

    def touch(self, connection: Connection, _edition: int, _before: dict[str, str]) -> Sequence[Chunk]:
        """Return the shelves of the organisations that were looked at."""
        shelves = [str(row[0]) for row in connection.execute(_SQL["touched_shelves"])]
        return [Chunk("", shelf) for shelf in shelves]

    def enter(self, connection: Connection, chunk: Chunk) -> None:
        """Make `touched`: one shelf."""
        connection.execute(_SQL["enter_shelf"], {"key": chunk.until})


class ServedSource(NamedTuple):
    """A source that may be served, as the catalogue shows it."""

    name: str
    publisher: str
    country: str
    license_class: str


class SourceCounts(Step):
    """The sources that an edition rests on, with their documents."""

    dataset = SOURCES

    def __init__(self, served: Iterable[ServedSource]) -> None:
        self._served = sorted(served)
        listed = "\n".join("|".join(source) for source in self._served)
        self._version = hashlib.sha256(listed.encode()).hexdigest()[:12]

    def versions(self) -> dict[str, str]:
        """Return the version of what the catalogue shows of sources."""
        return {"sources": self._version}

    def has_changed(self, before: dict[str, str]) -> bool:
        """Return whether the catalogue shows something else of sources than it did before."""
        return bool(before) and before.get("sources") != self._version

    def publish(self, connection: Connection, edition: int) -> Changes:
        """Bring the source to what the edition holds of it."""
        names, publishers, countries, licenses = (
            (list(column) for column in zip(*self._served, strict=True)) if self._served else ([], [], [], [])
        )
        values = {"sources": names, "publishers": publishers, "countries": countries, "licenses": licenses}
        connection.execute(_SQL["target_sources"], values | {"edition": edition})
        return reconcile(connection, SERVED, edition)


class Sources(Walk):
    """The sources that an edition rests on; each is a chunk."""

    name = "sources"
    reads = ("set_aside",)

    def __init__(self, served: Iterable[ServedSource]) -> None:
        self._counts = SourceCounts(served)
        self.steps = (self._counts,)

    def touch(self, connection: Connection, edition: int, before: dict[str, str]) -> Sequence[Chunk]:
        """Return the sources that have something new, or all when what is said of them has changed."""
        has_changed = self._counts.has_changed(before)
        statement = _SQL["served_sources" if has_changed else "touched_sources"]
        values = {} if has_changed else {"edition": edition}
        return [Chunk("", str(row[0])) for row in connection.execute(statement, values)]

    def enter(self, connection: Connection, chunk: Chunk) -> None:
        """Make `touched`: one source."""
        connection.execute(_SQL["enter_source"], {"key": chunk.until})
