"""Publish quality as edition rows: recount the touched keys, and update the sums by the differences.

This walk is the last. The counts of each key are stored, so that they are available even if its rows are
gone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from sankofa.datasets import DATASETS
from sankofa.editions.reconcile import Changes, reconcile
from sankofa.editions.walk import Chunk, Step, Walk, chunks
from sankofa.fundamentals.agreement import Agreement
from sankofa.quality.dataset import DATASET, KEYS, RESULTS, TOTALS
from sankofa.quality.measures import FUND, TENDER
from sankofa.storage.postgres import Connection, sql
from sankofa.storage.queries import named

SQL = named(__package__, "publish.sql")
HISTORY = named(__package__, "history.sql")
CHUNK_KEYS = 2_000
BEFORE_ALL = "00000000-0000-0000-0000-000000000000"

# The counted datasets, each with its statements.
COUNTED = {
    dataset.name: (dataset.counted, named(dataset.package, "quality.sql"))
    for dataset in DATASETS
    if dataset.counted
}
_LIST = sql.SQL(
    "INSERT INTO {} (tally_key, kind, name)"
    " SELECT md5({kind} || '|' || one.name)::uuid, {kind}, one.name FROM ({}) AS one"
)


class KeyCounts(Step):
    """The counts of each touched key; used by the publisher and never served."""

    dataset = DATASET

    def __init__(self, skus: Mapping[str, str], fed: Mapping[str, str], golden: str) -> None:
        self._skus = skus
        self._fed = fed
        self._golden = golden

    def publish(self, connection: Connection, edition: int) -> Changes:
        """Recount the keys of the chunk, and record the changes of the sums."""
        connection.execute(SQL["part_tables"])
        connection.execute(HISTORY["turn_table"], {"edition": edition})
        connection.execute("ANALYZE turn")
        count(connection, edition)
        connection.execute(SQL["parts_of_parties"], {"filed": FUND, "mentioned": TENDER})
        connection.execute(SQL["parts_of_batches"], _arrays(self._skus))
        connection.execute(SQL["parts_of_feeds"], _arrays(self._fed))
        connection.execute(SQL["parts_of_agreement"], {"sku": FUND, "counts": self._golden})
        connection.execute(SQL["target_keys"])
        connection.execute(SQL["change_totals"])
        reconcile(connection, KEYS, edition)
        return Changes()


class Tallies(Walk):
    """The walk over the keys that earlier walks touched, and over batches."""

    name = "tallies"
    writes = ("comparison", "tallied", "tally_change")
    reads = (
        *("concerned_batch", "held_document", "set_aside", "touched_id", "judgement"),
        *(counted.touched for counted, _ in COUNTED.values() if counted.touched != "touched_id"),
    )
    runs = tuple(dataset.package for dataset in DATASETS if dataset.counted)

    def __init__(
        self,
        skus: Mapping[str, str],
        versions: Mapping[str, str],
        measured: Agreement | None = None,
        *,
        fed: Mapping[str, str],
    ) -> None:
        counts: dict[str, int] = {}
        if measured and measured.map_version == versions["line_items"]:
            counts = {"golden/compared": measured.compared, "golden/agreed": measured.agreed}
        self._golden = json.dumps({part: n for part, n in counts.items() if n})
        self.steps = (KeyCounts(skus, fed, self._golden),)
        self._fed = fed
        self._versions = versions

    def touch(self, connection: Connection, edition: int, before: dict[str, str]) -> Sequence[Chunk]:
        """Return the keys that earlier walks touched, in chunks."""
        has_same_rules = all(before.get(part) == version for part, version in self._versions.items())
        connection.execute(SQL["comparison"], {"edition": edition, "has_same_rules": has_same_rules})
        connection.execute(SQL["touch_tallied"])
        connection.execute(SQL["touch_agreement"], {"counts": self._golden})
        connection.execute(SQL["touch_feeds"], _arrays(self._fed))
        list_keys(connection, "touched", sql.Identifier("build", "tallied"))
        return chunks(connection, "tallied", "tally_key", CHUNK_KEYS, BEFORE_ALL)

    def enter(self, connection: Connection, chunk: Chunk) -> None:
        """Fill `touched` with the keys of a chunk."""
        connection.execute(SQL["chunk"], {"after": chunk.after, "until": chunk.until})


class Sums(Step):
    """The sums by dataset and country, and the results measured outside publishing."""

    dataset = DATASET

    def publish(self, connection: Connection, edition: int) -> Changes:
        """Update the sums and the latest results."""
        connection.execute(SQL["target_totals"])
        changes = reconcile(connection, TOTALS, edition)
        if connection.execute(SQL["newer_result"]).fetchone():
            connection.execute("DROP TABLE touched")
            connection.execute(SQL["all_results"])
            connection.execute(SQL["target_results"])
            changes.add(reconcile(connection, RESULTS, edition))
        return changes


class Totals(Walk):
    """The walk over the changed sums; one chunk, since they are few."""

    name = "totals"
    steps: tuple[Step, ...] = (Sums(),)
    reads = ("tally_change",)

    def touch(self, connection: Connection, _edition: int, _before: dict[str, str]) -> Sequence[Chunk]:
        """Return one chunk, if any key was counted."""
        row = connection.execute("SELECT 1 FROM build.tally_change LIMIT 1").fetchone()
        return [Chunk("", "totals")] if row else []

    def enter(self, connection: Connection, _chunk: Chunk) -> None:
        """Fill `touched` with the changed sums."""
        connection.execute(SQL["changed_totals"])


def count(connection: Connection, edition: int) -> None:
    """Count the rows of the chunk's keys, then run the comparison `turn`."""
    found = {str(row[0]) for row in connection.execute("SELECT DISTINCT kind FROM touched")}
    for sku, (counted, statements) in COUNTED.items():
        if counted.kind in found:
            connection.execute(statements["count"], {"edition": edition, "sku": sku})
            connection.execute(statements["compare"])
            connection.execute(HISTORY["tally_standing"], {"sku": sku})
            connection.execute("DROP TABLE standing")


def _arrays(skus: Mapping[str, str]) -> dict[str, list[str]]:
    return {"sources": list(skus), "skus": list(skus.values())}


def list_keys(connection: Connection, statement: str, into: sql.Identifier, **values: object) -> int:
    """Insert the keys that a statement of each dataset selects, and return their number."""
    return sum(
        connection.execute(
            _LIST.format(into, sql.SQL(statements[statement]), kind=sql.Literal(counted.kind)), values
        ).rowcount
        for counted, statements in COUNTED.values()
    )
