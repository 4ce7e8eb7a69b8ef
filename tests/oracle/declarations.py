"""What filings declare about the fiscal year (FUN-4)."""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

from oracle.filings import Filing
from oracle.months import add_months, last_of_month, length, months_between

POSITIONS = {"FY": 12, "Q4": 12, "H2": 12, "Q3": 9, "9M": 9, "Q2": 6, "H1": 6, "Q1": 3}
ANNUAL_FORMS = ("10-K", "20-F", "40-F", "annual report", "DFP")
QUARTERLY_FORM = "10-Q"
FULL_YEAR = range(350, 381)


class Declaration(NamedTuple):
    """The place of a filing's own period in the fiscal year, as the filing states it."""

    order: tuple[date, str, str]
    own_end: date
    position: int  # months of the fiscal year that have passed at the end of the own period
    stated_year: int | None
    is_annual: bool  # made by an annual form
    full_years: tuple[tuple[date, date], ...]  # 350-380 days to the end of the own period
    short_year: tuple[date, date] | None  # what an annual form without a full year states as its own

    @property
    def year_end(self) -> date:
        """The last day of the fiscal year that the own period belongs to."""
        return add_months(self.own_end, 12 - self.position)

    @property
    def shift(self) -> int | None:
        """The years by which the issuer's count differs from the calendar."""
        return None if self.stated_year is None else self.stated_year - calendar_year(self.year_end)

    def full_year_contains(self, day: date) -> bool:
        return any(start <= day <= end for start, end in self.full_years)


def calendar_year(year_end: date) -> int:
    """The year of a day; the first week of January counts to the year before."""
    return (year_end - timedelta(days=7)).year


def declaration(filing: Filing) -> Declaration | None:
    """The declaration of a filing, or None where it declares nothing."""
    position = _position(filing)
    is_annual = is_annual_form(filing.form)
    if filing.own_end is None or position is None or _is_contradictory(filing.form, position):
        return None
    year_end = add_months(filing.own_end, 12 - position)
    year = filing.fiscal_year
    own = [period for period in filing.durations_to_own_end() if length(*period) < FULL_YEAR.stop]
    full_years = tuple(period for period in own if length(*period) in FULL_YEAR)
    longest = max(own, key=lambda period: length(*period), default=None)
    is_short = is_annual and longest is not None and length(*longest) < FULL_YEAR.start
    return Declaration(
        order=filing.order,
        own_end=filing.own_end,
        position=position,
        stated_year=year if year is not None and abs(year - year_end.year) <= 1 else None,
        is_annual=is_annual,
        full_years=full_years,
        short_year=longest if is_short else None,
    )


def is_annual_form(form: str | None) -> bool:
    return form is not None and form.startswith(ANNUAL_FORMS)


def _is_contradictory(form: str | None, position: int) -> bool:
    if is_annual_form(form):
        return position < 12
    return form is not None and form.startswith(QUARTERLY_FORM) and position == 12


def _position(filing: Filing) -> int | None:
    if filing.own_end is None:
        return None
    if filing.fiscal_period in POSITIONS:
        return POSITIONS[filing.fiscal_period]
    if filing.fiscal_year_end is not None:
        months = months_between(_year_end_before(filing.own_end, filing.fiscal_year_end), filing.own_end)
        return None if months % 3 else months % 12 or 12
    has_full_year = any(length(*period) in FULL_YEAR for period in filing.durations_to_own_end())
    return 12 if is_annual_form(filing.form) and has_full_year else None


def _year_end_before(day: date, month_and_day: str) -> date:
    """The last day before another that has this month and day."""
    month, number = int(month_and_day[:2]), int(month_and_day[2:])
    months = [last_of_month(year, month) for year in (day.year - 1, day.year)]
    return max(end for last in months if (end := last.replace(day=min(number, last.day))) < day)
