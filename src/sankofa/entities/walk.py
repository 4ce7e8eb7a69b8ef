"""The walk over organisations: whom an edition must look at, who they are, and who of them may be shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from sankofa.editions.walk import Chunk, Dataset, chunks
from sankofa.entities.establish import judge, withdraw
from sankofa.entities.identity import service_id
from sankofa.entities.resolve import resolve
from sankofa.entities.rules import Rules
from sankofa.storage.postgres import Connection, copy_line
from sankofa.storage.queries import named

_SQL = named(__package__, "walk.sql")
# An organisation may have a thousand facts or none: few at a time, unless a whole register arrives.
_CHUNK_SURVIVORS = 1_000
_REGISTER_CHUNK_SURVIVORS = 5_000
_REGISTER = 100_000
_IDS_AT_ONCE = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Organisations:
    """Everything that is published about organisations, under one resolution and one check."""

    datasets: tuple[Dataset, ...]
    secret: bytes
    rules: Rules

    def touch(self, connection: Connection, edition: int, before: dict[str, str]) -> Sequence[Chunk]:
        """Resolve and judge whomever this edition concerns; return them by the id that answers for them."""
        connection.execute(_SQL["session_tables"])
        connection.execute(_SQL["touch_held"], {"edition": edition})
        for dataset in self.datasets:
            dataset.touch_for_rules(connection, before)
        self._issue_ids(connection)
        resolve(connection)
        connection.execute(_SQL["touch_ids"])
        connection.execute("ANALYZE touched_id")
        touched = connection.execute("SELECT count(DISTINCT survivor) FROM touched_id").fetchone()
        is_register = cast("tuple[int]", touched)[0] > _REGISTER
        size = {"size": _REGISTER_CHUNK_SURVIVORS if is_register else _CHUNK_SURVIVORS}
        bounds = [str(row[0]) for row in connection.execute(_SQL["chunk_bounds"], size)]
        touched_chunks = chunks(bounds)
        judge(connection, touched_chunks, self.rules)
        connection.execute(_SQL["answered_before"])
        withdraw(connection, edition, self.rules)
        return touched_chunks

    def enter(self, connection: Connection, chunk: Chunk) -> None:
        """Make `touched`; of these `judged`, who may be shown; behind them `resolved`, their subjects."""
        bounds = {"after": chunk.after, "until": chunk.until, "rule_version": self.rules.version}
        connection.execute(_SQL["chunk"], bounds)
        connection.execute("ANALYZE touched")
        connection.execute(_SQL["chunk_judged"], bounds)
        connection.execute("ANALYZE judged")
        connection.execute(_SQL["chunk_subjects"])
        connection.execute("ANALYZE resolved")

    def _issue_ids(self, connection: Connection) -> None:
        after = 0
        while unnamed := connection.execute(
            _SQL["subjects_without_id"], {"after": after, "rows": _IDS_AT_ONCE}
        ).fetchall():
            with connection.cursor() as cursor, cursor.copy(_SQL["copy_ids"]) as copy:
                for subject, identifier in cast("list[tuple[int, str]]", unnamed):
                    copy.write(copy_line(subject, service_id(self.secret, identifier)))
            after = cast(int, unnamed[-1][0])
