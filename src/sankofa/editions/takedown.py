"""Takedowns: the one way something published disappears, from every edition at once.

Numbered and append-only in the ledger, applied by every later publish and rebuild, leaving tombstones
that hold a digest and no content.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from typing import cast

from sankofa.core.errors import Refused
from sankofa.editions.locks import exclude_chunks
from sankofa.editions.reconcile import ServingTable
from sankofa.storage.postgres import Connection, UniqueViolation, sql
from sankofa.storage.queries import named

_SQL = named(__package__, "takedown.sql")


def take_down_issuer(
    connection: Connection, service_id: str, reason: str, tables: Sequence[ServingTable]
) -> list[int]:
    """Remove an issuer, with every id that resolves to it, and return the takedowns' numbers."""
    with connection.transaction():
        exclude_chunks(connection)
        members = [str(row[0]) for row in connection.execute(_SQL["members"], {"service_id": service_id})]
        if not members:
            raise Refused(f"{service_id} was never issued, or was taken down before")
        return [_remove(connection, "issuer", member, reason, tables) for member in members]


def take_down_withheld(
    connection: Connection, service_ids: Iterable[str], tables: Sequence[ServingTable]
) -> list[int]:
    """Remove parties no longer established to be organisations, and return the takedowns' numbers."""
    reason = "no longer established to be an organisation"
    with connection.transaction():
        exclude_chunks(connection)
        return [_remove(connection, "withheld", gone, reason, tables) for gone in service_ids]


def take_down_fact(connection: Connection, service_id: str, fact_id: uuid.UUID, reason: str) -> int:
    """Remove one fact of an issuer and return the takedown's number."""
    asked = {"service_id": service_id, "fact_id": str(fact_id), "reason": reason}
    try:
        with connection.transaction():
            exclude_chunks(connection)
            row = connection.execute(_SQL["take_down_fact"], asked).fetchone()
            number, rows_removed = cast("tuple[int, int]", row)
            if not rows_removed:
                raise Refused(f"{service_id} has no fact {fact_id} in any edition")
    except UniqueViolation:
        raise Refused(f"fact {fact_id} was taken down before") from None
    return number


def _remove(
    connection: Connection, kind: str, service_id: str, reason: str, tables: Sequence[ServingTable]
) -> int:
    """Delete an id's rows from every table, whatever their edition, and bury them, in one statement."""
    deletions, buried = [], []
    for table in tables:
        if table.about is None:
            continue
        names = {
            "about": sql.SQL(table.about),
            "table": sql.Identifier("serving", table.name),
            "deleted": sql.Identifier(f"deleted_{table.name}"),
            "forgotten": sql.Identifier(f"forgotten_{table.name}"),
            "dataset": sql.Literal(table.name),
        }
        deletions.append(sql.SQL(_DELETE).format(**names))
        buried.append(sql.SQL(_BURY).format(**names))
        if table.owns_provenance:
            deletions.append(sql.SQL(_FORGET).format(**names))
    statement = sql.SQL(_TAKE_DOWN).format(
        deletions=sql.SQL(", ").join(deletions), gone=sql.SQL(" UNION ALL ").join(buried)
    )
    asked = {"kind": kind, "service_id": service_id, "reason": reason}
    return cast("tuple[int]", connection.execute(statement, asked).fetchone())[0]


_DELETE = """
{deleted} AS (
    DELETE FROM {table} AS departed WHERE {about} RETURNING departed
)
"""
# A filing is one issuer's, so nobody else's row loses its provenance.
_FORGET = """
{forgotten} AS (
    DELETE FROM serving.provenance AS provenance USING {deleted}
    WHERE provenance.provenance_id = ({deleted}.departed).provenance_id
)
"""
_BURY = """
SELECT {dataset} AS dataset, (departed).row_id, (departed).published_in, (departed).superseded_in,
    sha256(convert_to(departed::text, 'UTF8')) AS digest
FROM {deleted}
"""
_TAKE_DOWN = """
WITH numbered AS (
    INSERT INTO ledger.takedown (takedown, kind, target, reason)
    SELECT coalesce(max(takedown.takedown), 0) + 1, %(kind)s, %(service_id)s, %(reason)s
    FROM ledger.takedown AS takedown
    RETURNING takedown
),
{deletions},
gone AS ({gone}),
told AS (
    INSERT INTO serving.takedown (takedown, in_edition, rows_removed)
    SELECT numbered.takedown, serving.current_edition(), (SELECT count(*) FROM gone) FROM numbered
),
buried AS (
    INSERT INTO ops.tombstone (dataset, row_id, published_in, superseded_in, digest, service_id, takedown)
    SELECT gone.dataset, gone.row_id, gone.published_in, gone.superseded_in, gone.digest, %(service_id)s,
        numbered.takedown
    FROM gone CROSS JOIN numbered
)
SELECT takedown FROM numbered
"""
