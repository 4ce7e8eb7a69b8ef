"""One issuer's metrics on every day, computed from all that it reported for full years: pure and exact.

Rules of every metric:

1. A full year is an FY of 350 to 380 days; the year before is adjacent and equally long within 7 days.
2. All amounts are in one currency. If several currencies have all inputs, the first by its code is used.
3. There is no value unless all inputs are reported and the denominator is above zero.
4. A year is published for a metric on the first day on which it was known as a full year and one of the
   metric's inputs of that year was known. An answer has the last year published, unless more years are
   requested. A value belongs to its year on all days; an absence is recorded for the last year only.
5. On each day the value is computed from the vintages that stood on that day. It is exact from the day from
   which on these are the facts that it is computed from in the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from sankofa.metrics.formulas import METRICS
from sankofa.metrics.spans import NEVER, Span, merged, without
from sankofa.metrics.terms import Amount, Expression, Metric
from sankofa.metrics.years import KnownPeriod, KnownYear, Period, Trade, Vintage, Year, periods

REVISED, COMPLETED, MISSING = "revised_after_as_of", "completed_after_as_of", "input_missing"


class Derived(NamedTuple):
    """A metric of one year on some days: its value as it was known then, or why there was none."""

    metric: str
    end: str
    fiscal_year: int | None
    published_at: str
    known_from: str
    known_until: str
    last_until: str  # until when it was the last year published; known_from if it was not
    exact_from: str | None
    left_out: str | None  # why basis=exact leaves it out; None if it is exact
    value: Fraction | None
    absence: str | None
    inputs: tuple[int, ...]


class Outcome(NamedTuple):
    """The result of the formula on some days."""

    fiscal_year: int | None
    value: Fraction | None
    absence: str | None
    rows: tuple[int, ...]


class Stage(NamedTuple):
    """An outcome and the days on which it held."""

    span: Span
    outcome: Outcome


class Found(NamedTuple):
    """Inputs by name and year, all in one currency."""

    amounts: dict[tuple[str, int], int | Fraction]
    rows: tuple[int, ...]


def derive(
    years: Iterable[Year], metrics: tuple[Metric, ...] = METRICS, trades: tuple[Trade, ...] = ()
) -> Iterator[Derived]:
    """Return an issuer's metrics for all days: the values of all years, and where the last one has none."""
    newest_first = periods(years, trades)
    for metric in metrics:
        later: list[Span] = []  # the days on which a newer year was the last one
        for period in newest_first:
            published = period.published(metric)
            if published:
                yield from _of_period(metric, period, published, without(published, later))
                later = merged([*later, *published])


def _of_period(metric: Metric, period: Period, published: list[Span], last: list[Span]) -> Iterator[Derived]:
    stages = _stages(metric, period, published)
    final = stages[-1].outcome if stages[-1].span.until == NEVER else None
    exact_from = _exact_from(stages)
    for span, outcome in stages:
        is_exact = span.since >= exact_from
        left_out = None if is_exact else _left_out(outcome, final)
        for known, last_until in _pieces(span, last):
            if outcome.value is None and last_until == known.since:
                continue  # only the last year is missed
            yield Derived(
                metric.slug,
                period.end,
                outcome.fiscal_year,
                published[0].since,
                known.since,
                known.until if outcome.value is not None else last_until,
                last_until,
                exact_from if is_exact else None,
                left_out,
                outcome.value,
                outcome.absence,
                outcome.rows,
            )


def _pieces(span: Span, last: list[Span]) -> Iterator[tuple[Span, str]]:
    """Yield `span` cut where the year became the last one, each piece with the end of that state."""
    ends = {
        max(since, span.since): min(until, span.until)
        for since, until in last
        if since < span.until and span.since < until
    }
    for first, after in pairwise([*sorted({span.since, *ends}), span.until]):
        yield Span(first, after), ends.get(first, first)


