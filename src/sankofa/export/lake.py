"""The tables of the lake: the statements that select the rows of each, and the shape of file rows.

A statement reads a range of row ids of the editions `first` to `last`. Facts of earlier editions are written
again if rows joined to them changed; `…_before` is the last row id of a table before `first`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sankofa.core.countries import countries
from sankofa.core.dataset import Bulk, Dataset, Joined
from sankofa.datasets import DATASETS
from sankofa.storage.parquet import Columns
from sankofa.storage.postgres import sql

FACTS_AT_ONCE = 100_000  # row ids per statement: about a second; a slower range is halved

CLOSINGS: Columns = (
    ("row_id", "BIGINT"),
    ("published_in", "INTEGER"),
    ("closed_in", "INTEGER"),
    ("reason", "VARCHAR"),
)
SELECT_CLOSINGS = "SELECT row_id, published_in, closed_in, reason FROM gathered ORDER BY row_id, published_in"

_PUT = """
SELECT record.* FROM {view} AS record
WHERE
    record.{row} > %(after)s AND record.{row} <= %(until)s
    AND record.published_in BETWEEN %(first)s AND %(last)s
"""
# Rows that the statement of an earlier table selects are left out here.
_PUT_BEFORE = " AND record.{row} <= {last}"
_CLOSED = """
SELECT record.row_id, record.published_in, closing.closed_in, closing.reason::text AS reason
FROM serving.closing AS closing
INNER JOIN {view} AS record ON closing.row_id = record.{row} AND closing.closed_in = record.superseded_in
WHERE
    closing.dataset = {table} AND closing.closed_in BETWEEN %(first)s AND %(last)s
    AND closing.row_id > %(after)s AND closing.row_id <= %(until)s
"""
# A row that several closings end in one edition is written once.
_NOT_CLOSED = """
    AND NOT EXISTS (
        SELECT FROM serving.closing AS own
        WHERE own.dataset = {table} AND own.closed_in = closing.closed_in AND own.row_id = record.{row}
    )
"""


@dataclass(frozen=True, slots=True)
class Source:
    """A statement, and the table whose row ids it walks."""

    statement: str
    table: str
    step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LakeTable:
    """One table that is sold in bulk: all rows of all editions."""

    name: str
    facts: Source  # rows that the editions of the range put
    joined: tuple[Source, ...]  # rows that changed because joined rows changed
    closed: tuple[Source, ...]
    columns: Columns
    select: str  # SELECT that shapes gathered rows for a file
    rests_on: str  # the table whose licence it has, if its rows name none


def lake_tables(datasets: Iterable[Dataset]) -> dict[str, LakeTable]:
    """Return the tables of the datasets, by name."""
    found = (_lake(bulk) for one in datasets for bulk in one.bulk)
    return {lake.name: lake for lake in sorted(found, key=lambda lake: lake.name)}


def _lake(bulk: Bulk) -> LakeTable:
    tables = (Joined(bulk.facts.name, "row_id", FACTS_AT_ONCE), *bulk.joined)
    put, *joined = _sources(bulk.view, tables, _PUT, _PUT_BEFORE)
    return LakeTable(
        name=bulk.name,
        rests_on=bulk.rests_on,
        facts=put,
        joined=tuple(joined),
        closed=tuple(_sources(bulk.view, tables, _CLOSED, _NOT_CLOSED)),
        columns=tuple((column.name, column.type) for column in bulk.columns),
        select=_select(bulk),
    )


def _sources(view: str, tables: tuple[Joined, ...], statement: str, unless: str) -> Iterator[Source]:
    """Yield a statement for each table, without the rows of the statements before it."""
    for place, one in enumerate(tables):
        parts = (sql.SQL(statement), *(sql.SQL(unless) for _ in tables[:place]))
        named = (one, *tables[:place])
        text = sql.SQL("").join(
            part.format(
                view=sql.Identifier("serving", view),
                table=sql.Literal(each.table),
                row=sql.Identifier(each.row),
                last=sql.Placeholder(f"{each.table}_before"),
            )
            for part, each in zip(parts, named, strict=True)
        )
        yield Source(text.as_string(), one.table, one.step)


def _select(bulk: Bulk) -> str:
    # A part of a country (US-DE) begins with the country's own code.
    codes = ", ".join(f"'{known.alpha2}': '{known.alpha3}'" for known in sorted(countries()))
    columns = (
        f'MAP {{{codes}}}[upper({bulk.alpha3_of[name]}[:2])] AS "{name}"'
        if name in bulk.alpha3_of
        else f'"{name}"'
        for name, *_ in bulk.columns
    )
    return f"SELECT {', '.join(columns)} FROM gathered ORDER BY {bulk.order}"  # noqa: S608  # our own names


EXPORTED = lake_tables(DATASETS)
