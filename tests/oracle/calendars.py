"""Invented fiscal calendars: month ends and 52/53 weeks, and the ways to change a year end."""

from __future__ import annotations

import calendar
from collections.abc import Iterator
from datetime import date
from random import Random
from typing import NamedTuple

from oracle.months import DAY, add_months, last_of_month

QUARTERS = (3, 6, 9, 12)


class Closing(NamedTuple):
    """The end of a reporting period: months into the fiscal year, and the day."""

    position: int
    day: date


class FiscalYear(NamedTuple):
    """A stretch of time that a filer counts as one year, and the days on which it closes its books."""

    start: date
    closings: tuple[Closing, ...]
    is_transition: bool = False


class Weeks(NamedTuple):
    """Years end on the Saturday that is the last of a month, or nearest to its end."""

    month: int
    is_nearest: bool

    def year_end(self, year: int) -> date:
        end = last_of_month(year, self.month)
        after_saturday = (end.weekday() - calendar.SATURDAY) % 7
        if self.is_nearest and after_saturday > 3:
            return end + (7 - after_saturday) * DAY
        return end - after_saturday * DAY

    def quarter_end(self, before: date, months: int) -> date:
        return before + 13 * 7 * (months // 3) * DAY


class Months(NamedTuple):
    """Years and quarters end with a month."""

    month: int

    def year_end(self, year: int) -> date:
        return last_of_month(year, self.month)

    def quarter_end(self, before: date, months: int) -> date:
        return add_months(before, months)


Pattern = Weeks | Months


def fiscal_years(rng: Random, first: int, years: int) -> Iterator[FiscalYear]:
    """The fiscal years of a filer; half of the filers change their year end on the way."""
    pattern: Pattern = Months(rng.choice([12, 12, 12, 3, 6, 9, rng.randint(1, 12)]))
    if rng.random() < 0.35:
        pattern = Weeks(rng.choice([12, 12, 12, 1, 9]), is_nearest=rng.random() < 0.7)
    changes_in = first + rng.randint(1, max(1, years - 1)) if rng.random() < 0.5 else None
    end = pattern.year_end(first)
    while end.year < first + years:
        if changes_in is not None and end.year >= changes_in:
            changes_in = None
            changed = rng.choice([_short, _long, _abandoned])(rng, pattern, end)
            yield changed
            pattern, end = _new_pattern(pattern, changed, end)
        else:
            following = _following(pattern, end)
            yield FiscalYear(end + DAY, _closings(pattern, end, following))
            end = following


def _following(pattern: Pattern, end: date) -> date:
    """The year end that is nearest to one year after another."""
    due = add_months(end, 12)
    return min(
        (pattern.year_end(year) for year in (due.year - 1, due.year, due.year + 1)),
        key=lambda day: abs((day - due).days),
    )


def _closings(pattern: Pattern, before: date, end: date) -> tuple[Closing, ...]:
    interim = [Closing(months, pattern.quarter_end(before, months)) for months in QUARTERS[:-1]]
    return (*interim, Closing(12, end))


def _short(rng: Random, pattern: Pattern, end: date) -> FiscalYear:
    """A transition period of some months that has a report of its own."""
    months = rng.choice([1, 2, 3, 3, 4, 6, 6, 6, 8, 9, 9])
    return FiscalYear(end + DAY, (Closing(12, _shifted(pattern, end, months)),), is_transition=True)


def _long(rng: Random, pattern: Pattern, end: date) -> FiscalYear:
    """A transition period of more than a year, with the quarterly reports of the old year before it."""
    closings = _closings(pattern, end, _shifted(pattern, end, rng.choice([13, 15, 15, 18])))
    return FiscalYear(end + DAY, closings, is_transition=True)


def _abandoned(rng: Random, pattern: Pattern, end: date) -> FiscalYear:
    """A year that is begun and never closed: the next one starts inside it, on an old quarter's end."""
    interim = _closings(pattern, end, end)[: rng.randint(1, 3)]
    return FiscalYear(end + DAY, interim, is_transition=True)


def _shifted(pattern: Pattern, end: date, months: int) -> date:
    """A day some months on, kept on the weekday of a calendar in weeks."""
    if isinstance(pattern, Weeks):
        return end + round(months * 52 / 12) * 7 * DAY
    return add_months(end, months)


def _new_pattern(pattern: Pattern, changed: FiscalYear, old_end: date) -> tuple[Pattern, date]:
    """The pattern after a change, and the day before its first year."""
    last = changed.closings[-1]
    end = last.day if last.position == 12 else changed.closings[0].day
    if end == old_end:
        raise ValueError("the year end does not change")
    # A year of weeks may end in the first days of the month after the one it belongs to.
    month = (end - 4 * DAY).month if isinstance(pattern, Weeks) else end.month
    return pattern._replace(month=month), end
