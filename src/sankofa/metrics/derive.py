"""One issuer's metrics, from all that it stated of full years: pure, exact, and dated.

Rules of every metric:

1. A full year is an FY of 350 to 380 days; the year before is adjacent and equally long within 7 days.
2. All amounts are in one currency. Where several would do, the first by its code is taken.
3. There is no value unless all inputs are stated and the denominator is above zero.
4. A year is published for a metric on the first day on which it was known to be a full year and one of the
   metric's inputs of that year was known. It is exact from the day after which nothing that decides its value
   changed.

Days are ISO text, which sorts as days do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from sankofa.metrics.formulas import MARKERS, METRICS
from sankofa.metrics.terms import Amount, Expression, Metric

NEVER = "infinity"
_LENGTHS_DIFFER_BY = 7  # days, between a year and the one before it


class Stated(NamedTuple):
    """The last vintage of one value, and since when the value was known at all."""

    value: int | Fraction
    row: int  # of the fact
    first_at: str
    newest_at: str
    withdrawn_at: str | None = None


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

    @property
    def days(self) -> int:
        """How long it is."""
        return (date.fromisoformat(self.end) - date.fromisoformat(self.start)).days + 1

    def state(self, line_item: str, currency: str, stated: Stated, *, is_stock: bool) -> None:
        """Take in one value."""
        (self.stocks if is_stock else self.flows).setdefault(currency, {})[line_item] = stated


class Derived(NamedTuple):
    """A metric of one year: its value, or why there is none, and when it can be shown."""

    metric: str
    end: str
    fiscal_year: int | None
    published_at: str
    next_published_at: str
    complete_from: str
    exact_from: str
    value: Fraction | None
    absence: str | None
    inputs: tuple[int, ...]


class Period(NamedTuple):
    """All that was stated under one last day: the year as it is dated, perhaps in several ways."""

    readings: list[tuple[Year, Year | None]]  # each with a year before it, if there is one
    years: list[Year]
    currencies: list[str]
    kinds: dict[
        str, tuple[bool, list[str]]
    ]  # bank, insurer: whether it is one, and withdrawals of signs of it
    known_at: str


class Found(NamedTuple):
    """Inputs by name and year, all in one currency."""

    amounts: dict[tuple[str, int], int | Fraction]
    rows: tuple[int, ...]
    newest_at: str


def derive(years: Iterable[Year], metrics: tuple[Metric, ...] = METRICS) -> Iterator[Derived]:
    """Return an issuer's metrics by year, of every year that was once the last one published."""
    periods = _periods(years)
    for metric in metrics:
        later = NEVER
        for period in periods:
            published_at = _published_at(metric, period)
            if published_at and published_at < later:  # otherwise a newer year was there first
                yield _of_period(metric, period, published_at, later)
                later = published_at


def _periods(years: Iterable[Year]) -> list[Period]:
    """Return the periods, the newest first."""
    ordered = sorted(years, key=lambda year: (year.end, year.start))
    by_end = {end: list(group) for end, group in groupby(ordered, lambda year: year.end)}
    return [
        Period(
            readings=[(year, prior) for year in same for prior in _before(year, by_end)],
            years=same,
            currencies=sorted({unit for year in same for unit in (*year.flows, *year.stocks)}),
            kinds={kind: _signs(same, markers) for kind, markers in MARKERS.items()},
            known_at=min(year.known_at for year in same),
        )
        for same in reversed(by_end.values())
    ]


def _before(year: Year, by_end: dict[str, list[Year]]) -> list[Year] | list[None]:
    """Return the year before as it is dated, or None if there is none."""
    day_before = (date.fromisoformat(year.start) - timedelta(days=1)).isoformat()
    adjacent = by_end.get(day_before, [])
    return [prior for prior in adjacent if abs(prior.days - year.days) <= _LENGTHS_DIFFER_BY] or [None]


def _signs(years: list[Year], markers: frozenset[str]) -> tuple[bool, list[str]]:
    """Tell whether the issuer states what only a bank or an insurer does, and when it ceased to."""
    found = [
        stated
        for year in years
        for values in (*year.flows.values(), *year.stocks.values())
        for item, stated in values.items()
        if item in markers
    ]
    withdrawn = [stated.withdrawn_at for stated in found if stated.withdrawn_at]
    return len(withdrawn) < len(found), withdrawn


def _published_at(metric: Metric, period: Period) -> str | None:
    flows, stocks = metric.current
    firsts = [
        values[item].first_at
        for year in period.years
        for side, items in ((year.flows, flows), (year.stocks, stocks))
        for values in side.values()
        for item in items
        if item in values
    ]
    return max(min(firsts), period.known_at) if firsts else None


