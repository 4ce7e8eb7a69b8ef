"""The one writer: takes in what no edition holds yet, reconciles what it touches, makes the edition current.

Atomic by number: rows of edition n are written in many short transactions that no reader sees, because
readers ask for an edition that exists. The row in `serving.edition`, written last, is the publish.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import cast

from sankofa.editions.digests import Reader, conclude, seal
from sankofa.editions.locks import publishing, share_with_takedowns
from sankofa.editions.outside import Outside
from sankofa.editions.reconcile import NEVER, Changes, ServingTable
from sankofa.editions.rows import forms
from sankofa.editions.walk import Chunk, Dataset, Walk
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import Connection, connect, sql, within
from sankofa.storage.queries import named

_SQL = named(__package__, "publish.sql")
_CLOSED_SOURCES = "closed_sources"
_CHUNK_SECONDS = 900
_TOUCH_SECONDS = 7_200  # finding out who is who, when a whole register arrives at once
_SEAL_SECONDS = 7_200
_BULK_ROWS = 10_000  # from here on statistics are renewed before readers meet the rows

Progress = Callable[[int, int], None]  # chunks done, and all there are, of one walk
Check = Callable[[Connection, int], None]  # looks at a build that is whole; raises if it must not be current


@dataclass(frozen=True, slots=True, kw_only=True)
class Publisher:
    """Everything a publish needs; the same object serves the command line and the tests."""

    dsn: str
    objects: Objects
    walks: tuple[Walk, ...]
    closed_sources: frozenset[str] = frozenset()  # what they say is kept and never served
    check: Check = lambda _connection, _edition: None

    @property
    def datasets(self) -> tuple[Dataset, ...]:
        """Everything that is published, in order."""
        return tuple(dataset for walk in self.walks for dataset in walk.datasets)

    @property
    def tables(self) -> tuple[ServingTable, ...]:
        """Every table of edition rows."""
        return tuple(table for dataset in self.datasets for table in dataset.tables)

    def versions(self) -> dict[str, str]:
        """Return what an edition is computed from besides the ledger, by part."""
        rules = {part: version for dataset in self.datasets for part, version in dataset.versions().items()}
        return {_CLOSED_SOURCES: ",".join(sorted(self.closed_sources)), **rules}


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """An edition that became current."""

    edition: int
    mark: str
    published_at: datetime
    changes: dict[str, Changes] = field(default_factory=dict)
    changed_rules: frozenset[str] = frozenset()  # parts whose version differs from the edition before


def publish(publisher: Publisher, progress: Progress = lambda _done, _total: None) -> Published | None:
    """Make the next edition current, or return None when nothing has changed since the last one."""
    with connect(publisher.dsn) as connection, publishing(connection):
        undo_unfinished(connection, publisher.tables)
        before, versions = _newest(connection)
        outside = Outside(publisher.objects, connection)
        edition = max(before, outside.highest_issued()) + 1
        for dataset in publisher.datasets:
            dataset.install(connection)
        with connection.transaction():
            connection.execute(_SQL["open_build"], {"edition": edition})
            connection.execute(_SQL["hold"], {"edition": edition})
        _list_held(connection, edition, publisher.closed_sources, versions)
        changes = {dataset.name: Changes() for dataset in publisher.datasets}
        for walk in publisher.walks:  # each sees what those before it have written under the coming edition
            with within(connection, _TOUCH_SECONDS):
                chunks = walk.touch(connection, edition, versions)
            _reconcile(connection, walk, chunks, edition, changes=changes, progress=progress)
        now = publisher.versions()
        if before and now == versions and not _holds_anything(connection, edition):
            undo_unfinished(connection, publisher.tables)
            return None
        publisher.check(connection, edition)
        if sum(sum(change.put.values()) for change in changes.values()) >= _BULK_ROWS:
            _renew_statistics(connection, publisher.tables)
        sealer = Reader(connection, forms(connection), [table.name for table in publisher.tables])
        with within(connection, _SEAL_SECONDS):
            sealed = seal(sealer, edition)
        outside.issue(edition)
        changed = frozenset(part for part in versions if now.get(part) != versions[part])
        with connection.transaction():
            # No takedown is half-way: each is told of once, by the first edition after it.
            share_with_takedowns(connection)
            connection.execute(_SQL["tell_taken_down"], {"before": before, "edition": edition})
            published = _make_current(connection, edition, now, changes)
            conclude(sealer, outside, edition, sealed)
        return replace(published, changed_rules=changed)


def undo_unfinished(connection: Connection, tables: Iterable[ServingTable]) -> int | None:
    """Take back a build that stopped before its edition became current, and return its number."""
    row = connection.execute(_SQL["unfinished_build"]).fetchone()
    if row is None:
        return None
    edition = cast(int, row[0])
    with connection.transaction(), within(connection, _CHUNK_SECONDS):
        for table in tables:
            names = {
                "table": sql.Identifier("serving", table.name),
                "dataset": sql.Literal(table.name),
                "edition": sql.Literal(edition),
                "never": sql.Literal(NEVER),
            }
            for statement in _UNDO:
                connection.execute(sql.SQL(statement).format(**names))
        for name in ("release_blocks", "release_build", "release_versions", "release_number"):
            connection.execute(_SQL[name], {"edition": edition})
    return edition


# Row ids are given in publish order, so an unfinished edition's rows are the ones after the last published.
_UNDO = (
    """
    DELETE FROM {table} WHERE row_id > coalesce(
        (SELECT row_id FROM {table} WHERE published_in < {edition} ORDER BY row_id DESC LIMIT 1), 0
    )
    """,
    """
    UPDATE {table} SET superseded_in = {never} WHERE row_id IN (
        SELECT row_id FROM serving.closing WHERE dataset = {dataset} AND closed_in = {edition}
    )
    """,
    "DELETE FROM serving.closing WHERE dataset = {dataset} AND closed_in = {edition}",
)


def _newest(connection: Connection) -> tuple[int, dict[str, str]]:
    row = connection.execute(_SQL["newest"]).fetchone()
    return cast("tuple[int, dict[str, str]]", row)


def _list_held(
    connection: Connection, edition: int, closed: frozenset[str], versions: dict[str, str]
) -> None:
    """List the documents that the edition rests on, and the batches whose subjects it must look at."""
    closed_before = frozenset(filter(None, versions.get(_CLOSED_SOURCES, "").split(",")))
    connection.execute(_SQL["held_tables"])
    connection.execute(_SQL["list_documents"], {"closed_sources": sorted(closed)})
    connection.execute(
        _SQL["list_batches"], {"edition": edition, "opened_or_closed": sorted(closed ^ closed_before)}
    )
    connection.execute("ANALYZE held_document, concerned_batch")


def _reconcile(
    connection: Connection,
    walk: Walk,
    chunks: Sequence[Chunk],
    edition: int,
    *,
    changes: dict[str, Changes],
    progress: Progress,
) -> None:
    for done, chunk in enumerate(chunks):
        progress(done, len(chunks))
        with connection.transaction(), within(connection, _CHUNK_SECONDS):
            connection.execute("SET LOCAL work_mem = '256MB'")
            connection.execute("SET LOCAL jit = off")
            share_with_takedowns(connection)
            walk.enter(connection, chunk)
            # Unknown, a temporary table counts as large, and whole tables are read for the few keys in it.
            connection.execute("ANALYZE touched")
            for dataset in walk.datasets:
                changes[dataset.name].add(dataset.publish(connection, edition))
    progress(len(chunks), len(chunks))


def _holds_anything(connection: Connection, edition: int) -> bool:
    row = connection.execute(
        "SELECT 1 FROM ops.edition_holds WHERE edition = %s LIMIT 1", [edition]
    ).fetchone()
    return row is not None


def _renew_statistics(connection: Connection, tables: Iterable[ServingTable]) -> None:
    with within(connection, _CHUNK_SECONDS):
        for table in tables:
            connection.execute(_SQL["renew_statistics"], {"dataset": table.name})


def _make_current(
    connection: Connection, edition: int, versions: dict[str, str], changes: dict[str, Changes]
) -> Published:
    mark = "".join(secrets.choice("0123456789abcdefghjkmnpqrstvwxyz") for _ in range(8))
    for part, version in versions.items():
        connection.execute(_SQL["record_version"], {"edition": edition, "part": part, "version": version})
    row = connection.execute(
        _SQL["make_current"],
        {
            "edition": edition,
            "mark": mark,
            "changes": json.dumps({name: change.told() for name, change in changes.items()}),
        },
    ).fetchone()
    return Published(
        edition=edition, mark=mark, published_at=cast("tuple[datetime]", row)[0], changes=changes
    )
