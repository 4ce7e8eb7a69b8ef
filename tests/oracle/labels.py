"""The labels of periods on one day, from what the issuer had declared by then (FUN-4)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from math import ceil
from typing import Literal, NamedTuple

from oracle.declarations import Declaration, calendar_year, declaration
from oracle.filings import Filing
from oracle.months import add_months, is_last_of_month, length

QUARTER = range(77, 124)
NAMES = [
    (range(350, 381), {3: "TTM", 6: "TTM", 9: "TTM", 12: "FY"}),
    (range(245, 289), {9: "9M"}),
    (range(161, 204), {6: "H1", 12: "H2"}),
    (QUARTER, {3: "Q1", 6: "Q2", 9: "Q3", 12: "Q4"}),
]
Rule = Literal["same end", "later year", "year around", "nearest"]
DAYS_OFF_THE_COUNT = 10
DAYS_BETWEEN_YEARS = 45


class Place(NamedTuple):
    """A place in the fiscal year: months passed, and the year's number."""

    position: int
    fiscal_year: int


class Label(NamedTuple):
    period_type: str | None
    fiscal_year: int | None


NO_LABEL = Label(None, None)


class FiscalHistory:
    """What the filings of one issuer declare, in the order they became available."""

    def __init__(self, filings: Iterable[Filing]) -> None:
        in_order = sorted(filings, key=lambda filing: filing.order)
        self.declared = [(filing.filed, declaration(filing)) for filing in in_order]
        self.has_quarters_from = min((f.filed for f in in_order if _has_quarter(f)), default=date.max)

    def on(self, day: date) -> Labels:
        known = [declared for filed, declared in self.declared if declared is not None and filed <= day]
        return Labels(known, has_quarters=self.has_quarters_from <= day)


def _has_quarter(filing: Filing) -> bool:
    return any(start is not None and length(start, end) in QUARTER for start, end in filing.periods)


class Labels:
    """The labels of every period of one issuer on one day."""

    def __init__(self, declarations: list[Declaration], *, has_quarters: bool) -> None:
        self.declarations = declarations
        self.has_quarters = has_quarters
        shifts = [declared.shift for declared in self.declarations if declared.shift is not None]
        self.shift = shifts[-1] if shifts else 0

    def label(self, start: date | None, end: date) -> Label:
        place = self.place(start, end)
        if place is None or self._is_short_year(start, end):
            return NO_LABEL
        name = self._instant(place) if start is None else self._duration(length(start, end), place)
        return NO_LABEL if name is None else Label(name, place.fiscal_year)

    def _is_short_year(self, start: date | None, end: date) -> bool:
        here = [declared for declared in self.declarations if declared.is_annual and declared.own_end == end]
        has_full_year = any(declared.full_years for declared in here)
        return not has_full_year and any(declared.short_year == (start, end) for declared in here)

    def place(self, start: date | None, end: date) -> Place | None:
        """Where in the fiscal year a period ends, or None where no declaration reaches it."""
        source = self.source(end)
        if source is None:
            return None
        rule, declared = source
        if rule == "same end":
            return Place(declared.position, self._year_of(declared))
        return self._counted(declared, start, end)

    def source(self, end: date) -> tuple[Rule, Declaration] | None:
        """The declaration that a period with this end takes its place from, and by which rule."""
        around = [d for d in self.declarations if d.is_annual and d.full_year_contains(end)]
        here = [declared for declared in self.declarations if declared.own_end == end]
        if here:
            last = here[-1]
            is_later = around and around[-1].order[0] > last.order[0] and _differ(around[-1], last)
            return ("later year", around[-1]) if is_later else ("same end", last)
        if around:
            return ("year around", around[-1])
        fitting = [
            one for one in self.declarations if abs((end - _count(one, end)).days) <= DAYS_OFF_THE_COUNT
        ]
        return ("nearest", _nearest(fitting, end)) if fitting else None

    def _counted(self, declared: Declaration, start: date | None, end: date) -> Place | None:
        """The place of a day counted in quarters from a declared end, if it lies near enough to the count."""
        guess = round((end - declared.own_end).days / 91.3125)
        quarters = min(
            (guess - 1, guess, guess + 1),
            key=lambda number: abs((end - add_months(declared.own_end, 3 * number)).days),
        )
        count = add_months(declared.own_end, 3 * quarters)
        if abs((end - count).days) > DAYS_OFF_THE_COUNT:
            return None
        if start is None and not _falls_on(end, count, declared.own_end):
            return None
        months = declared.position + 3 * quarters
        years = ceil(months / 12) - 1
        return Place(months - 12 * years, self._year_of(declared) + years)

    def _year_of(self, declared: Declaration) -> int:
        if declared.stated_year is not None:
            return declared.stated_year
        return calendar_year(declared.year_end) + self.shift

    def _instant(self, place: Place) -> str | None:
        names = {3: "Q1", 6: "Q2" if self.has_quarters else "H1", 9: "Q3", 12: "FY"}
        return names[place.position]

    @staticmethod
    def _duration(days: int, place: Place) -> str | None:
        return next((names.get(place.position) for lengths, names in NAMES if days in lengths), None)


def _nearest(declarations: list[Declaration], end: date) -> Declaration:
    """The declaration whose own period ends nearest; of several at one distance, the last."""
    return min(reversed(declarations), key=lambda declared: abs((declared.own_end - end).days))


def _count(declared: Declaration, end: date) -> date:
    """The day nearest to an end that is a whole number of quarters from a declared end."""
    guess = round((end - declared.own_end).days / 91.3125)
    days = [add_months(declared.own_end, 3 * number) for number in (guess - 1, guess, guess + 1)]
    return min(days, key=lambda day: abs((end - day).days))


def _differ(annual: Declaration, other: Declaration) -> bool:
    """Whether the fiscal years of two declarations end too far apart to be the same year."""
    return abs((annual.year_end - other.year_end).days) > DAYS_BETWEEN_YEARS


def _falls_on(day: date, count: date, declared_end: date) -> bool:
    """Whether a balance sheet's day is exactly a number of quarters from a declared end."""
    if day == count or is_last_of_month(declared_end):
        return day == count
    return day.weekday() == declared_end.weekday() and abs((day - count).days) <= 7
