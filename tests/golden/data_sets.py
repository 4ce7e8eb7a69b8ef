"""Headline items of every filing in the data sets, as rows."""

from __future__ import annotations

import calendar
from datetime import date, timedelta
from typing import NamedTuple

from golden import statements
from golden.filings import columns, read


class Stated(NamedTuple):
    """One headline number as a filer states it."""

    cik: str
    name: str
    item: str
    start: str  # empty for an instant
    end: str
    value: str
    unit: str
    concept: str
    accession: str
    filed: str


def stated(paths):
    """Yield the headline items of each filing in some archives."""
    for path in paths:
        for filing in read(path):
            yield from of_filing(filing)


def of_filing(filing):
    """Yield the headline items of a filing, column by column."""
    for name, reading in (
        ("IS", statements.income),
        ("BS", statements.balance),
        ("CF", statements.cash_flows),
    ):
        lines = filing.statements.get(name, [])
        for column in columns(lines):
            if (column[1] == 0) != (name == "BS") or column[1] > 4:
                continue
            found = dict(reading(lines, column))
            for item, line in found.items():
                yield _row(filing, item, column, line.values[column], column[2], line.concept)
            if name == "IS" and "net_income_attributable_to_parent" in found:
                owners = found["net_income_attributable_to_parent"].values[column]
                for item, line, value, unit in statements.per_share(lines, column, owners):
                    yield _row(filing, item, column, value, unit, line.concept)


def _row(filing, item, column, value, unit, concept):  # noqa: PLR0917 - the fields of a row
    end, quarters, _ = column
    start = _start(end, quarters) if quarters else ""
    exact = f"{value.normalize():f}"
    return Stated(
        filing.cik, filing.name, item, start, end, exact, unit, concept, filing.number, filing.filed
    )


def _start(end, quarters):
    """Return the first day of so many quarters that end with the last day of a month."""
    last = date.fromisoformat(end)
    months = last.year * 12 + last.month - 1 - 3 * quarters
    year, month = divmod(months, 12)
    day = min(last.day, calendar.monthrange(year, month + 1)[1])
    if last.day == calendar.monthrange(last.year, last.month)[1]:
        day = calendar.monthrange(year, month + 1)[1]
    return (date(year, month + 1, day) + timedelta(days=1)).isoformat()
