"""The declaration of a dataset. Publish, seals, feed, bulk files, quality and docs are derived from it.

`dataset.py` of a domain holds the declaration, and `sankofa/datasets.py` lists them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

EXACT = "DECIMAL(38,12)"

TakedownKind = Literal["organisation", "names", "fact"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ServingTable:
    """A serving table: the keys of its rows, how versions are matched, and the reasons of changes."""

    name: str
    # The columns with their meaning, in table order, except row_id, the edition columns and reason.
    columns: Mapping[str, str]
    identity: tuple[str, ...]  # the columns that identify a row across versions
    key: str = "service_id"  # the column by which keys are touched
    cluster: tuple[str, ...] = ("service_id",)  # rows that are read together are written together
    # Columns with the first day on which a row was known, and the first on which it was not any more.
    known: tuple[str, ...] = ()
    days: tuple[str, ...] = ()  # other columns that answers compare with the edition's day
    changes_daily: bool = False  # its answers change with the day itself: no day of a row is recorded
    unseen: tuple[str, ...] = ()  # columns that are not served: a change of these alone makes no new version
    changed: str = "'corrected'"  # SQL over `was` and `now`, two versions of a row
    fresh: str = "'added'"  # SQL over `now`, a new row
    gone: str = "'corrected'"  # SQL over `was`, a removed row
    taken_down: tuple[TakedownKind, ...] = ()  # kinds of takedown that remove rows; `ops.takedown_reach`

    @property
    def due(self) -> tuple[str, ...]:
        """Columns of days whose arrival changes answers."""
        return () if self.changes_daily else (*self.known, *self.days)


class LedgerTable(NamedTuple):
    """A table of the ledger, and which of its rows an edition takes in."""

    table: str
    document: str = ""  # the column that names the document which a row comes from
    condition: str = ""  # SQL over `stood`, if another condition decides

    @property
    def rows(self) -> str:
        """SQL over `stood` that selects the rows an edition takes in."""
        return self.condition or f"stood.{self.document} = ANY(%(accepted)s)"


class BulkColumn(NamedTuple):
    """A column of bulk files."""

    name: str
    type: str
    meaning: str = ""  # if it differs from the meaning of the column in the facts


class Joined(NamedTuple):
    """A serving table that facts are joined with in bulk files."""

    table: str
    row: str  # the column of the view that holds its row id
    step: int = 2_000  # rows per statement; each is joined by many facts


@dataclass(frozen=True, slots=True, kw_only=True)
class Bulk:
    """A table of the bulk export: a view of `serving` over its facts, with all rows of all editions."""

    name: str
    about: str
    facts: ServingTable  # the table whose row ids name its rows
    view: str
    columns: tuple[BulkColumn, ...]
    order: str
    joined: tuple[Joined, ...] = ()
    # Columns with a country's alpha-3 code, each with a column of the view that begins with its alpha-2 code.
    alpha3_of: Mapping[str, str] = field(default_factory=dict)
    rests_on: str = ""  # the table whose licence it has, if its rows name none

    def meaning(self, column: BulkColumn) -> str:
        """Return the meaning of a column of its files."""
        return column.meaning or self.facts.columns[column.name]


def place(row: str, held: str) -> tuple[BulkColumn, ...]:
    """Return the first columns of every bulk file."""
    return (
        BulkColumn("row_id", "BIGINT", row),
        BulkColumn("published_in", "INTEGER", held),
        BulkColumn(
            "reason", "VARCHAR", "Why that edition put it: added, restated, renumbered, corrected or merged."
        ),
    )


def origin(where: str, fact_id: str = "Hash that never changes.") -> tuple[BulkColumn, ...]:
    """Return the provenance columns of every bulk file."""
    return (
        BulkColumn("source_ref", "VARCHAR", where),
        BulkColumn("license_class", "VARCHAR", "Licence of the source."),
        BulkColumn("observed_at", "TIMESTAMP WITH TIME ZONE", "When the document was fetched."),
        BulkColumn("extraction_confidence", EXACT, "0 to 1; null where values are read as stated."),
        BulkColumn("method", "VARCHAR", "How it was read."),
        BulkColumn("provenance_id", "VARCHAR", "Where it comes from."),
        BulkColumn("fact_id", "VARCHAR", fact_id),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class QualityKeys:
    """The keys by which quality is counted; the statements are in `quality.sql` of the domain."""

    kind: str
    plural: str  # the unit of coverage
    coverage: str  # what coverage counts
    touched: str  # the table of `build` that lists the keys which an edition looked at
    sampled: str  # the columns by which the labels of a sample name a value
    sampled_as: str = ""  # the pattern of its identifier, if that has two parts and values have no period


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Dataset:
    """One dataset: its tables, the ledger rows behind them, and what is exported."""

    name: str  # the name under which editions count its changes; the SKU, if it is sold
    package: str
    about: str
    tables: tuple[ServingTable, ...]  # in the order they are written
    held: tuple[LedgerTable, ...] = ()  # its tables of the ledger, sealed by each edition that takes rows in
    batches: str = ""  # its table of `ops` with the keys that a batch concerns
    beside: tuple[str, ...] = ()  # its tables of `serving` whose rows belong to no edition alone
    facts: ServingTable | None = None  # the table whose rows the change feed holds
    bulk: tuple[Bulk, ...] = ()
    counted: QualityKeys | None = None
