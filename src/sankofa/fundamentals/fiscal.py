"""Fiscal labels: what a period is called on each day, by what the issuer had declared by then (FUN-4).

Pure: declarations and periods in, labels with their days out. A label changes only on a day on which the
issuer filed something, so each period has few of them, and most have one.
"""

from __future__ import annotations

import calendar
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

YEAR = 12  # the position of a year's end, in months
FULL_YEAR = range(350, 381)  # lengths in days, the first and the last day counted
NINE_MONTHS = range(245, 289)
HALF = range(161, 204)
QUARTER = range(77, 124)

_QUARTER_DAYS = 365.25 / 4
_OFF_COUNT = 10  # days by which a period may miss the count of quarters
_OFF_WEEKS = 7  # days by which an instant may, if years end on a weekday
_ANOTHER_YEAR = 45  # days between two year ends that are not the same year's
_NAMED_BEFORE = timedelta(days=7)  # the first week of January counts to the year before


class Declaration(NamedTuple):
    """The place of a filing's own period in the fiscal year, as the filing declares it."""

    day: date  # from which it was known
    end: date  # of the filing's own period
    position: int  # months of the fiscal year that are over at the end: 3, 6, 9 or 12
    fiscal_year: int | None  # as the filer counts
    year_start: date | None = None  # of the year that an annual form reports as its own, perhaps a short one

    @property
    def year_end(self) -> date:
        """Return the last day of the fiscal year that the own period is in."""
        return _months_later(self.end, YEAR - self.position)

    @property
    def plain_year(self) -> int:
        """Return the fiscal year by the calendar alone."""
        return (self.year_end - _NAMED_BEFORE).year

    @property
    def has_full_year(self) -> bool:
        """Return whether the filing reports a full year as its own."""
        return self.year_start is not None and (self.end - self.year_start).days + 1 in FULL_YEAR

    def contains(self, day: date) -> bool:
        """Return whether a day lies in the full year that the filing reports."""
        return self.has_full_year and self.year_start is not None and self.year_start <= day <= self.end


class Period(NamedTuple):
    """A span of days, or an instant where `start` is None."""

    start: date | None
    end: date

    @property
    def days(self) -> int | None:
        """Return the length, the first and the last day counted; None for an instant."""
        return None if self.start is None else (self.end - self.start).days + 1


class Label(NamedTuple):
    """What a period is called, or why it is called nothing."""

    period_type: str | None
    fiscal_year: int | None
    unlabelled: str | None = None


_ODD = Label(None, None, "odd_length")
_FIRST = Label(None, None, "not_declared")


class DatedLabel(NamedTuple):
    """A label and the days on which it holds: from `since`, until the next one."""

    since: date | None  # None: from the start
    label: Label


class _Place(NamedTuple):
    position: int
    fiscal_year: int


def labels(
    periods: Iterable[Period], declarations: list[Declaration], quarterly_from: date | None
) -> Iterator[tuple[Period, list[DatedLabel]]]:
    """Yield each period with its labels in the order of their days.

    `declarations` are in the order in which they became known. From `quarterly_from` on the issuer is known
    to report quarters.
    """
    by_day = {day: list(known) for day, known in groupby(declarations, lambda declared: declared.day)}
    days = sorted({*by_day, quarterly_from} - {None})
    by_end = groupby(sorted(periods, key=lambda period: period.end), lambda period: period.end)
    for end, ending in by_end:
        known = _Known(end)
        dated = {period: [DatedLabel(None, _FIRST if _is_counted(period) else _ODD)] for period in ending}
        counted = [period for period, (first,) in dated.items() if first.label is _FIRST]
        for day in days if counted else ():
            news = [known.add(declared) for declared in by_day.get(day, ())]
            if any(news) or day == quarterly_from:
                is_quarterly = quarterly_from is not None and quarterly_from <= day
                for period in counted:
                    label = _label(period, known, is_quarterly=is_quarterly)
                    if label != dated[period][-1].label:
                        dated[period].append(DatedLabel(day, label))
        yield from dated.items()


