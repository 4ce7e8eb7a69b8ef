"""One issuer's metrics, from all that it stated of full years: pure, exact, and dated.

Rules of every metric:

1. A full year is an FY of 350 to 380 days; the year before is adjacent and equally long within 7 days.
2. All amounts are in one currency. Where several would do, the first by its code is taken.
3. There is no value unless all inputs are stated and the denominator is above zero.
4. A year is published for a metric on the first day on which it was known to be a full year and one of the
   metric's inputs of that year was known. It is exact from the day from which on the facts that decide its
   value were the ones that decide it now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from sankofa.metrics.formulas import METRICS
from sankofa.metrics.terms import Amount, Expression, Metric
from sankofa.metrics.years import Period, Stated, Year, periods

NEVER = "infinity"


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


class Found(NamedTuple):
    """Inputs by name and year, all in one currency."""

    amounts: dict[tuple[str, int], int | Fraction]
    rows: tuple[int, ...]
    exact_from: str


def derive(years: Iterable[Year], metrics: tuple[Metric, ...] = METRICS) -> Iterator[Derived]:
    """Return an issuer's metrics by year, of every year that was once the last one published."""
    newest_first = periods(years)
    for metric in metrics:
        later = NEVER
        for period in newest_first:
            published_at = _published_at(metric, period)
            if published_at and published_at < later:  # otherwise a newer year was there first
                yield _of_period(metric, period, published_at, later)
                later = published_at


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
    if period.unsteady:
        firsts += [
            value.stated.first_at
            for year in period.years
            for value in year.unsteady
            if value.line_item in (stocks if value.is_stock else flows)
        ]
    return max(min(firsts), period.known_at) if firsts else None


def _of_period(metric: Metric, period: Period, published_at: str, next_published_at: str) -> Derived:
    value, absence = None, None
    rows: tuple[int, ...] = ()
    exact_from = complete_from = published_at
    if not period.kinds.isdisjoint(metric.misleads_for):
        absence = "not_applicable"
    elif found := _found(metric, period):
        above, below = (_total(side, found.amounts) for side in (metric.above, metric.below))
        rows = found.rows
        if below > 0:
            value = Fraction(above * metric.below.over, below * metric.above.over)
            exact_from = max(published_at, _exact_from(metric, period, found))
        else:
            absence = "denominator_not_positive"
    else:
        absence = "mixed_currencies" if _is_mixed(metric, period) else "input_missing"
    if exact_from > published_at:
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


def _exact_from(metric: Metric, period: Period, found: Found) -> str:
    """Return the day from which on these very facts were the ones to take.

    As long as nothing is withdrawn, that is when the last of them was there. A withdrawal can bring back what
    another fact had replaced, so then the days are gone through.
    """
    if period.unsteady.isdisjoint(metric.deciding):
        return found.exact_from
    exact_from = NEVER
    for day in period.turning_days():
        then = period.on(day)
        taken = _found(metric, then) if then.kinds.isdisjoint(metric.misleads_for) else None
        if taken is None or taken.rows != found.rows:
            break
        exact_from = day
    return exact_from


def _found(metric: Metric, period: Period) -> Found | None:
    """Return the inputs of the first reading and currency that has them all."""
    for year, prior in period.readings:
        if prior is None and metric.needs_prior:
            continue
        for currency in period.currencies:
            found = _in_currency(metric, year, prior, currency)
            if found:
                return found
    return None


def _in_currency(metric: Metric, year: Year, prior: Year | None, currency: str) -> Found | None:
    amounts: dict[tuple[str, int], int | Fraction] = {}
    used: list[Stated] = []
    for name, (amount, years_back) in metric.amounts.items():
        option = _first_option(
            amount, [_values(amount, prior if back else year, currency) for back in years_back]
        )
        if option is None:
            return None
        for back, parts in zip(years_back, option, strict=True):
            amounts[name, back] = sum([sign * stated.value for sign, stated in parts])
            used += [stated for _, stated in parts]
    rows = tuple(dict.fromkeys([stated.row for stated in used]))
    exact_from = max([stated.newest_at for stated in used])
    exact_from = max(exact_from, year.known_at, prior.known_at if prior and metric.needs_prior else "")
    return Found(amounts, rows, exact_from)


def _values(amount: Amount, year: Year | None, currency: str) -> dict[str, Stated]:
    if year is None:
        return {}
    return (year.stocks if amount.is_stock else year.flows).get(currency, {})


def _first_option(amount: Amount, places: list[dict[str, Stated]]) -> list[list[tuple[int, Stated]]] | None:
    """Return the first way to state an amount that all years have in full."""
    for option in amount.options:
        found = [
            [(part.sign, values[part.line_item]) for part in option if part.line_item in values]
            for values in places
        ]
        if min(map(len, found)) == len(option):
            return found
    return None


def _total(side: Expression, amounts: dict[tuple[str, int], int | Fraction]) -> int | Fraction:
    return sum([term.times * amounts[term.name, term.years_back] for term in side.terms])


def _is_mixed(metric: Metric, period: Period) -> bool:
    """Tell whether all inputs are there, only not in one currency."""
    if len(period.currencies) == 1:
        return False
    for year, prior in period.readings:
        places_of = [
            (
                amount,
                [
                    {
                        item: stated
                        for currency in period.currencies
                        for item, stated in _values(amount, prior if back else year, currency).items()
                    }
                    for back in years_back
                ],
            )
            for amount, years_back in metric.amounts.values()
        ]
        if all(_first_option(amount, places) for amount, places in places_of):
            return True
    return False


def _complete_from(metric: Metric, period: Period) -> str:
    """Return the first day on which all inputs were known, whatever they said then."""
    for day in reversed(period.turning_days()):
        if _found(metric, period.on(day)):
            return day
    return NEVER
