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
from sankofa.editions.rows import forms
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
            known = forms(connection)
            statement = sql.SQL(_TAKE_DOWN_FACT).format(
                fact=known["serving.fundamentals_fact"].row_hash("fact"),
                metric=known["serving.metric_value"].row_hash("measured"),
                artifact=known["serving.artifact"].row_hash("listed"),
            )
            row = connection.execute(statement, asked).fetchone()
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
    known = forms(connection)
    for table in tables:
        if table.about is None:
            continue
        names = {
            "about": sql.SQL(table.about),
            "table": sql.Identifier("serving", table.name),
            "deleted": sql.Identifier(f"deleted_{table.name}"),
            "forgotten": sql.Identifier(f"forgotten_{table.name}"),
            "dataset": sql.Literal(table.name),
            "departed_hash": known[f"serving.{table.name}"].row_hash("departed"),
            "forgotten_hash": known["serving.provenance"].row_hash("provenance"),
        }
        deletions.append(sql.SQL(_DELETE).format(**names))
        buried.append(sql.SQL(_BURY).format(**names))
        if table.owns_provenance:
            deletions.append(sql.SQL(_FORGET).format(**names))
            buried.append(sql.SQL(_BURY_FORGOTTEN).format(**names))
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
    RETURNING provenance
)
"""
_BURY = """
SELECT {dataset} AS dataset, (departed).row_id, (departed).published_in, (departed).superseded_in,
    {departed_hash} AS digest
FROM {deleted}
"""
_BURY_FORGOTTEN = """
SELECT 'provenance' AS dataset, (provenance).row_id, NULL::integer AS published_in,
    NULL::integer AS superseded_in, {forgotten_hash} AS digest
FROM {forgotten}
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
    SELECT numbered.takedown, serving.current_edition(), (SELECT count(published_in) FROM gone) FROM numbered
),
buried AS (
    INSERT INTO ops.tombstone (dataset, row_id, published_in, superseded_in, digest, service_id, takedown)
    SELECT gone.dataset, gone.row_id, gone.published_in, gone.superseded_in, gone.digest, %(service_id)s,
        numbered.takedown
    FROM gone CROSS JOIN numbered
)
SELECT takedown FROM numbered
"""
# The row keeps its place without its value, so that no older vintage passes for the latest. What was computed
# from it, and the files that hold it, go with it; no older year takes its place, because each row knows the
# days it is for.
_TAKE_DOWN_FACT = """
WITH numbered AS (
    INSERT INTO ledger.takedown (takedown, kind, target, reason)
    SELECT coalesce(max(takedown.takedown), 0) + 1, 'fact', %(fact_id)s, %(reason)s
    FROM ledger.takedown AS takedown
    RETURNING takedown
),
gone AS (
    SELECT
        fact.row_id, fact.published_in, fact.superseded_in, {fact} AS digest
    FROM serving.fundamentals_fact AS fact
    WHERE fact.service_id = %(service_id)s AND fact.fact_id = %(fact_id)s::uuid
),
derived AS (
    DELETE FROM serving.metric_value AS measured
    WHERE
        measured.service_id = %(service_id)s
        AND measured.inputs && array(SELECT gone.row_id FROM gone)
    RETURNING
        measured.row_id, measured.published_in, measured.superseded_in, {metric} AS digest
),
unlisted AS (
    DELETE FROM serving.artifact AS listed
    WHERE
        listed.subject = 'AF-FUND' AND listed.kind = 'rows'
        AND EXISTS (
            SELECT FROM gone
            WHERE
                gone.published_in BETWEEN listed.first_edition AND listed.last_edition
                AND gone.row_id > listed.after_row AND gone.row_id <= listed.until_row
        )
    RETURNING listed.row_id, listed.published_in, listed.superseded_in, {artifact} AS digest
),
emptied AS (
    UPDATE serving.fundamentals_fact AS fact SET value = NULL FROM gone
    WHERE fact.row_id = gone.row_id
    RETURNING fact.row_id, {fact} AS remains
),
removed AS (
    SELECT 'fundamentals_fact' AS dataset, gone.*, emptied.remains
    FROM gone INNER JOIN emptied ON gone.row_id = emptied.row_id
    UNION ALL
    SELECT 'metric_value' AS dataset, derived.*, NULL AS remains FROM derived
    UNION ALL
    SELECT 'artifact' AS dataset, unlisted.*, NULL AS remains FROM unlisted
),
told AS (
    INSERT INTO serving.takedown (takedown, in_edition, rows_removed)
    SELECT numbered.takedown, serving.current_edition(), (SELECT count(*) FROM removed) FROM numbered
),
buried AS (
    INSERT INTO ops.tombstone (
        dataset, row_id, published_in, superseded_in, digest, remains, service_id, takedown
    )
    SELECT
        removed.dataset, removed.row_id, removed.published_in, removed.superseded_in, removed.digest,
        removed.remains, %(service_id)s, numbered.takedown
    FROM removed CROSS JOIN numbered
)
SELECT numbered.takedown, (SELECT count(*) FROM gone) AS rows_removed FROM numbered
"""