def _of_period(metric: Metric, period: Period, published_at: str, next_published_at: str) -> Derived:
    changes = [published_at]
    value, absence, complete_from = None, None, published_at
    rows: tuple[int, ...] = ()
    for kind in metric.misleads_for:
        changes += period.kinds[kind][1]
    if any(period.kinds[kind][0] for kind in metric.misleads_for):
        absence = "not_applicable"
    elif found := _found(metric, period, changes):
        above, below = (_total(side, found.amounts) for side in (metric.above, metric.below))
        rows = found.rows
        if below > 0:
            value = Fraction(above * metric.below.over, below * metric.above.over)
        else:
            absence = "denominator_not_positive"
    else:
        absence = "mixed_currencies" if _is_mixed(metric, period) else "input_missing"
    exact_from = max(changes)
    if value is not None and exact_from > published_at:
        complete_from = max(published_at, _complete_from(metric, period))
    return Derived(
        metric.slug,
        period.years[0].end,
        period.years[0].fiscal_year,
        published_at,
        next_published_at,
        complete_from,
        exact_from,
        value,
        absence,
        rows,
    )


def _found(metric: Metric, period: Period, changes: list[str]) -> Found | None:
    """Return the inputs of the first reading and currency that has them all; note when that was settled."""
    for year, prior in period.readings:
        if prior is None and metric.needs_prior:
            continue
        for currency in period.currencies:
            found = _in_currency(metric, year, prior, currency, changes)
            if found:
                changes += (found.newest_at, year.known_at)
                if prior and metric.needs_prior:
                    changes.append(prior.known_at)
                return found
    return None


def _in_currency(
    metric: Metric, year: Year, prior: Year | None, currency: str, changes: list[str]
) -> Found | None:
    amounts: dict[tuple[str, int], int | Fraction] = {}
    used: list[Stated] = []
    complete = True
    for name, (amount, years_back) in metric.amounts.items():
        places = [_values(amount, prior if back else year, currency) for back in years_back]
        option = _first_option(amount, places, changes)
        if option is None:
            complete = False
            continue
        for back, parts in zip(years_back, option, strict=True):
            amounts[name, back] = sum([sign * stated.value for sign, stated in parts])
            used += [stated for _, stated in parts]
    if not complete:
        return None
    rows = tuple(dict.fromkeys([stated.row for stated in used]))
    return Found(amounts, rows, max([stated.newest_at for stated in used]))


def _values(amount: Amount, year: Year | None, currency: str) -> dict[str, Stated]:
    if year is None:
        return {}
    return (year.stocks if amount.is_stock else year.flows).get(currency, {})


def _first_option(
    amount: Amount, places: list[dict[str, Stated]], changes: list[str]
) -> list[list[tuple[int, Stated]]] | None:
    """Return the first way to state an amount that all years have, and note withdrawals that led to it."""
    for option in amount.options:
        found = [
            [(part.sign, values[part.line_item]) for part in option if part.line_item in values]
            for values in places
        ]
        withdrawn = [stated.withdrawn_at for parts in found for _, stated in parts if stated.withdrawn_at]
        if withdrawn:
            changes += withdrawn
        elif min(map(len, found)) == len(option):
            return found
    return None


def _total(side: Expression, amounts: dict[tuple[str, int], int | Fraction]) -> int | Fraction:
    return sum([term.times * amounts[term.name, term.years_back] for term in side.terms])


def _is_mixed(metric: Metric, period: Period) -> bool:
    """Tell whether all inputs are there, only not in one currency."""
    if len(period.currencies) < 2:  # noqa: PLR2004  # mixing takes two
        return False
    for year, prior in period.readings:
        found = []
        for amount, years_back in metric.amounts.values():
            places = [
                {
                    item: stated
                    for currency in period.currencies
                    for item, stated in _values(amount, prior if back else year, currency).items()
                    if not stated.withdrawn_at
                }
                for back in years_back
            ]
            found.append(_first_option(amount, places, []))
        if all(found):
            return True
    return False


def _complete_from(metric: Metric, period: Period) -> str:
    """Return the day from which all inputs were known in one currency, whatever they said then."""
    days = [NEVER]
    for year, prior in period.readings:
        if prior is None and metric.needs_prior:
            continue
        known = [year.known_at, *([prior.known_at] if prior and metric.needs_prior else [])]
        for currency in period.currencies:
            firsts = [
                _option_from(amount, [_values(amount, prior if back else year, currency) for back in years])
                for amount, years in metric.amounts.values()
            ]
            days.append(max(*known, *firsts))
    return min(days)


def _option_from(amount: Amount, places: list[dict[str, Stated]]) -> str:
    """Return the first day on which one of the ways to state an amount was there in full."""
    days = [NEVER]
    for option in amount.options:
        stated = [values.get(part.line_item) for values in places for part in option]
        if all(stated):
            days.append(max(value.first_at for value in stated if value))
    return min(days)
