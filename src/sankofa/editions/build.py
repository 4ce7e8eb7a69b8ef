"""The edition in the making: opened, continued by the next publish if it was interrupted, or undone.

Its state is in the schema `build`, so that every worker sees it. That schema is not logged: if the server
crashed, the build is undone, chunk by chunk.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import cast

from sankofa.core.dataset import ServingTable
from sankofa.editions.locks import share_with_takedowns
from sankofa.editions.reconcile import NEVER, Changes
from sankofa.storage.postgres import Connection, sql, transaction_within
from sankofa.storage.queries import named

SQL = named(__package__, "build.sql")
CLOSED_SOURCES = "closed_sources"
CHUNK_SECONDS = 900
_UNDONE_AT_ONCE = 50_000

Versions = dict[str, str]  # of rules, by part


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """A build that is open: its edition, and the edition before with the rules that one was computed from."""

    edition: int
    before: int
    versions_before: Versions
    is_refused: bool = False  # cannot be continued: it was refused, lost its state, or had other rules


def newest(connection: Connection) -> tuple[int, Versions]:
    """Return the newest edition's number and the versions of its rules."""
    return cast("tuple[int, Versions]", connection.execute(SQL["newest"]).fetchone())


def is_anything_new(connection: Connection) -> bool:
    """Return whether something is pending that may change a row: one cheap statement."""
    return connection.execute(SQL["anything_new"]).fetchone() is not None


def find(connection: Connection, versions: Versions) -> Build | None:
    """Return the build that was interrupted, if there is one."""
    row = connection.execute(SQL["unfinished"]).fetchone()
    if row is None:
        return None
    edition, before, versions_before, built_with, is_refused = cast(
        "tuple[int, int, Versions, Versions, bool]", row
    )
    return Build(
        edition=edition,
        before=before,
        versions_before=versions_before,
        is_refused=is_refused or built_with != versions,
    )


def open_build(connection: Connection, edition: int, versions: Versions, closed: frozenset[str]) -> Build:
    """Open the build of an edition: it holds everything that is pending."""
    before, versions_before = newest(connection)
    closed_before = frozenset(filter(None, versions_before.get(CLOSED_SOURCES, "").split(",")))
    with transaction_within(connection, CHUNK_SECONDS):
        connection.execute(SQL["clear"])
        connection.execute(SQL["open"], {"edition": edition})
        connection.execute(
            SQL["begin"],
            {
                "edition": edition,
                "before": before,
                "versions_before": json.dumps(versions_before),
                "versions": json.dumps(versions),
            },
        )
        connection.execute(SQL["close_sources"], {"sources": sorted(closed)})
        connection.execute(SQL["hold"], {"edition": edition})
        connection.execute(SQL["concern_held"], {"edition": edition})
        if opened_or_closed := sorted(closed ^ closed_before):
            connection.execute(SQL["concern_sources"], {"sources": opened_or_closed})
        connection.execute(SQL["concern_corrected"], {"edition": edition})
        connection.execute("SELECT build.renew_statistics('concerned_batch')")
    return Build(edition=edition, before=before, versions_before=versions_before)


def refuse(connection: Connection) -> None:
    """Mark the build as one that must not become current; the next publish undoes it."""
    connection.execute(SQL["refuse"])


def changes(connection: Connection) -> dict[str, Changes]:
    """Return the changes of the build's chunks, by dataset."""
    total: defaultdict[str, Changes] = defaultdict(Changes)
    for row in connection.execute(SQL["changes"]):
        for dataset, counted in cast("Mapping[str, Mapping[str, Mapping[str, int]]]", row[0]).items():
            total[dataset].put.update(counted["put"])
            total[dataset].removed.update(counted["removed"])
    return total


def undo(connection: Connection, edition: int, tables: Iterable[ServingTable]) -> None:
    """Undo an unfinished build, some rows at a time; it may be interrupted and repeated."""
    with transaction_within(connection, CHUNK_SECONDS):
        connection.execute(SQL["fence"])
        connection.execute(SQL["clear"])
    for table in tables:
        names = {
            "table": sql.Identifier("serving", table.name),
            "dataset": sql.Literal(table.name),
            "edition": sql.Literal(edition),
            "never": sql.Literal(NEVER),
            "rows": sql.Literal(_UNDONE_AT_ONCE),
        }
        for statement in (_REMOVE, _REOPEN):
            while _undo_some(connection, sql.SQL(statement).format(**names)):
                pass
    with transaction_within(connection, CHUNK_SECONDS):
        for name in ("release_blocks", "release_held", "release_versions", "release_number"):
            connection.execute(SQL[name], {"edition": edition})


def undo_needless(connection: Connection, edition: int, tables: Iterable[ServingTable]) -> None:
    """Undo a build that changes no row; its entries wait for the next edition and cause no build."""
    row = connection.execute(SQL["held"], {"edition": edition}).fetchone()
    kinds, numbers = cast("tuple[list[str], list[int]]", row)
    undo(connection, edition, tables)
    connection.execute(SQL["keep_waiting"], {"kinds": kinds, "numbers": numbers})


def _undo_some(connection: Connection, statement: sql.Composed) -> bool:
    with transaction_within(connection, CHUNK_SECONDS):
        share_with_takedowns(connection)
        return connection.execute(statement).rowcount > 0


# Row ids are given in publish order, so an unfinished edition's rows are the ones after the last published.
_REMOVE = """
DELETE FROM {table} WHERE row_id IN (
    SELECT row_id FROM {table}
    WHERE row_id > coalesce(
        (SELECT row_id FROM {table} WHERE published_in < {edition} ORDER BY row_id DESC LIMIT 1), 0
    )
    ORDER BY row_id
    LIMIT {rows}
)
"""
_REOPEN = """
WITH reopened AS (
    DELETE FROM serving.closing WHERE dataset = {dataset} AND closed_in = {edition} AND row_id IN (
        SELECT row_id FROM serving.closing WHERE dataset = {dataset} AND closed_in = {edition}
        ORDER BY row_id
        LIMIT {rows}
    )
    RETURNING row_id
),
opened AS (
    UPDATE {table} SET superseded_in = {never} WHERE row_id IN (SELECT row_id FROM reopened)
)
SELECT row_id FROM reopened
"""
