"""How quality becomes edition rows: touched keys are counted anew, and the sums follow by the difference.

Walked last. What is counted of a key is kept, so that its old counts are known even if its rows are gone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sankofa.editions.reconcile import Changes, ServingTable, reconcile
from sankofa.editions.walk import Chunk, Dataset, RulelessDataset, chunks
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

KEYS = ServingTable(
    name="quality_key",
    columns=("tally_key", "newest_at", "sku", "country", "counts"),
    identity="tally_key",
    key="tally_key",
    cluster=("tally_key",),
)
TOTALS = ServingTable(
    name="quality_total",
    columns=("total_id", "newest_at", "sku", "country", "counts"),
    identity="total_id",
    key="total_id",
    cluster=("sku", "country"),
)
RESULTS = ServingTable(
    name="quality_result",
    columns=("result_id", "good", "measured", "measured_at", "sku", "measure"),
    identity="result_id",
    key="sku",
    cluster=("sku", "measure"),
)
# Written by the floors, of one edition each; listed here so that an unfinished build is undone as a whole.
OVERRIDES = ServingTable(
    name="quality_override",
    columns=("sku", "measure"),
    identity="measure",
    key="sku",
    cluster=("sku", "measure"),
)

SQL = named(__package__, "publish.sql")
TALLIES = named(__package__, "tallies.sql")
HISTORY = named(__package__, "history.sql")
CHUNK_KEYS = 2_000
BEFORE_ALL = "00000000-0000-0000-0000-000000000000"

# By kind of keys: how what an edition holds of them is counted, and compared with the edition before.
KINDS = {
    "issuer": ("parts_of_issuers", "compare_issuers"),
    "series": ("parts_of_series", "compare_series"),
    "process": ("parts_of_processes", "compare_processes"),
}


class Tallies(RulelessDataset):
    """What is counted of each touched key; a help to the publisher, and no row that anybody is shown."""

    name = "quality"
    tables = (KEYS,)

    def __init__(self, skus: Mapping[str, str], versions: Mapping[str, str]) -> None:
        self._skus = skus
        self._versions = versions

    @property
    def datasets(self) -> tuple[Dataset, ...]:
        """Itself: a key has nothing else."""
        return (self,)

    def touch(self, connection: Connection, edition: int, before: dict[str, str]) -> Sequence[Chunk]:
        """Return, in chunks, what the walks before this one have looked at."""
        has_same_rules = all(before.get(part) == version for part, version in self._versions.items())
        asked = {"edition": edition, "has_same_rules": has_same_rules}
        connection.execute(SQL["part_tables"])
        connection.execute(SQL["comparison"], asked)
        connection.execute(SQL["tallied_table"])
        connection.execute(SQL["touch_tallied"])
        return tallied_chunks(connection)

    def enter(self, connection: Connection, chunk: Chunk) -> None:
        """Make `touched`."""
        enter(connection, chunk)

    def publish(self, connection: Connection, edition: int) -> Changes:
        """Count the chunk's keys anew, and note what that changes of the sums."""
        kinds = kinds_of_chunk(connection)
        connection.execute(HISTORY["turn_table"], {"edition": edition})
        connection.execute("ANALYZE turn")
        count(connection, kinds, edition)
        connection.execute(SQL["parts_of_parties"])
        told = {"sources": list(self._skus), "skus": list(self._skus.values())}
        connection.execute(SQL["parts_of_batches"], told)
        connection.execute(SQL["target_keys"])
        connection.execute(SQL["change_totals"])
        reconcile(connection, KEYS, edition)
        return Changes()


@dataclass(frozen=True, slots=True)
class Totals(RulelessDataset):
    """The sums by dataset and country, and what was measured apart."""

    name: str = "quality"
    tables: tuple[ServingTable, ...] = (TOTALS, RESULTS, OVERRIDES)

    @property
    def datasets(self) -> tuple[Dataset, ...]:
        """Itself: a sum has nothing else."""
        return (self,)

    def touch(self, connection: Connection, _edition: int, _before: dict[str, str]) -> Sequence[Chunk]:
        """Return one chunk, if any key was counted."""
        row = connection.execute("SELECT 1 FROM tally_change LIMIT 1").fetchone()
        return [Chunk("", "totals")] if row else []

    def enter(self, connection: Connection, _chunk: Chunk) -> None:
        """Make `touched`: the sums that change."""
        connection.execute(SQL["changed_totals"])

    def publish(self, connection: Connection, edition: int) -> Changes:
        """Bring the sums to what they are now, and the results to the last ones."""
        connection.execute(SQL["target_totals"])
        changes = reconcile(connection, TOTALS, edition)
        if connection.execute(SQL["newer_result"]).fetchone():
            connection.execute("DROP TABLE touched")
            connection.execute(SQL["all_results"])
            connection.execute(SQL["target_results"])
            changes.add(reconcile(connection, RESULTS, edition))
        return changes


def tallied_chunks(connection: Connection) -> Sequence[Chunk]:
    """Return the keys of `tallied` in chunks."""
    connection.execute("ANALYZE tallied")
    bounds = [str(row[0]) for row in connection.execute(SQL["chunk_bounds"], {"size": CHUNK_KEYS})]
    return chunks(bounds, BEFORE_ALL)


def enter(connection: Connection, chunk: Chunk) -> None:
    """Make `touched`: the keys of a chunk."""
    connection.execute(SQL["chunk"], {"after": chunk.after, "until": chunk.until})
    connection.execute("ANALYZE touched")


def kinds_of_chunk(connection: Connection) -> list[str]:
    """Return the kinds of keys that are counted from what is served, as far as the chunk has them."""
    found = {str(row[0]) for row in connection.execute("SELECT DISTINCT kind FROM touched")}
    return [kind for kind in KINDS if kind in found]


def count(connection: Connection, kinds: Sequence[str], edition: int) -> None:
    """Count what an edition holds of the chunk's keys, and compare it as `turn` says."""
    for counting, comparing in (KINDS[kind] for kind in kinds):
        connection.execute(TALLIES[counting], {"edition": edition})
        connection.execute(HISTORY[comparing])
