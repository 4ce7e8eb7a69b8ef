"""Verify editions: read the sealed rows again, and report every row that differs.

Read only. Rows are read in the order in which they were sealed, so memory stays small; the first finding is
that of the first edition that differs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import cast

from sankofa.editions.chain import Chain, Finding
from sankofa.editions.differences import KeptBlock, differences
from sankofa.editions.digests import OWN_TABLES, Reader, Row, groups, row_number, sealed_as
from sankofa.editions.manifest import Sealed
from sankofa.editions.reconcile import NEVER
from sankofa.storage.postgres import sql
from sankofa.storage.queries import named

_SQL = named(__package__, "verify.sql") | named(__package__, "digests.sql")
_MOST_FINDINGS = 100  # of one table in one edition; these are enough to show that it was rewritten
_STEP = 1_000

Advance = Callable[[int], None]  # rows that were read since the last time


def check(reader: Reader, chain: Chain, part: str | None, advance: Advance) -> Iterator[Finding]:
    """Check the rows of the editions of a chain, in their order; of all tables or of one."""
    for edition, manifest in chain.manifests.items():
        sealed = {line.name: line for line in manifest.parts}
        kept = {str(row[0]) for row in reader.connection.execute(_SQL["parts"], {"edition": edition})}
        with reader.steadily():
            taken_in = reader.taken_in(edition)
        for name in dict.fromkeys((*sealed, *sorted(kept), *taken_in)):
            if part in (None, name):
                with reader.steadily():
                    found = _check_part(reader, edition, name, sealed.get(name), advance)
                    yield from islice(found, _MOST_FINDINGS)
        if "serving.closing" in sealed:
            yield from _unclosed(reader, edition, part)
    for name in reader.numbered:
        if part in (None, name):
            yield from _beyond(reader, name)
    for name, column in reader.documents.items():
        if part in (None, name):
            yield from _unread(reader, name, column)


def _check_part(
    reader: Reader, edition: int, part: str, sealed: Sealed | None, advance: Advance
) -> Iterator[Finding]:
    values = {"part": part, "edition": edition}
    kept = cast(
        "list[tuple[int, int, str, bytes]]", reader.connection.execute(_SQL["blocks"], values).fetchall()
    )
    blocks = [KeptBlock(*block) for block in kept]
    numbered = [(block.number, block.rows, block.digest) for block in blocks]
    if (sealed or sealed_as(part, [])) != sealed_as(part, numbered):
        yield Finding(edition, part, "", "its blocks are not those that the edition's manifest names")
    if reader.connection.execute(_SQL["groups"], values).fetchall() != list(groups(numbered)):
        yield Finding(edition, part, "", "its groups are not those of its blocks")
    if part in reader.numbered:
        after = reader.last_sealed(part, edition)
        until = row_number(blocks[-1].last_key) if blocks else after
        rows = reader.numbered_rows(part, edition, after, until)
        beside = _beside(reader, edition, part, after, until)
    elif part in reader.held_tables or part in OWN_TABLES:
        rows, beside = reader.held(part, edition), iter(())
    else:
        yield Finding(edition, part, "", "this version knows no such table")
        return

    def marks(first: int, last: int) -> bytes:
        found = reader.connection.execute(_SQL["marks"], values | {"first": first, "last": last})
        return b"".join(cast("tuple[bytes]", row)[0] for row in found)

    for key, what in differences(blocks, marks, _counted(reader.read(rows), advance)):
        yield Finding(edition, part, key, _of_tombstone(reader, part, key) or what)
    yield from beside


def _counted(rows: Iterable[Row], advance: Advance) -> Iterator[Row]:
    count = 0
    for count, row in enumerate(rows, 1):
        yield row
        if count % _STEP == 0:
            advance(_STEP)
    advance(count % _STEP)


def _of_tombstone(reader: Reader, part: str, key: str) -> str | None:
    """Return a message if the row has a tombstone: then that was altered, and not the row."""
    if part not in reader.numbered or not key.isdecimal():
        return None
    values = {"dataset": part.removeprefix("serving."), "row_id": int(key)}
    found = reader.connection.execute(_SQL["is_buried"], values).fetchone()
    return "its tombstone was altered or forged" if found else None


# What a table of editions must agree with, besides its own digest. Named by what is wrong with a row.
_ALTERED_REMAINS = """
SELECT buried.row_id
FROM (
    SELECT DISTINCT ON (row_id) row_id, remains FROM ops.tombstone
    WHERE dataset = %(dataset)s AND row_id > %(after)s AND row_id <= %(until)s
    ORDER BY row_id, takedown DESC
) AS buried
LEFT JOIN {table} AS stood USING (row_id)
WHERE buried.remains IS DISTINCT FROM CASE WHEN stood.row_id IS NOT NULL THEN {hash} END
ORDER BY buried.row_id
"""
_CLOSED_WITHOUT_CLOSING = """
SELECT stood.row_id FROM {table} AS stood
WHERE stood.row_id > %(after)s AND stood.row_id <= %(until)s AND stood.superseded_in <> {never}
    AND NOT EXISTS (
        SELECT FROM serving.closing AS closing
        WHERE closing.dataset = %(dataset)s AND closing.closed_in = stood.superseded_in
            AND closing.row_id = stood.row_id
    )