class _Known:
    """The declarations that decide about periods that end on one day, as far as they are known yet."""

    __slots__ = (
        "_around",
        "_end",
        "_has_full_year",
        "_moved",
        "_nearest",
        "_same_end",
        "_short_years",
        "is_empty",
    )

    def __init__(self, end: date) -> None:
        self._end = end
        self._same_end: Declaration | None = None
        self._around: Declaration | None = None
        self._nearest: Declaration | None = None  # of those from which whole quarters lead to the day
        self.is_empty = True  # whether nothing has been declared
        self._moved = 0  # how the filer's names of years differ from the calendar's
        self._has_full_year = False  # whether a full year that ends on the day was declared
        self._short_years: set[date] = set()  # first days of shorter ones

    def add(self, declared: Declaration) -> bool:
        """Add the next declaration by date; return whether the label may have changed."""
        moved = self._moved
        if declared.fiscal_year is not None:
            self._moved = declared.fiscal_year - declared.plain_year
        news = moved != self._moved
        if declared.end == self._end:
            self._same_end, news = declared, True
            if declared.has_full_year:
                self._has_full_year = True
            elif declared.year_start is not None:
                self._short_years.add(declared.year_start)
        if declared.contains(self._end):
            self._around, news = declared, True
        news |= self.is_empty
        self.is_empty = False
        if self._off_count(declared) <= _OFF_COUNT and (
            self._nearest is None or abs(self._end - declared.end) <= abs(self._end - self._nearest.end)
        ):
            self._nearest, news = declared, True
        return news

    def is_short_year(self, period: Period) -> bool:
        """Return whether an annual form reports the period as a year of its own that is no full one."""
        return not self._has_full_year and period.start in self._short_years

    def place(self, *, is_instant: bool) -> _Place | None:
        """Return the place of the day in the fiscal year, or None if it has none."""
        own, around = self._same_end, self._around
        if own is not None and (
            around is None or around.day <= own.day or _is_same_year(own.year_end, around.end)
        ):
            return _Place(own.position, self._year_of(own))
        counted = around or self._nearest
        return self._counted_from(counted, is_instant=is_instant) if counted else None

    def _year_of(self, declared: Declaration) -> int:
        if declared.fiscal_year is not None:
            return declared.fiscal_year
        return declared.plain_year + self._moved

    def _quarters(self, declared: Declaration) -> int:
        return round((self._end - declared.end).days / _QUARTER_DAYS)

    def _off_count(self, declared: Declaration) -> int:
        """Return by how many days the count of quarters from a declared end misses the day."""
        return abs((self._end - _months_later(declared.end, 3 * self._quarters(declared))).days)

    def _counted_from(self, declared: Declaration, *, is_instant: bool) -> _Place | None:
        quarters, off = self._quarters(declared), self._off_count(declared)
        if is_instant:
            fits = off == 0 or (
                off <= _OFF_WEEKS
                and not _is_month_end(declared.end)
                and declared.end.weekday() == self._end.weekday()
            )
        else:
            fits = off <= _OFF_COUNT
        if not fits:
            return None
        years, months = divmod(declared.position + 3 * quarters - 1, YEAR)
        return _Place(months + 1, self._year_of(declared) + years)


def _is_counted(period: Period) -> bool:
    """Return whether the period is an instant or about as long as a number of quarters."""
    days = period.days
    return days is None or any(days in span for span in (FULL_YEAR, NINE_MONTHS, HALF, QUARTER))


def _label(period: Period, known: _Known, *, is_quarterly: bool) -> Label:
    days = period.days
    if known.is_empty:
        return _FIRST
    if known.is_short_year(period):
        return Label(None, None, "short_year")
    place = known.place(is_instant=days is None)
    period_type = _type(days, place.position, is_quarterly=is_quarterly) if place else None
    if place is None or period_type is None:
        return Label(None, None, "off_calendar")
    return Label(period_type, place.fiscal_year)


def _type(days: int | None, position: int, *, is_quarterly: bool) -> str | None:
    if days is None:
        return {3: "Q1", 6: "Q2" if is_quarterly else "H1", 9: "Q3", 12: "FY"}[position]
    if days in FULL_YEAR:
        return "FY" if position == YEAR else "TTM"
    if days in NINE_MONTHS:
        return {9: "9M"}.get(position)
    if days in HALF:
        return {6: "H1", 12: "H2"}.get(position)
    return f"Q{position // 3}"


def _is_same_year(one: date, other: date) -> bool:
    return abs((one - other).days) <= _ANOTHER_YEAR


def _is_month_end(day: date) -> bool:
    return day.day == calendar.monthrange(day.year, day.month)[1]


@lru_cache(1 << 14)
def _months_later(day: date, months: int) -> date:
    """Return the same day some months later; the last of a month stays the last of a month."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return date(year, month + 1, last if _is_month_end(day) else min(day.day, last))
