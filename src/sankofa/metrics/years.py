"""The values that an issuer reported for full years, with the days on which each was current.

Days are ISO text, which sorts as days do; "infinity" sorts after all of them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from sankofa.metrics.spans import NEVER, Span, merged
from sankofa.metrics.terms import Metric, Needed, kinds_of

_LENGTHS_DIFFER_BY = 7  # days, between a year and the one before it


class Vintage(NamedTuple):
    """A value from the day on which it became available until it was replaced or withdrawn."""

    available_at: str
    ended_at: str
    value: int | Fraction
    row: int  # of the fact


class History(NamedTuple):
    """All vintages of one value, in order; those that only round another are left out."""

    line_item: str
    currency: str
    is_stock: bool
    vintages: list[Vintage]


Values = dict[str, dict[str, Vintage]]  # by currency and line item


class Label(NamedTuple):
    """Days on which a period was known as a full year, and of which fiscal year."""

    since: str
    until: str
    fiscal_year: int | None


class Trade(NamedTuple):
    """Days on which an issuer's industry was known, and its code."""

    since: str
    until: str
    sic: str


class KnownYear(NamedTuple):
    """A full year on some day: the values that stood then."""

    fiscal_year: int | None
    flows: Values
    stocks: Values


@dataclass(slots=True, eq=False)
class Year:
    """A period that was once known as a full year, and the histories of its values."""

    start: str
    end: str
    labels: list[Label]
    histories: list[History] = field(default_factory=list)
    _firsts: tuple[dict[str, str], dict[str, str]] | None = None
    _turns: dict[str, set[str] | None] = field(default_factory=dict)
    _days: list[str] = field(default_factory=list)
    _known: dict[int, KnownYear | None] = field(default_factory=dict)

    @property
    def length(self) -> int:
        """The number of its days."""
        return (date.fromisoformat(self.end) - date.fromisoformat(self.start)).days + 1

    def first_reported(self, flows: frozenset[str], stocks: frozenset[str]) -> str | None:
        """Return the first day on which any of these line items was reported for the year."""
        if self._firsts is None:
            self._firsts = ({}, {})
            for line_item, _, is_stock, vintages in self.histories:
                firsts = self._firsts[is_stock]
                firsts[line_item] = min(firsts.get(line_item, NEVER), vintages[0].available_at)
        days = [
            firsts[line_item]
            for firsts, wanted in zip(self._firsts, (flows, stocks), strict=True)
            for line_item in wanted
            if line_item in firsts
        ]
        return min(days, default=None)

    def turns(self) -> dict[str, set[str] | None]:
        """Return the days on which anything changed, each with the line items; None means all."""
        if not self._turns:
            items: dict[str, set[str]] = {}
            for line_item, _, _, vintages in self.histories:
                for available_at, ended_at, _, _ in vintages:
                    items.setdefault(available_at, set()).add(line_item)
                    items.setdefault(ended_at, set()).add(line_item)
            relabelled = dict.fromkeys(day for since, until, _ in self.labels for day in (since, until))
            self._turns = {**items, **relabelled}
            self._turns.pop(NEVER, None)
            self._days = sorted(self._turns)
        return self._turns

    def on(self, day: str) -> KnownYear | None:
        """Return the year as it was known on a day; None if it was not known as a full year then."""
        self.turns()
        place = bisect_right(self._days, day)
        if place not in self._known:
            self._known[place] = self._on(day)
        return self._known[place]

    def _on(self, day: str) -> KnownYear | None:
        labels = [label for label in self.labels if label.since <= day < label.until]
        if not labels:
            return None
        flows: Values = {}
        stocks: Values = {}
        for line_item, currency, is_stock, vintages in self.histories:
            for vintage in vintages:
                if vintage.available_at <= day < vintage.ended_at:
                    (stocks if is_stock else flows).setdefault(currency, {})[line_item] = vintage
        years = [label.fiscal_year for label in labels if label.fiscal_year is not None]
        return KnownYear(min(years, default=None), flows, stocks)


class Sums(NamedTuple):
    """An amount in each year that it is needed for, and the rows of its facts."""

    values: tuple[int | Fraction, ...]
    rows: tuple[int, ...]


@dataclass(slots=True, eq=False)
class Reading:
    """A full year and the year before it, as both were known on a day, in one currency.

    Several metrics need the same amounts, so each is computed once.
    """

    flows: tuple[dict[str, Vintage], dict[str, Vintage]]  # of the year, and of the year before
    stocks: tuple[dict[str, Vintage], dict[str, Vintage]]
    _sums: dict[tuple[str, tuple[int, ...]], Sums | None] = field(default_factory=dict)

    def sums(self, needed: Needed) -> Sums | None:
        """Return an amount, stated in the first way that all years have in full; None if there is none."""
        key = (needed.name, needed.years_back)
        if key not in self._sums:
            self._sums[key] = self._computed(needed)
        return self._sums[key]

    def _computed(self, needed: Needed) -> Sums | None:
        sides = self.stocks if needed.amount.is_stock else self.flows
        years = [sides[back] for back in needed.years_back]
        for option in needed.amount.options:
            if all(part.line_item in values for values in years for part in option):
                return Sums(
                    tuple(
                        [
                            sum([part.sign * values[part.line_item].value for part in option])
                            for values in years
                        ]
                    ),
                    tuple([values[part.line_item].row for values in years for part in option]),
                )
        return None


