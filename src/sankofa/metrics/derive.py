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
from itertools import islice, pairwise
from typing import NamedTuple

from sankofa.metrics.formulas import METRICS
from sankofa.metrics.spans import NEVER, Span, merged, without
from sankofa.metrics.terms import Metric
from sankofa.metrics.years import KnownPeriod, Period, Reading, Sums, Trade, Year, periods

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


class Days(NamedTuple):
    """The days on which a period was published, and those on which it was the last one."""

    period: Period
    published: list[Span]
    last: list[Span]


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


def derive(
    years: Iterable[Year], metrics: tuple[Metric, ...] = METRICS, trades: tuple[Trade, ...] = ()
) -> Iterator[Derived]:
    """Return an issuer's metrics for all days: the values of all years, and where the last one has none."""
    newest_first = periods(years, trades)
    days_of: dict[tuple[str | None, ...], list[Days]] = {}  # by the first days of all years
    for metric in metrics:
        firsts = tuple(
            [year.first_reported(*metric.current) for period in newest_first for year in period.years]
        )
        if firsts not in days_of:
            days_of[firsts] = _days(newest_first, firsts)
        for days in days_of[firsts]:
            yield from _of_period(metric, days)


def _days(newest_first: list[Period], firsts: tuple[str | None, ...]) -> list[Days]:
    """Return the periods that were ever published, given the first days of their years."""
    found = []
    later: list[Span] = []  # the days on which a newer year was the last one
    first = iter(firsts)
    for period in newest_first:
        published = period.published(list(islice(first, len(period.years))))
        if published:
            found.append(Days(period, published, without(published, later)))
            later = merged([*later, *published])
    return found


def _of_period(metric: Metric, days: Days) -> Iterator[Derived]:
    period, published, last = days
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
    days = sorted({span.since, *ends}) if ends else [span.since]
    for first, after in pairwise([*days, span.until]):
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
    if not known.kinds.isdisjoint(metric.misleads_for):
        return Outcome(known.fiscal_year, None, "not_applicable", ())
    for reading in known.readings:
        if found := _found(metric, reading):
            break
    else:
        is_mixed = any(_found(metric, reading) for reading in known.mixed)
        return Outcome(known.fiscal_year, None, "mixed_currencies" if is_mixed else "input_missing", ())
    rows = tuple(dict.fromkeys([row for sums in found for row in sums.rows]))
    above, below = [
        sum([times * found[place].values[year] for times, place, year in side]) for side in metric.weights
    ]
    if below <= 0:
        return Outcome(known.fiscal_year, None, "denominator_not_positive", rows)
    value = Fraction(above * metric.below.over, below * metric.above.over)
    return Outcome(known.fiscal_year, value, None, rows)


def _found(metric: Metric, reading: Reading) -> list[Sums] | None:
    """Return all amounts that a metric needs, or None if one is missing."""
    found = []
    for needed in metric.needed:
        sums = reading.sums(needed)
        if sums is None:
            return None
        found.append(sums)
    return found
