"""Append filings and their facts to the ledger, each value once per filing.

Safe to repeat: a document without new values appends nothing. Safe in any order: a value is kept with the
earliest fetched document that contains it, whenever that document arrives.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from functools import cache
from typing import cast

from sankofa.drift.screen import Scale
from sankofa.fundamentals.line_items import load_map
from sankofa.fundamentals.model import Filing
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__, "record.sql") | named(__package__, "drift.sql")
EXTENT = _SQL["extent"]  # different keys, and the last day of the newest period
_INSTANT = "-infinity"


def available_at(filing: Filing) -> date:
    """Return the day on which a filing became public: the later of the regulator's day and the UTC day."""
    return max(filing.filed, filing.accepted_at.date()) if filing.accepted_at else filing.filed


def stage(connection: Connection, filings: Iterable[Filing]) -> int:
    """Copy a document's filings into this session's staging tables and return the number of facts."""
    connection.execute(_SQL["stage"])
    heads: list[tuple[object, ...]] = []
    facts = 0
    with connection.cursor() as cursor, cursor.copy(_SQL["copy_facts"]) as copy:
        for number, filing in enumerate(filings):
            heads.append(_head(number, filing))
            for fact in filing.facts:
                copy.write_row(
                    (
                        number,
                        fact.concept,
                        fact.period_start or _INSTANT,
                        fact.period_end,
                        fact.unit,
                        fact.scope,
                        fact.value,
                        fact.decimals,
                    )
                )
            facts += len(filing.facts)
    with connection.cursor() as cursor, cursor.copy(_SQL["copy_filings"]) as copy:
        for head in heads:
            copy.write_row(head)
    connection.execute(_SQL["analyze"])
    return facts


def register(connection: Connection) -> None:
    """Insert new subjects and concepts and commit immediately, so that concurrent ingests share their ids.

    Not part of the batch: an ingest that runs long would make every other one that meets the same name wait.
    """
    connection.execute(_SQL["insert_subjects"])
    connection.execute(_SQL["insert_concepts"])


def append(connection: Connection, source: str, document_id: int, fetched_at: datetime, sha256: bytes) -> int:
    """Append the new staged rows to the ledger and return the number of new facts."""
    values = {"source": source, "document_id": document_id, "fetched_at": fetched_at, "sha256": sha256}
    for name in ("insert_filings", "match_filings", "append_new", "append_known", "append_declared"):
        connection.execute(_SQL[name], values)
    return cast("tuple[int]", connection.execute(_SQL["count_appended"]).fetchone())[0]


def touch(connection: Connection, batch_id: int) -> None:
    """Record the subjects for which the batch has new values."""
    values = {"batch_id": batch_id, "subject_ids": sorted(touched(connection))}
    connection.execute(_SQL["touch_subjects"], values)


def touched(connection: Connection) -> set[int]:
    """Return the ids of the subjects for which the staged document has new values."""
    return {
        subject_id
        for (subject_id,) in cast("list[tuple[int]]", connection.execute(_SQL["touched_subjects"]).fetchall())
    }


def compare(connection: Connection, source: str, document_id: int, scale: Scale) -> int:
    """Insert changes of known values of line items into `moved`; return the number of known values."""
    values = {"source": source, "document_id": document_id, "concepts": _concepts(), **scale._asdict()}
    values["known"] = [row[0] for row in connection.execute(_SQL["known_filers"], values)]
    if not values["known"]:
        return 0
    connection.execute(_SQL["new_values"], values)
    connection.execute("ANALYZE new_value")
    return cast("tuple[int]", connection.execute(_SQL["compare"], values).fetchone())[0]


def mapped(connection: Connection) -> int:
    """Return the number of staged facts whose concept belongs to a line item."""
    row = connection.execute(_SQL["count_mapped"], {"concepts": _concepts()}).fetchone()
    return cast("tuple[int]", row)[0]


@cache
def _concepts() -> list[str]:
    """Return the concepts of all line items."""
    return [entry.concept for entry in load_map()]


def _head(number: int, filing: Filing) -> tuple[object, ...]:
    return (
        number,
        filing.subject,
        filing.number,
        filing.form,
        filing.filed,
        filing.accepted_at,
        available_at(filing),
        filing.basis,
        filing.report_period,
        filing.is_rounded,
        filing.true_end,
        *filing.declared,
    )
