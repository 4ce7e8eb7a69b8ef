"""The methodology page of metrics-v1, made from the formulas so that it cannot fall behind them."""

from __future__ import annotations

from itertools import groupby

from sankofa.metrics.formulas import AMOUNTS, METHODOLOGY, METRICS, version
from sankofa.metrics.terms import MARKERS, Metric

_PAGE = """\
# How metrics are made

This page is for people who use the numbers of `GET /v1/screen` and `GET /v1/metrics/{{service_id}}`. The
exact promises are MET-1 to MET-6 in the [contract](../contract.md). The data serves research and information;
a rank is no rating. The page is made from `metrics/formulas.py` by `.venv/bin/python -m dev metrics`.

Methodology: `{methodology}`, {count} metrics, formulas of version `{version}`. Each row names its formula in
`methodology_ref`, such as `{methodology}#net_margin`.

## Rules of every metric

1. A metric is a ratio without a unit, computed exactly from fractions and rounded once, half to even, to ten
   places. Ranks come from the value before rounding; ties go by service_id.
2. It is of a full year: an FY of 350 to 380 days, in the accounts of the whole group. The year before is the
   adjacent FY, equally long within 7 days; without it there is neither growth nor an average.
3. All amounts are in one currency. If a filer states a year in several, the first by its code that has all
   inputs is taken; if no one currency has them all, there is no value.
4. An amount is the first of its ways in the table below that the filer states in full, for all the years that
   the formula needs. What is not stated is missing, and never zero.
5. There is no value unless the denominator is above zero: a ratio over a loss or over negative equity would
   rank the wrong way round.
6. Where a formula would mislead about banks or insurers, they have no value. Whoever reports one of these for
   a year is one: {markers}.

## Which year, and from when

On a day, an issuer's year for a metric is the last one that was *published* by then: it was known to be a
full year, and one of the metric's inputs of that year was known. That is `published_at`.

The value is shown from `exact_from` on: the day from which all that decides it was known as it stands in the
edition. That is the latest of the days on which its facts became available in their newest vintage, those of
the year before included, and of any withdrawal that changed which facts are taken. Before that day the year
is left out, and neither the revised value nor an older year takes its place. A year that is restated later
therefore disappears from the days before its restatement; it never appears on a day before its filing.

`absent=true` counts who was left out:

| reason | the last year published by then |
|---|---|
| `revised_after_as_of` | had all inputs, and one of them was changed later |
| `completed_after_as_of` | lacked an input that was stated later |
| `input_missing` | has no value at all, by one of the rules 2 to 6 |
| `not_published` | is none: nothing for this metric was published by then |
| `not_full_year` | is none: something was published by then, but no full year |

## Amounts

| amount | stated as |
|---|---|
{amounts}

## Metrics
{metrics}"""

_METRIC = """
#### {slug}

{definition}

    {formula}
{misleads}"""


def methodology_page() -> str:
    """Return the page."""
    families = [(name, list(group)) for name, group in groupby(METRICS, lambda metric: metric.family)]
    return _PAGE.format(
        methodology=METHODOLOGY,
        count=len(METRICS),
        version=version(),
        markers="; ".join(f"{kind}: {', '.join(sorted(items))}" for kind, items in MARKERS.items()),
        amounts="\n".join(f"| {name} | {amount.told()} |" for name, amount in AMOUNTS.items()),
        metrics="".join(_family(name, metrics) for name, metrics in families),
    )


def _family(name: str, metrics: list[Metric]) -> str:
    return f"\n### {name.capitalize()}\n" + "".join(map(_metric, metrics))


def _metric(metric: Metric) -> str:
    misleads = f"\nNo value for {' and '.join(metric.misleads_for)}.\n" if metric.misleads_for else ""
    return _METRIC.format(
        slug=metric.slug, definition=metric.definition, formula=metric.formula, misleads=misleads
    )
