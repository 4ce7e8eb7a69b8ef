"""What ingestion appends to the ledger: filings and their facts, each value once per filing.

Safe to repeat: a document that shows nothing new appends nothing. Safe in any order: a value is kept
with the earliest fetched document that shows it, whenever that document arrives.
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
    """Return the day the public could know a filing: the later of the regulator's day and the UTC day."""
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
    connection.execute(_SQL["know_subjects"])
    connection.execute(_SQL["know_concepts"])


def append(connection: Connection, source: str, document_id: int, fetched_at: datetime, sha256: bytes) -> int:
    """Append what is staged and new to the ledger and return how many facts that was."""
    told = {"source": source, "document_id": document_id, "fetched_at": fetched_at, "sha256": sha256}
    for name in ("know_filings", "match_filings", "append_new", "append_known", "append_declared"):
        connection.execute(_SQL[name], told)
    return cast("tuple[int]", connection.execute(_SQL["count_appended"]).fetchone())[0]


def touch(connection: Connection, batch_id: int) -> None:
    """Record whom the batch said something new about."""
    connection.execute(_SQL["touch_subjects"], {"batch_id": batch_id})


def touched(connection: Connection) -> set[int]:
    """Return whom the staged document said something new about."""
    return {
        subject_id
        for (subject_id,) in cast("list[tuple[int]]", connection.execute(_SQL["touched_subjects"]).fetchall())
    }


def compare(connection: Connection, source: str, document_id: int, scale: Scale) -> int:
    """Note in `moved` how known values of line items changed, and return how many were known."""
    values = {"source": source, "document_id": document_id, "concepts": _concepts(), **scale._asdict()}
    connection.execute(_SQL["newly_stated"], values)
    connection.execute("ANALYZE newly_stated")
    return cast("tuple[int]", connection.execute(_SQL["compare"], values).fetchone())[0]


def mapped(connection: Connection) -> int:
    """Return how many of the staged facts have a concept that stands for a line item."""
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
