"""Reconcile a serving table with its target: close rows that are no longer true, insert the new ones.

Late filings, renumbering, merges, rule changes and withdrawals all take this one path, so an edition
built step by step equals one built from nothing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from sankofa.core.dataset import ServingTable
from sankofa.storage.postgres import Connection, sql

NEVER = 2147483647


@dataclass(slots=True)
class Changes:
    """Rows put and removed, by reason."""

    put: Counter[str] = field(default_factory=Counter)
    removed: Counter[str] = field(default_factory=Counter)

    def add(self, other: Changes) -> None:
        """Add the changes of another table or chunk."""
        self.put.update(other.put)
        self.removed.update(other.removed)

    def __bool__(self) -> bool:
        """Whether anything changed."""
        return bool(self.put or self.removed)

    def counts(self) -> dict[str, dict[str, int]]:
        """Return the counts as an edition records them."""
        return {"put": dict(self.put), "removed": dict(self.removed)}


def reconcile(connection: Connection, table: ServingTable, edition: int) -> Changes:
    """Bring the touched keys of a table to the rows of the temporary table `target`, at `edition`.

    Reads the temporary table `touched` (the keys); uses up `target`.
    """
    seen = [column for column in table.columns if column not in table.unseen]
    names = {
        "table": sql.Identifier("serving", table.name),
        "columns": sql.SQL(", ").join(map(sql.Identifier, table.columns)),
        "was": sql.SQL(", ").join(sql.Identifier("was", column) for column in seen),
        "now": sql.SQL(", ").join(sql.Identifier("now", column) for column in seen),
        "is_same": sql.SQL(" AND ").join(
            sql.SQL("{} = {}").format(sql.Identifier("now", column), sql.Identifier("was", column))
            for column in table.identity
        ),
        "joined": sql.SQL(", ").join(map(sql.Identifier, sorted({*table.identity, table.key}))),
        "key": sql.Identifier(table.key),
        "changed": sql.SQL(table.changed),
        "fresh": sql.SQL(table.fresh),
        "gone": sql.SQL(table.gone),
        "cluster": sql.SQL(", ").join(map(sql.Identifier, table.cluster)),
        "edition": sql.Literal(edition),
        "dataset": sql.Literal(table.name),
        "never": sql.Literal(NEVER),
    }
    changes = Changes()
    if connection.execute(sql.SQL(_LIVE).format(**names)).rowcount:
        for statement in _COMPARE:
            connection.execute(sql.SQL(statement).format(**names))
        _count(connection, sql.SQL(_CLOSE).format(**names), changes.removed)
        arriving = sql.SQL(_CHANGED).format(**names)
    else:
        arriving = sql.SQL(_ALL).format(**names)
    _count(connection, sql.SQL(_PUT).format(arriving=arriving, **names), changes.put)
    connection.execute("DROP TABLE IF EXISTS target, live, kept")
    return changes


def _count(connection: Connection, statement: sql.Composed, counter: Counter[str]) -> None:
    for reason, rows in connection.execute(statement).fetchall():
        counter[str(reason)] += int(str(rows))


# An array of keys is read by index also before the first edition, when there are no statistics.
_LIVE = """
CREATE TEMPORARY TABLE live ON COMMIT DROP AS
SELECT row_id, {columns} FROM {table} AS live
WHERE live.{key} = ANY(ARRAY(SELECT DISTINCT {key} FROM touched)) AND superseded_in = {never}
"""
_COMPARE = (
    # What the comparison joins by; the rest of a row may be large, and its samples are of no use.
    "ANALYZE live ({joined})",
    "ANALYZE target ({joined})",
    # Rows that stay as they are: the same identity, the same content.
    """
    CREATE TEMPORARY TABLE kept ON COMMIT DROP AS
    SELECT was.row_id, now.target_id
    FROM live AS was INNER JOIN target AS now ON {is_same}
    WHERE ({was}) IS NOT DISTINCT FROM ({now})
    """,
    "ANALYZE kept",
)

_CLOSE = """
WITH departing AS (
    SELECT DISTINCT ON (was.row_id) was.row_id,
        (CASE
            WHEN now.target_id IS NULL THEN {gone}
            WHEN now.{key} <> was.{key} THEN 'merged'
            ELSE {changed}
        END)::serving.change_reason AS reason
    FROM live AS was LEFT JOIN target AS now ON {is_same}
    WHERE NOT EXISTS (SELECT FROM kept WHERE kept.row_id = was.row_id)
    ORDER BY was.row_id, now.{key} = was.{key} DESC NULLS LAST
),
recorded AS (
    INSERT INTO serving.closing (dataset, closed_in, row_id, reason)
    SELECT {dataset}, {edition}, row_id, reason FROM departing
    RETURNING reason
),
closed AS (
    UPDATE {table} AS gone SET superseded_in = {edition}
    FROM departing WHERE gone.row_id = departing.row_id
)
SELECT reason, count(*) FROM recorded GROUP BY reason
"""

# Rows of the target that are not live: all of them where nothing is, as in a first edition.
_ALL = "SELECT now.*, ({fresh})::serving.change_reason AS reason FROM target AS now"
_CHANGED = """
SELECT DISTINCT ON (now.target_id) now.*,
    (CASE
        WHEN was.row_id IS NULL THEN {fresh}
        WHEN now.{key} <> was.{key} THEN 'merged'
        ELSE {changed}
    END)::serving.change_reason AS reason
FROM target AS now LEFT JOIN live AS was ON {is_same}
WHERE NOT EXISTS (SELECT FROM kept WHERE kept.target_id = now.target_id)
ORDER BY now.target_id, now.{key} = was.{key} DESC NULLS LAST
"""

_PUT = """
WITH put AS (
    INSERT INTO {table} ({columns}, published_in, reason)
    SELECT {columns}, {edition}, reason FROM ({arriving}) AS arriving ORDER BY {cluster}
    RETURNING reason
)
SELECT reason, count(*) FROM put GROUP BY reason
"""
