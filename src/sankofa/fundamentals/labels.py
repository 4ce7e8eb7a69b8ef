"""Fiscal labels of a chunk: from the declarations and periods of its filings to the table `label`."""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from typing import NamedTuple, cast

from sankofa.fundamentals.fiscal import YEAR, DatedLabel, Declaration, Period, labels
from sankofa.storage.postgres import Connection, copy_line
from sankofa.storage.queries import named

VERSION = "1"  # raised when a rule of labels changes: every issuer is then labelled anew

_SQL = named(__package__, "rules.sql")
_POSITIONS = {
    "FY": 12, "Q4": 12, "H2": 12, "Q3": 9, "9M": 9, "Q2": 6, "H1": 6, "Q1": 3,
}  # fmt: skip
_ANNUAL_FORMS = ("10-K", "20-F", "40-F", "AFR", "DFP")
_QUARTERLY_FORM = "10-Q"
_YEARS_APART = 1  # a fiscal year further from the calendar's is a mistake
_MONTH = 365.25 / 12


class Filed(NamedTuple):
    """One filing as `declared` returns it."""

    service_id: str
    available_at: date
    own_end: date
    form: str | None
    fiscal_year: int | None
    fiscal_period: str | None
    fiscal_year_end: str | None
    year_start: date | None


def label_periods(connection: Connection) -> None:
    """Fill the temporary table `label` for the issuers of the temporary table `reported_value`."""
    declared = defaultdict(list)
    for row in cast("list[Filed]", connection.execute(_SQL["declared"]).fetchall()):
        filed = Filed(*row)
        if declaration := declaration_of(filed):
            declared[filed.service_id].append(declaration)
    quarterly = dict(cast("list[tuple[str, date]]", connection.execute(_SQL["quarterly"]).fetchall()))
    periods = defaultdict(list)
    for service_id, start, end in cast(
        "list[tuple[str, date | None, date]]", connection.execute(_SQL["periods"]).fetchall()
    ):
        periods[service_id].append(Period(start, end))
    lines = [
        _line(service_id, period, since, until)
        for service_id, spans in periods.items()
        for period, dated in labels(spans, declared[service_id], quarterly.get(service_id))
        for since, until in zip(dated, [*(after.since for after in dated[1:]), None], strict=True)
    ]
    connection.execute(_SQL["label_table"])
    with connection.cursor() as cursor, cursor.copy(_SQL["copy_labels"]) as copy:
        copy.write("".join(lines))
    connection.execute("ANALYZE label")


def declaration_of(filed: Filed) -> Declaration | None:
    """Return what a filing declares about its own period, or None if it declares nothing that can be true."""
    form = filed.form or ""
    is_annual = form.startswith(_ANNUAL_FORMS)
    position = _POSITIONS.get(filed.fiscal_period or "")
    if position is None and filed.fiscal_year_end:
        position = _position(filed.own_end, filed.fiscal_year_end)
    year_start = filed.year_start if is_annual else None
    declaration = Declaration(filed.available_at, filed.own_end, position or YEAR, None, year_start)
    if position is None and not (is_annual and declaration.has_full_year):
        return None
    if (position == YEAR and form.startswith(_QUARTERLY_FORM)) or (is_annual and (position or YEAR) != YEAR):
        return None
    fiscal_year = filed.fiscal_year
    if fiscal_year is None or abs(fiscal_year - declaration.year_end.year) > _YEARS_APART:
        return declaration
    return declaration._replace(fiscal_year=fiscal_year)


def _position(end: date, year_end: str) -> int | None:
    """Return how many months of the fiscal year are over at `end`, if whole quarters are."""
    month, day = int(year_end[:2]), int(year_end[2:])
    last = date(end.year, month, 1).toordinal() + day - 1
    months = round((end.toordinal() - last) / _MONTH) % YEAR or YEAR
    return months if months % 3 == 0 else None


def _line(service_id: str, period: Period, dated: DatedLabel, until: date | None) -> str:
    label = dated.label
    return copy_line(
        service_id,
        period.start or "-infinity",
        period.end,
        dated.since,
        until,
        label.period_type or "",
        label.fiscal_year,
        label.unlabelled,
    )
