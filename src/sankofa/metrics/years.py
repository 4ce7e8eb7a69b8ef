"""What an issuer stated of full years, as it stands now and as it stood on any day.

Days are ISO text, which sorts as days do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from sankofa.metrics.terms import MARKERS

_LENGTHS_DIFFER_BY = 7  # days, between a year and the one before it


class Stated(NamedTuple):
    """One value in its newest vintage, and since when it was known at all."""

    value: int | Fraction
    row: int  # of the fact
    first_at: str
    newest_at: str


class Unsteady(NamedTuple):
    """A value that was withdrawn once: each vintage's first day, and the day it was withdrawn, if it was."""

    line_item: str
    currency: str
    is_stock: bool
    stated: Stated
    vintages: tuple[tuple[str, str | None], ...]

    def stands(self, day: str) -> bool:
        """Tell whether it was known, and not withdrawn, on a day."""
        known = [withdrawn for available, withdrawn in self.vintages if available <= day]
        return bool(known) and (known[-1] is None or known[-1] > day)


Values = dict[str, dict[str, Stated]]  # by currency and line item


@dataclass(slots=True, eq=False)
class Year:
    """A full year of an issuer, and what was stated of it."""

    start: str
    end: str
    known_at: str  # since when it is known to be a full year
    fiscal_year: int | None
    flows: Values = field(default_factory=dict)
    stocks: Values = field(default_factory=dict)
    unsteady: list[Unsteady] = field(default_factory=list)

    @property
    def days(self) -> int:
        """How long it is."""
        return (date.fromisoformat(self.end) - date.fromisoformat(self.start)).days + 1

    def state(self, line_item: str, currency: str, stated: Stated, *, is_stock: bool) -> None:
        """Take in a value that stands."""
        (self.stocks if is_stock else self.flows).setdefault(currency, {})[line_item] = stated

    def state_unsteady(self, value: Unsteady) -> None:
        """Take in a value that was withdrawn once, and stands if it was stated again."""
        self.unsteady.append(value)
        if value.vintages[-1][1] is None:
            self.state(value.line_item, value.currency, value.stated, is_stock=value.is_stock)

    def on(self, day: str) -> Year:
        """Return the year as it was known on a day; a vintage that was replaced later has no row."""
        then = Year(self.start, self.end, self.known_at, self.fiscal_year)
        turned = {(value.line_item, value.currency, value.is_stock) for value in self.unsteady}
        for is_stock, side in ((False, self.flows), (True, self.stocks)):
            for currency, values in side.items():
                for item, stated in values.items():
                    if stated.first_at <= day and (item, currency, is_stock) not in turned:
                        then.state(item, currency, _as_of(stated, day), is_stock=is_stock)
        for value in self.unsteady:
            if value.stands(day):
                then.state(
                    value.line_item, value.currency, _as_of(value.stated, day), is_stock=value.is_stock
                )
        return then

    def turning_days(self) -> set[str]:
        """Return the days on which anything about it changed."""
        days = {self.known_at}
        for side in (self.flows, self.stocks):
            for values in side.values():
                days.update(day for stated in values.values() for day in (stated.first_at, stated.newest_at))
        for value in self.unsteady:
            days.update(day for vintage in value.vintages for day in vintage if day)
        return days


def _as_of(stated: Stated, day: str) -> Stated:
    return stated if stated.newest_at <= day else stated._replace(row=-1)


@dataclass(slots=True, eq=False)
class Period:
    """All that was stated under one last day: the year as it is dated, perhaps in several ways."""

    years: list[Year]
    readings: list[tuple[Year, Year | None]]  # each with a year before it, if there is one
    currencies: list[str]
    kinds: set[str]  # whether the issuer is a bank or an insurer in this year
    known_at: str
    unsteady: frozenset[str]  # the line items of it, or of the year before, that were ever withdrawn
    _days: list[str] = field(default_factory=list)
    _then: dict[str, Period] = field(default_factory=dict)

    def on(self, day: str) -> Period:
        """Return the period as it was known on a day; all metrics of it ask for the same days."""
        if day not in self._then:
            self._then[day] = self._on(day)
        return self._then[day]

    def _on(self, day: str) -> Period:
        then = {
            year: year.on(day)
            for pair in self.readings
            for year in pair
            if year is not None and year.known_at <= day
        }
        return _period([then[year] for year in self.years if year in then], self._known(then))

    def _known(self, then: dict[Year, Year]) -> list[tuple[Year, Year | None]]:
        return [
            (then[year], then.get(prior) if prior else None) for year, prior in self.readings if year in then
        ]

    def turning_days(self) -> list[str]:
        """Return the days on which anything about it or the year before changed, the last one first."""
        if not self._days:
            years = {year for pair in self.readings for year in pair if year is not None}
            self._days = sorted(set().union(*(year.turning_days() for year in years)), reverse=True)
        return self._days


def periods(years: Iterable[Year]) -> list[Period]:
    """Return the periods of an issuer, the newest first."""
    ordered = sorted(years, key=lambda year: (year.end, year.start))
    by_end = {end: list(group) for end, group in groupby(ordered, lambda year: year.end)}
    return [
        _period(same, [(year, prior) for year in same for prior in _before(year, by_end)])
        for same in reversed(by_end.values())
    ]


def _period(same: list[Year], readings: list[tuple[Year, Year | None]]) -> Period:
    stated = {
        item
        for year in same
        for side in (year.flows, year.stocks)
        for values in side.values()
        for item in values
    }
    return Period(
        years=same,
        readings=readings,
        currencies=sorted({unit for year in same for unit in (*year.flows, *year.stocks)}),
        kinds={kind for kind, markers in MARKERS.items() if not markers.isdisjoint(stated)},
        known_at=min((year.known_at for year in same), default=""),
        unsteady=frozenset(
            value.line_item
            for pair in readings
            for year in pair
            if year is not None
            for value in year.unsteady
        ),
    )


def _before(year: Year, by_end: dict[str, list[Year]]) -> list[Year] | list[None]:
    """Return the year before as it is dated, or None if there is none."""
    day_before = (date.fromisoformat(year.start) - timedelta(days=1)).isoformat()
    adjacent = by_end.get(day_before, [])
    return [prior for prior in adjacent if abs(prior.days - year.days) <= _LENGTHS_DIFFER_BY] or [None]
