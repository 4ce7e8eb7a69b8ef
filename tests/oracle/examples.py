"""Short ways to write a history by hand."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from decimal import Decimal

from oracle.companyfacts import Entry, companyfacts
from oracle.events import Document, FactId, Ingest
from oracle.rows import Row

SOURCE = "sec"
ACME, ACME_AGAIN, ACME_OLD = "cik:0000000007", "cik:0000000008", "cik:0000000009"
REVENUES = "us-gaap:Revenues"
LINE_ITEMS = """line_item,rank,concept,kind,definition
revenue,1,us-gaap:Revenues,duration,Preferred
revenue,2,us-gaap:SalesRevenueNet,duration,Second choice
assets,1,us-gaap:Assets,instant,Total
"""

day = date.fromisoformat


def year(number: int) -> tuple[date, date]:
    return date(number, 1, 1), date(number, 12, 31)


def says(
    value: str | None,
    filed: str,
    accession: str,
    period: tuple[date | None, date] = year(2020),
    *,
    concept: str = REVENUES,
    unit: str = "USD",
) -> Entry:
    """One value of a filing: the revenue of 2020 unless told otherwise."""
    return Entry(concept, *period, unit, value, accession, day(filed))


def fact(value: str, accession: str) -> FactId:
    """What `says` said of the revenue of 2020."""
    return FactId(SOURCE, accession, REVENUES, *year(2020), "USD", Decimal(value))


def ingest(*entries: Entry, cik: int = 7, fetched: str = "2024-01-01", source: str = SOURCE) -> Ingest:
    fetched_at = datetime.combine(day(fetched), time(), UTC)
    return Ingest(Document(source, fetched_at, companyfacts(cik, "Acme", entries)))


def values(rows: list[Row] | None) -> list[str]:
    assert rows is not None
    return [str(row["value_reported"]) for row in rows]


def numbered(rows: list[Row] | None) -> list[tuple[int, str]]:
    assert rows is not None
    return [(row["vintage"], str(row["value_reported"])) for row in rows]