class KnownPeriod(NamedTuple):
    """A period on some day: every way to read it as a full year with the year before it, by currency."""

    fiscal_year: int | None
    readings: list[Reading]
    mixed: list[Reading]  # the same with all currencies together; empty if there is only one
    kinds: set[str]  # whether the issuer is a bank or an insurer in this year


@dataclass(slots=True, eq=False)
class Period:
    """The full years that end on one day; more than one if the issuer gave different first days."""

    end: str
    pairs: list[tuple[Year, Year | None]]  # each year with a year before it, if there is one
    trades: tuple[Trade, ...] = ()
    years: list[Year] = field(init=False)  # those of the pairs, each once
    _turns: list[tuple[str, set[str] | None]] | None = None
    _known: dict[str, KnownPeriod] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.years = list(dict.fromkeys(year for year, _ in self.pairs))

    def published(self, firsts: list[str | None]) -> list[Span]:
        """Return the days on which it was known as a full year, from the first days of its years on."""
        return merged(
            Span(max(since, first), until)
            for year, first in zip(self.years, firsts, strict=True)
            if first is not None
            for since, until, _ in year.labels
            if until > first
        )

    def turns(self, metric: Metric, span: Span) -> list[str]:
        """Return the days within a span on which the metric may have changed."""
        return [
            day
            for day, items in self._all_turns()
            if span.since < day < span.until and (items is None or not metric.deciding.isdisjoint(items))
        ]

    def _all_turns(self) -> list[tuple[str, set[str] | None]]:
        """Return the days on which it or the year before changed, each with the line items; None: all."""
        if self._turns is None:
            turns: dict[str, set[str] | None] = {
                day: None for since, until, _ in self.trades for day in (since, until) if day != NEVER
            }
            for year in {year: None for pair in self.pairs for year in pair if year is not None}:
                for day, items in year.turns().items():
                    there = turns.get(day, set())
                    turns[day] = None if items is None or there is None else items | there
            self._turns = sorted(turns.items(), key=lambda turn: turn[0])
        return self._turns

    def on(self, day: str) -> KnownPeriod:
        """Return the period as it was known on a day; all metrics of it share the result."""
        if day not in self._known:
            self._known[day] = self._on(day)
        return self._known[day]

    def _on(self, day: str) -> KnownPeriod:
        pairs = [
            (known, before.on(day) if before else None)
            for year, before in self.pairs
            if (known := year.on(day)) is not None
        ]
        sides = [side for known, _ in pairs for side in (known.flows, known.stocks)]
        reported_items = {item for side in sides for values in side.values() for item in values}
        sic = next((trade.sic for trade in self.trades if trade.since <= day < trade.until), None)
        currencies = sorted({currency for side in sides for currency in side})
        return KnownPeriod(
            pairs[0][0].fiscal_year,
            [_reading(*pair, [currency]) for pair in pairs for currency in currencies],
            [_reading(*pair, currencies) for pair in pairs if len(currencies) > 1],
            kinds_of(sic, reported_items),
        )


def _reading(year: KnownYear, before: KnownYear | None, currencies: list[str]) -> Reading:
    past = before or KnownYear(None, {}, {})
    return Reading(
        (_together(year.flows, currencies), _together(past.flows, currencies)),
        (_together(year.stocks, currencies), _together(past.stocks, currencies)),
    )


def _together(side: Values, currencies: list[str]) -> dict[str, Vintage]:
    """Return the values of some currencies; of a line item that has several, the last."""
    return {item: vintage for currency in currencies for item, vintage in side.get(currency, {}).items()}


def periods(years: Iterable[Year], trades: tuple[Trade, ...] = ()) -> list[Period]:
    """Return the periods of an issuer, the newest first."""
    ordered = sorted(years, key=lambda year: (year.end, year.start))
    by_end = {end: list(group) for end, group in groupby(ordered, lambda year: year.end)}
    return [
        Period(end, [(year, before) for year in same for before in _before(year, by_end)], trades)
        for end, same in reversed(by_end.items())
    ]


def _before(year: Year, by_end: dict[str, list[Year]]) -> list[Year] | list[None]:
    """Return the year before as it is dated, or None if there is none."""
    day_before = (date.fromisoformat(year.start) - timedelta(days=1)).isoformat()
    adjacent = by_end.get(day_before, [])
    return [before for before in adjacent if abs(before.length - year.length) <= _LENGTHS_DIFFER_BY] or [None]