def _left_out(outcome: Outcome, final: Outcome | None) -> str:
    """Return the reason why basis=exact has no value on days with this outcome."""
    if outcome.value is not None:
        return REVISED
    if final is None or final.value is None:
        return MISSING
    return COMPLETED if outcome.absence in ("input_missing", "mixed_currencies") else REVISED


def _stages(metric: Metric, period: Period, published: list[Span]) -> list[Stage]:
    """Return the formula's outcomes on the days on which the year was published, in order."""
    stages: list[Stage] = []
    for span in published:
        for first, after in pairwise([span.since, *period.turns(metric, span), span.until]):
            outcome = _outcome(metric, period.on(first))
            if stages and stages[-1].span.until == first and stages[-1].outcome == outcome:
                stages[-1] = Stage(Span(stages[-1].span.since, after), outcome)
            else:
                stages.append(Stage(Span(first, after), outcome))
    return stages


def _exact_from(stages: list[Stage]) -> str:
    """Return the day from which on the value was computed from the same facts, up to the end."""
    exact_from = NEVER
    rows = stages[-1].outcome.rows if stages[-1].outcome.value is not None else None
    for span, outcome in reversed(stages):
        if span.until != exact_from or outcome.rows != rows:
            break
        exact_from = span.since
    return exact_from


def _outcome(metric: Metric, known: KnownPeriod) -> Outcome:
    fiscal_year = known.readings[0][0].fiscal_year
    if not known.kinds.isdisjoint(metric.misleads_for):
        return Outcome(fiscal_year, None, "not_applicable", ())
    found = _found(metric, known)
    if found is None:
        absence = "mixed_currencies" if _is_mixed(metric, known) else "input_missing"
        return Outcome(fiscal_year, None, absence, ())
    above, below = (_total(side, found.amounts) for side in (metric.above, metric.below))
    if below <= 0:
        return Outcome(fiscal_year, None, "denominator_not_positive", found.rows)
    value = Fraction(above * metric.below.over, below * metric.above.over)
    return Outcome(fiscal_year, value, None, found.rows)


def _found(metric: Metric, known: KnownPeriod) -> Found | None:
    """Return the inputs of the first reading and currency that has them all."""
    for year, before in known.readings:
        if before is None and metric.needs_prior:
            continue
        for currency in known.currencies:
            found = _in_currency(metric, year, before, currency)
            if found:
                return found
    return None


def _in_currency(metric: Metric, year: KnownYear, before: KnownYear | None, currency: str) -> Found | None:
    amounts: dict[tuple[str, int], int | Fraction] = {}
    used: list[int] = []
    for name, (amount, years_back) in metric.amounts.items():
        option = _first_option(
            amount, [_values(amount, before if back else year, currency) for back in years_back]
        )
        if option is None:
            return None
        for back, parts in zip(years_back, option, strict=True):
            amounts[name, back] = sum([sign * vintage.value for sign, vintage in parts])
            used += [vintage.row for _, vintage in parts]
    return Found(amounts, tuple(dict.fromkeys(used)))


def _values(amount: Amount, year: KnownYear | None, currency: str) -> dict[str, Vintage]:
    if year is None:
        return {}
    return (year.stocks if amount.is_stock else year.flows).get(currency, {})


def _first_option(amount: Amount, places: list[dict[str, Vintage]]) -> list[list[tuple[int, Vintage]]] | None:
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


def _is_mixed(metric: Metric, known: KnownPeriod) -> bool:
    """Return whether all inputs are there, only not in one currency."""
    if len(known.currencies) == 1:
        return False
    for year, before in known.readings:
        places_of = [
            (
                amount,
                [
                    {
                        item: vintage
                        for currency in known.currencies
                        for item, vintage in _values(amount, before if back else year, currency).items()
                    }
                    for back in years_back
                ],
            )
            for amount, years_back in metric.amounts.values()
        ]
        if all(_first_option(amount, places) for amount, places in places_of):
            return True
    return False
