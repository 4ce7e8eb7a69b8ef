"""The one writer: takes in what no edition holds yet, reconciles what it touches, makes the edition current.

Atomic by number: rows of edition n are written in many short transactions that no reader sees, because
readers ask for an edition that exists. The row in `serving.edition`, written last, is the publish.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import cast

from sankofa.editions.dataset import Dataset
from sankofa.editions.identity import service_id
from sankofa.editions.locks import publishing, share_with_takedowns
from sankofa.editions.reconcile import NEVER, Changes
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import Connection, connect, sql, within
from sankofa.storage.queries import named

_SQL = named(__package__, "publish.sql")
_CHUNK_SURVIVORS = 1_000
_CHUNK_SECONDS = 900
_BULK_ROWS = 100_000  # from here on statistics and visibility are renewed before readers meet the rows
_SESSION_TABLES = """
CREATE TEMPORARY TABLE touched_subject (subject_id integer PRIMARY KEY);
CREATE TEMPORARY TABLE touched_id (service_id text PRIMARY KEY, survivor text NOT NULL);
CREATE TEMPORARY TABLE resolution (service_id text PRIMARY KEY, resolves_to text NOT NULL);
CREATE INDEX ON touched_id (survivor);
"""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Publisher:
    """Everything a publish needs; the same object serves the command line and the tests."""

    dsn: str
    maintenance_dsn: str  # the owner's login: only an owner may VACUUM and ANALYZE
    objects: Objects
    secret: bytes
    datasets: tuple[Dataset, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """An edition that became current."""

    edition: int
    mark: str
    published_at: datetime
    changes: dict[str, Changes] = field(default_factory=dict)


def publish(publisher: Publisher, progress: Progress = lambda _done, _total: None) -> Published | None:
    """Make the next edition current, or return None when nothing has changed since the last one."""
    with connect(publisher.dsn) as connection, publishing(connection):
        undo_unfinished(connection, publisher.datasets)
        before, versions = _newest(connection)
        edition = max(before, highest_issued(publisher.objects, connection)) + 1
        connection.execute(_SESSION_TABLES)
        for dataset in publisher.datasets:
            dataset.install(connection)
        with connection.transaction():
            connection.execute(_SQL["open_build"], {"edition": edition})
            connection.execute(_SQL["hold"], {"edition": edition})
        _touch(connection, publisher, edition, versions)
        changes = _reconcile_all(connection, publisher.datasets, edition, progress)
        now = {
            part: version for dataset in publisher.datasets for part, version in dataset.versions().items()
        }
        if before and now == versions and not _holds_anything(connection, edition):
            undo_unfinished(connection, publisher.datasets)
            return None
        if sum(sum(change.put.values()) for change in changes.values()) >= _BULK_ROWS:
            _renew_statistics(publisher)
        publisher.objects.replace(_highest_key(connection), str(edition).encode())
        return _make_current(connection, edition, now, changes)


def undo_unfinished(connection: Connection, datasets: Iterable[Dataset]) -> int | None:
    """Take back a build that stopped before its edition became current, and return its number."""
    row = connection.execute(_SQL["unfinished_build"]).fetchone()
    if row is None:
        return None
    edition = cast(int, row[0])
    with connection.transaction(), within(connection, _CHUNK_SECONDS):
        for table in (table for dataset in datasets for table in dataset.tables):
            names = {
                "table": sql.Identifier("serving", table.name),
                "dataset": sql.Literal(table.name),
                "edition": sql.Literal(edition),
                "never": sql.Literal(NEVER),
            }
            for statement in _UNDO:
                connection.execute(sql.SQL(statement).format(**names))
        for name in ("release_build", "release_versions", "release_number"):
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


def highest_issued(objects: Objects, connection: Connection) -> int:
    """Return the highest edition number ever issued here, also after a restore of an older database."""
    return int(objects.fetch(_highest_key(connection)) or b"0")


def _highest_key(connection: Connection) -> str:
    row = connection.execute("SELECT instance_id FROM ops.instance").fetchone()
    return f"instances/{row[0] if row else ''}/highest-edition"


def _newest(connection: Connection) -> tuple[int, dict[str, str]]:
    row = connection.execute(_SQL["newest"]).fetchone()
    return cast("tuple[int, dict[str, str]]", row)


def _touch(connection: Connection, publisher: Publisher, edition: int, versions: dict[str, str]) -> None:
    """Fill `touched_id`: whom this edition must look at, by the id that will answer for them."""
    connection.execute(_SQL["touch_held"], {"edition": edition})
    with within(connection, _CHUNK_SECONDS):
        for dataset in publisher.datasets:
            dataset.touch_for_rules(connection, versions)
    unnamed = cast("list[tuple[int, str]]", connection.execute(_SQL["subjects_without_id"]).fetchall())
    with connection.transaction(), connection.cursor() as cursor:
        cursor.executemany(
            _SQL["issue_id"],
            [
                {"subject_id": subject, "service_id": service_id(publisher.secret, identifier)}
                for subject, identifier in unnamed
            ],
        )
    connection.execute(_SQL["resolve"])
    connection.execute(_SQL["touch_ids"])
    connection.execute("ANALYZE touched_id")


def _reconcile_all(
    connection: Connection, datasets: tuple[Dataset, ...], edition: int, progress: Progress
) -> dict[str, Changes]:
    changes = {dataset.name: Changes() for dataset in datasets}
    bounds = [str(row[0]) for row in connection.execute(_SQL["chunk_bounds"], {"size": _CHUNK_SURVIVORS})]
    connection.execute("SET work_mem = '256MB'")
    connection.execute("SET jit = off")
    for done, (after, until) in enumerate(zip(["", *bounds], bounds, strict=False)):
        progress(done, len(bounds))
        with connection.transaction(), within(connection, _CHUNK_SECONDS):
            share_with_takedowns(connection)
            connection.execute(_SQL["chunk"], {"after": after, "until": until})
            connection.execute("ANALYZE touched")
            connection.execute(_SQL["chunk_subjects"])
            connection.execute("ANALYZE resolved")
            connection.execute(_SQL["chunk_unheld"])
            for dataset in datasets:
                changes[dataset.name].add(dataset.publish(connection, edition))
    progress(len(bounds), len(bounds))
    return changes


def _holds_anything(connection: Connection, edition: int) -> bool:
    row = connection.execute(
        "SELECT 1 FROM ops.edition_holds WHERE edition = %s LIMIT 1", [edition]
    ).fetchone()
    return row is not None


def _renew_statistics(publisher: Publisher) -> None:
    with connect(publisher.maintenance_dsn) as owner, within(owner, _CHUNK_SECONDS):
        for table in (table for dataset in publisher.datasets for table in dataset.tables):
            owner.execute(sql.SQL("VACUUM (ANALYZE) {}").format(sql.Identifier("serving", table.name)))


def _make_current(
    connection: Connection, edition: int, versions: dict[str, str], changes: dict[str, Changes]
) -> Published:
    mark = "".join(secrets.choice("0123456789abcdefghjkmnpqrstvwxyz") for _ in range(8))
    with connection.transaction():
        for part, version in versions.items():
            told = {"edition": edition, "part": part, "version": version}
            connection.execute(_SQL["record_version"], told)
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
