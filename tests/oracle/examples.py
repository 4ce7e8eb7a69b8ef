"""Short ways to write a history by hand."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

from oracle.companyfacts import Entry, companyfacts
from oracle.events import Document, FactId, Ingest
from oracle.filings import Filing, Period
from oracle.rows import Row

SOURCE = "sec"
ACME, ACME_AGAIN, ACME_OLD = "cik:0000000007", "cik:0000000008", "cik:0000000009"
REVENUES = "us-gaap:Revenues"
LINE_ITEMS = """line_item,rank,concept,kind,definition
revenue,1,us-gaap:Revenues,monetary,Preferred
revenue,2,us-gaap:SalesRevenueNet,monetary,Second choice
assets,1,us-gaap:Assets,monetary,Total
"""

day = date.fromisoformat
YEAR_2021 = ("2021-01-01", "2021-12-31")


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
    form: str = "10-K",
    declares: tuple[int | None, str | None] = (None, None),
) -> Entry:
    """One value of a filing, by default the revenue of 2020; `declares` is its fiscal year and period."""
    return Entry(concept, *period, unit, value, accession, day(filed), form, *declares)


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


def period(start: str | None, end: str) -> Period:
    return (day(start) if start else None, day(end))


def filing(
    form: str,
    end: str,
    *,
    fp: str | None = None,
    fy: int | None = None,
    fye: str | None = None,
    filed: str | None = None,
    periods: Iterable[tuple[str | None, str]] = (),
) -> Filing:
    """A filing whose own period ends on a day, filed 40 days later; it holds a moment and some periods."""
    return Filing(
        source=SOURCE,
        accession=f"{form} {end}",
        filed=day(filed) if filed else day(end) + timedelta(days=40),
        form=form,
        fiscal_year=fy,
        fiscal_period=fp,
        fiscal_year_end=fye,
        periods=frozenset([(None, day(end)), *(period(*one) for one in periods)]),
        own_end=day(end),
    )
