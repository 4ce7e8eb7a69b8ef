"""What an edition touched: the buckets of keys whose rows it put or closed, recorded for the readers.

Readers answer under the newest edition that touched something they read. To touch too much costs a cached
answer; to touch too little would serve an outdated one. So whatever is not known counts as touched.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import cast

from sankofa.core.dataset import ServingTable
from sankofa.editions.reconcile import NEVER
from sankofa.storage.postgres import Connection, sql
from sankofa.storage.queries import named

BULK = 10_000  # changed rows of a table, from which on all its keys count as touched
NAMED = frozenset({"service_id", "series_key"})  # keys that a request can name; others need no buckets

_SQL = named(__package__, "touched.sql")


def touch(connection: Connection, edition: int, tables: Iterable[ServingTable]) -> None:
    """Record what the coming edition touched, in the transaction that makes it current."""
    row = connection.execute(_SQL["standing"]).fetchone()
    day_before, is_recorded, today, latest_day = cast("tuple[date | None, bool, date, date]", row)
    whole = ["edition"]
    if latest_day != day_before:
        whole.append("day")
    for table in tables:
        names = {
            "table": sql.Identifier("serving", table.name),
            "dataset": sql.Literal(table.name),
            "key": sql.Identifier(table.key),
            "edition": sql.Literal(edition),
            "bulk": sql.Literal(BULK),
            "never": sql.Literal(NEVER),
            "day_before": sql.Literal(day_before),
            "latest_day": sql.Literal(latest_day),
            "today": sql.Literal(today),
            "days": sql.SQL(", ").join(map(sql.Identifier, table.due)),
        }
        published = connection.execute(sql.SQL(_LAST_PUBLISHED).format(**names)).fetchone()
        names["last"] = sql.Literal(published[0] if published and is_recorded else 0)
        # The first rows of a table touch all its keys: an answer may depend on whether the table has any row.
        names["is_whole"] = sql.Literal(not published or table.key not in NAMED)
        if is_recorded:
            members = sql.SQL(_MEMBERS if table.key == "service_id" else "").format(**names)
            connection.execute(sql.SQL(_TOUCH).format(**names, members=members))
        else:
            whole.append(table.name)
        if table.due:
            connection.execute(sql.SQL(_BECOME_DUE).format(**names))
    connection.execute(_SQL["touch_whole"], {"edition": edition, "datasets": whole})


# Row ids are given in publish order, so the coming edition's rows are the ones after the last published.
_LAST_PUBLISHED = "SELECT row_id FROM {table} WHERE published_in < {edition} ORDER BY row_id DESC LIMIT 1"

_TOUCH = """
WITH changed AS (
    SELECT put.{key}::text AS key FROM {table} AS put WHERE put.row_id > {last}
    UNION ALL
    SELECT closed.{key}::text FROM serving.closing AS closing
    INNER JOIN {table} AS closed ON closed.row_id = closing.row_id
    WHERE closing.dataset = {dataset} AND closing.closed_in = {edition}
    UNION ALL
    SELECT due.key FROM ops.due AS due
    WHERE due.dataset = {dataset} AND due.day > {day_before} AND due.day <= {latest_day}
    LIMIT {bulk}
),
extent AS (SELECT {is_whole} OR count(*) = {bulk} OR bool_or(key = '') AS is_whole FROM changed),
reached AS (
    SELECT key FROM changed
    {members}
)
INSERT INTO serving.touched (dataset, bucket, edition)
SELECT DISTINCT
    {dataset},
    CASE WHEN extent.is_whole THEN -1 ELSE ('x' || left(md5(reached.key), 3))::bit(12)::integer END,
    {edition}
FROM reached CROSS JOIN extent
ON CONFLICT (dataset, bucket) DO UPDATE SET edition = excluded.edition
"""

# An id that was merged into another returns the rows of that other one.
_MEMBERS = """
    UNION
    SELECT member.service_id FROM changed
    INNER JOIN serving.issued_id AS member ON member.resolves_to = changed.key
    WHERE member.superseded_in = {never}
"""

_BECOME_DUE = """
INSERT INTO ops.due (dataset, key, day)
SELECT DISTINCT
    {dataset}, CASE WHEN count(*) OVER () > {bulk} THEN '' ELSE put.{key}::text END, ahead.day
FROM {table} AS put CROSS JOIN LATERAL unnest(ARRAY[{days}]::date[]) AS ahead (day)
WHERE put.row_id > {last} AND ahead.day > {today} AND isfinite(ahead.day)
ON CONFLICT DO NOTHING
"""
