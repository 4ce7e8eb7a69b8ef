"""How a domain is published: which keys an edition must look at, and the steps that reconcile them.

A walk finds the keys (`touch`) and divides them into chunks, which any worker of the build may reconcile.
Data for its chunks or for later walks is written to tables of the schema `build`, which the walk declares.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from sankofa.core.dataset import Dataset
from sankofa.editions.reconcile import Changes
from sankofa.storage.postgres import Connection, sql


class Step(ABC):
    """Publishes rows of one dataset. By default it has no rules: rows follow from what sources state."""

    dataset: Dataset

    def versions(self) -> dict[str, str]:
        """Return the versions of the rules that its rows are computed from, by part."""
        return {}

    def install(self, connection: Connection) -> None:  # noqa: B027  # most steps need none of the three
        """Insert the present rules where SQL reads them."""

    def touch_for_rules(self, connection: Connection, before: dict[str, str]) -> None:  # noqa: B027
        """Touch every key of the walk that a change of rules since `before` may concern."""

    @abstractmethod
    def publish(self, connection: Connection, edition: int) -> Changes:
        """Reconcile the keys of the chunk that the walk has entered, at `edition`."""

    def finish(self, connection: Connection) -> None:  # noqa: B027
        """Insert what the chunks collected in `build`, after all of them are done."""


class Chunk(NamedTuple):
    """Some of the touched keys: those after one and up to another, in the keys' own order."""

    after: str
    until: str
    part: str = ""  # the table, where a stage works on several


class Walk(ABC):
    """Keys that are published together: organisations, series, releases."""

    name: str
    steps: tuple[Step, ...] = ()  # what is published of each key, in order
    writes: ClassVar[tuple[str, ...]] = ()  # tables of `build` that it fills
    reads: ClassVar[tuple[str, ...]] = ()  # those that it or its steps read
    runs: ClassVar[tuple[str, ...]] = ()  # packages whose statements it runs, besides its own

    @abstractmethod
    def touch(self, connection: Connection, edition: int, before: dict[str, str]) -> Sequence[Chunk]:
        """Find the keys that what `edition` holds, or changed rules, concern; return them in chunks.

        Runs once in a build, in one transaction.
        """

    def enter(self, connection: Connection, chunk: Chunk) -> None:
        """Make the temporary tables that the steps read, for one chunk; `touched` holds its keys."""
        raise NotImplementedError

    def run(self, connection: Connection, edition: int, chunk: Chunk) -> dict[str, Changes]:
        """Reconcile one chunk, in a transaction of its own, and return what changed by dataset."""
        self.enter(connection, chunk)
        # Unknown, a temporary table counts as large, and whole tables are read for the few keys in it.
        connection.execute("ANALYZE touched")
        changes: dict[str, Changes] = {}
        for step in self.steps:
            changes.setdefault(step.dataset.name, Changes()).add(step.publish(connection, edition))
        return changes

    def finish(self, connection: Connection) -> None:
        """Do what is left after all chunks, in one transaction."""
        for step in self.steps:
            step.finish(connection)


_KEYS = "SELECT DISTINCT {key}, 1 AS work FROM build.{table}"
_BOUNDS = """
SELECT {key}::text
FROM (
    SELECT {key}, chunk, lead(chunk) OVER (ORDER BY {key}) AS following
    FROM (
        SELECT {key}, div(sum(work) OVER (ORDER BY {key}) - 1, {size}) AS chunk
        FROM ({keys}) AS keys
    ) AS placed
) AS divided
WHERE chunk IS DISTINCT FROM following
ORDER BY {key}
"""


def chunks(
    connection: Connection, table: str, key: str, size: int, start: str = "", *, keys: str = _KEYS
) -> list[Chunk]:
    """Divide the keys of a table of `build` into chunks; `start` sorts before all keys.

    The keys of a chunk add up to about `size` of work. `keys` selects each key with its work, by default 1.
    """
    connection.execute("SELECT build.renew_statistics(%s)", [table])
    names = {"table": sql.Identifier(table), "key": sql.Identifier(key)}
    each = sql.SQL(keys).format(**names)
    statement = sql.SQL(_BOUNDS).format(key=names["key"], keys=each, size=sql.Literal(size))
    bounds = [str(row[0]) for row in connection.execute(statement)]
    return [Chunk(after, until) for after, until in zip([start, *bounds], bounds, strict=False)]
