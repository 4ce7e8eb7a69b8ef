"""How the catalogue's counts become edition rows: issuers by shelf, and sources with their documents.

Each is a walk of its own, after the one over organisations: a shelf is counted once, whoever was touched.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sankofa.editions.reconcile import Changes, ServingTable, reconcile
from sankofa.editions.walk import Chunk, Dataset, RulelessDataset
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

COVERAGE = ServingTable(
    name="coverage",
    columns=(
        "coverage_id",
        "issuers",
        "first_date",
        "last_date",
        "shelf",
        "kind",
        "key",
        "country",
        "license_classes",
    ),
    identity="coverage_id",
    key="shelf",
    cluster=("kind", "key"),
    gone="'withdrawn'",
)
SOURCES = ServingTable(
    name="source",
    columns=(
        "documents",
        "first_fetched_at",
        "last_fetched_at",
        "source",
        "publisher",
        "country",
        "license_class",
    ),
    identity="source",
    key="source",
    cluster=("source",),
    gone="'withdrawn'",
)
_SQL = named(__package__, "publish.sql")


class Coverage(RulelessDataset):
    """How many issuers each country has for a line item, a metric or an exchange."""

    name = "coverage"
    tables = (COVERAGE,)

    @property
    def datasets(self) -> tuple[Dataset, ...]:
        """Itself: a shelf holds nothing else."""
        return (self,)

    def touch(self, connection: Connection, _edition: int, _before: dict[str, str]) -> Sequence[Chunk]:
        """Return the shelves of the organisations that the walk before this one looks at."""
        shelves = [str(row[0]) for row in connection.execute(_SQL["touched_shelves"])]
        return [Chunk("", shelf) for shelf in shelves]

    def enter(self, connection: Connection, chunk: Chunk) -> None:
        """Make `touched`: one shelf."""
        connection.execute(_SQL["enter_shelf"], {"key": chunk.until})

    def publish(self, connection: Connection, edition: int) -> Changes:
        """Count the shelf anew."""
        connection.execute(_SQL["target_coverage"])
        return reconcile(connection, COVERAGE, edition)


class ServedSource(NamedTuple):
    """A source that may be served, as the catalogue shows it."""

    name: str
    publisher: str
    country: str
    license_class: str


class Sources(RulelessDataset):
    """The sources that an edition rests on."""

    name = "sources"
    tables = (SOURCES,)

    def __init__(self, served: Iterable[ServedSource]) -> None:
        self._served = sorted(served)
        said = "\n".join("|".join(source) for source in self._served)
        self._version = hashlib.sha256(said.encode()).hexdigest()[:12]

    @property
    def datasets(self) -> tuple[Dataset, ...]:
        """Itself: a source has nothing else."""
        return (self,)

    def versions(self) -> dict[str, str]:
        """Return the version of what is said of sources."""
        return {"sources": self._version}

    def touch(self, connection: Connection, edition: int, before: dict[str, str]) -> Sequence[Chunk]:
        """Return the sources that have something new, or all when what is said of them has changed."""
        has_changed = bool(before) and before.get("sources") != self._version
        statement = _SQL["served_sources" if has_changed else "touched_sources"]
        asked = {} if has_changed else {"edition": edition}
        return [Chunk("", str(row[0])) for row in connection.execute(statement, asked)]

    def enter(self, connection: Connection, chunk: Chunk) -> None:
        """Make `touched`: one source."""
        connection.execute(_SQL["enter_source"], {"key": chunk.until})

    def publish(self, connection: Connection, edition: int) -> Changes:
        """Bring the source to what the edition holds of it."""
        names, publishers, countries, licenses = (
            (list(column) for column in zip(*self._served, strict=True)) if self._served else ([], [], [], [])
        )
        told = {"sources": names, "publishers": publishers, "countries": countries, "licenses": licenses}
        connection.execute(_SQL["target_sources"], told)
        return reconcile(connection, SOURCES, edition)