ORDER BY stood.row_id
"""
_CLOSING_WITHOUT_CLOSED = """
SELECT closing.row_id FROM serving.closing AS closing
WHERE closing.dataset = %(dataset)s AND closing.closed_in = %(edition)s
    AND NOT EXISTS (
        SELECT FROM {table} AS stood
        WHERE stood.row_id = closing.row_id AND stood.superseded_in = closing.closed_in
    )
    AND NOT EXISTS (
        SELECT FROM ops.tombstone AS buried
        WHERE buried.dataset = closing.dataset AND buried.row_id = closing.row_id AND buried.remains IS NULL
    )
ORDER BY closing.row_id
"""


def _beside(reader: Reader, edition: int, part: str, after: int, until: int) -> Iterator[Finding]:
    form = reader.forms.of(part, edition)
    names = {"table": form.identifier, "hash": form.row_hash("stood"), "never": sql.Literal(NEVER)}
    values = {"dataset": part.removeprefix("serving."), "after": after, "until": until}
    for row in reader.connection.execute(sql.SQL(_ALTERED_REMAINS).format(**names), values):
        yield Finding(edition, part, str(row[0]), "is not what its takedown left of it")
    if part not in reader.beside:
        for row in reader.connection.execute(sql.SQL(_CLOSED_WITHOUT_CLOSING).format(**names), values):
            yield Finding(edition, part, str(row[0]), "ends in an edition that did not close it")


def _unclosed(reader: Reader, edition: int, only: str | None) -> Iterator[Finding]:
    """Yield rows that the edition closed and that do not end there."""
    for dataset in reader.datasets:
        part = f"serving.{dataset}"
        if only in (None, part):
            statement = sql.SQL(_CLOSING_WITHOUT_CLOSED).format(table=reader.forms.newest(part).identifier)
            for row in reader.connection.execute(statement, {"dataset": dataset, "edition": edition}):
                yield Finding(edition, part, str(row[0]), "was closed by the edition and does not end there")


_BEYOND = """
SELECT stood.published_in, stood.row_id FROM {table} AS stood
WHERE stood.row_id > %(after)s
    AND stood.published_in <= (SELECT max(edition.edition) FROM serving.edition AS edition)
ORDER BY stood.row_id
"""


def _beyond(reader: Reader, part: str) -> Iterator[Finding]:
    """Yield rows of published editions that come after all sealed rows."""
    form = reader.forms.newest(part)
    if "published_in" in form.columns:
        values = {"after": reader.last_sealed(part, NEVER)}
        for edition, row_id in reader.connection.execute(
            sql.SQL(_BEYOND).format(table=form.identifier), values
        ):
            yield Finding(cast(int, edition), part, str(row_id), "added")


# One step of the index for each document, however many rows it has.
_UNREAD = """
WITH RECURSIVE step AS (
    (SELECT {column} AS document_id FROM {table} ORDER BY {column} LIMIT 1)
    UNION ALL
    SELECT (
        SELECT next.{column} FROM {table} AS next
        WHERE next.{column} > step.document_id ORDER BY next.{column} LIMIT 1
    )
    FROM step WHERE step.document_id IS NOT NULL
)
SELECT step.document_id FROM step
WHERE step.document_id > 0 AND NOT EXISTS (
    SELECT FROM ops.batch AS batch WHERE batch.document_id = step.document_id AND batch.outcome = 'accepted'
)
"""


def _unread(reader: Reader, part: str, column: str) -> Iterator[Finding]:
    """Yield rows of a document that was never accepted."""
    names = {"table": reader.forms.newest(part).identifier, "column": sql.Identifier(column)}
    for row in reader.connection.execute(sql.SQL(_UNREAD).format(**names)):
        yield Finding(0, part, f"{column} {row[0]}", "rows of a document that no batch accepted")
