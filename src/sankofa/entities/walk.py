"""The walks over organisations: resolve and judge them, then publish their rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from sankofa.editions.reconcile import Changes
from sankofa.editions.walk import Chunk, Step, Walk, chunks
from sankofa.entities.establish import judge, withdraw
from sankofa.entities.identity import service_id
from sankofa.entities.resolve import resolve
from sankofa.entities.rules import Rules
from sankofa.storage.postgres import Connection, copy_line
from sankofa.storage.queries import named

_SQL = named(__package__, "walk.sql")
_CHUNK_WORK = 5_000  # organisations, or filings of them: `work` of walk.sql says how much one is
_IDS_AT_ONCE = 100_000


@dataclass(frozen=True, kw_only=True)
class Judgements(Walk):
    """Resolves and judges the organisations of the edition; `Organisations` publishes the result."""

    name = "judgements"
    writes = (
        "touched_subject",
        "statement",
        "stated_before",
        "touched_id",
        "judgement",
        "withheld_name",
    )
    reads = ("concerned_batch", "held_document")
    runs = ("sankofa.tenders",)  # whose releases mention organisations

    judged_for: tuple[Step, ...]  # whose rules may touch organisations
    secret: bytes
    rules: Rules

    def touch(self, connection: Connection, edition: int, before: dict[str, str]) -> Sequence[Chunk]:
        """Resolve the subjects of this edition; return their surviving ids in chunks."""
        connection.execute(_SQL["touch_held"], {"edition": edition})
        for step in self.judged_for:
            step.touch_for_rules(connection, before)
        self._issue_ids(connection)
        resolve(connection)
        connection.execute(_SQL["touch_ids"])
        return _chunks(connection)

    def run(self, connection: Connection, _edition: int, chunk: Chunk) -> dict[str, Changes]:
        """Judge the organisations of a chunk; nothing is published yet."""
        judge(connection, chunk, self.rules)
        return {}

    def _issue_ids(self, connection: Connection) -> None:
        after = 0
        while unnamed := connection.execute(
            _SQL["subjects_without_id"], {"after": after, "rows": _IDS_AT_ONCE}
        ).fetchall():
            with connection.cursor() as cursor, cursor.copy(_SQL["copy_ids"]) as copy:
                for subject, identifier in cast("list[tuple[int, str]]", unnamed):
                    copy.write(copy_line(subject, service_id(self.secret, identifier)))
            after = cast(int, unnamed[-1][0])


@dataclass(frozen=True, kw_only=True)
class Organisations(Walk):
    """Publishes all rows of the judged organisations."""

    name = "organisations"
    writes = ("answered_before", "metric_span")
    reads = ("touched_id", "judgement", "withheld_name", "held_document", "known_provenance")
    runs = ("sankofa.tenders",)

    steps: tuple[Step, ...]
    rules: Rules

    def touch(self, connection: Connection, edition: int, before: dict[str, str]) -> Sequence[Chunk]:  # noqa: ARG002  # as every walk
        """Remove organisations that are no longer established, and return all judged ones in chunks."""
        connection.execute("SELECT build.renew_statistics('judgement', 'withheld_name')")
        connection.execute(_SQL["answered_before"])
        withdraw(connection, edition, self.rules)
        return _chunks(connection)

    def enter(self, connection: Connection, chunk: Chunk) -> None:
        """Fill `touched`, `judged` (those that may be served) and `resolved` (their subjects)."""
        bounds = {"after": chunk.after, "until": chunk.until, "rule_version": self.rules.version}
        connection.execute(_SQL["chunk"], bounds)
        connection.execute("ANALYZE touched")
        connection.execute(_SQL["chunk_judged"], bounds)
        connection.execute("ANALYZE judged")
        connection.execute(_SQL["chunk_subjects"])
        connection.execute("ANALYZE resolved")


def _chunks(connection: Connection) -> Sequence[Chunk]:
    return chunks(connection, "touched_id", "survivor", _CHUNK_WORK, keys=_SQL["work"])
