"""The methodology page of metrics-v1, made from the formulas so that it cannot fall behind them."""

from __future__ import annotations

from itertools import groupby

from sankofa.metrics.formulas import AMOUNTS, METHODOLOGY, METRICS, version
from sankofa.metrics.terms import INDUSTRIES, MARKERS, MARKERS_NEEDED, Metric

_PAGE = """\
# How metrics are made

This page explains the numbers of `GET /v1/screen` and `GET /v1/metrics/{{service_id}}`. The exact promises
are MET-1 to MET-9 in the [contract](../contract.md). The data serves research and information; a rank is not
a rating. The page is made from `metrics/formulas.py` by `.venv/bin/python -m dev metrics`.

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
6. Where a formula would mislead about banks or insurers, they have no value. The industry that was known on
   the day decides, by its code in the Standard Industrial Classification: {industries}.
   If none was known, an issuer that reports at least {needed} of these for a year is one:
   {markers}.

## Which year, and from when

On a day, an issuer's year for a metric is the last one that was *published* by then: it was known as a full
year, and one of the metric's inputs of that year was known. That is `published_at`.

### The two bases

**`basis=exact`, the default, answers "what was known then and still holds"; `basis=as_known` answers "what
would I have seen on that day".** With `as_known`, the value is computed from the figures of
the day, and `revised_later: true` marks it if a later filing replaced or withdrew one of them. `exact` leaves
such values out: neither the revised value nor an older year takes their place. Use `as_known` for backtests,
because leaving out what was revised later is itself a selection by hindsight. Use `exact` for figures
that were never corrected later.

`exact_from` is the first day on which all facts behind the value were known as they are in the edition: the
latest day on which one of them became available, including those of the year before, or on which a withdrawal
changed the selection of facts. It is null where `revised_later` is true. These two fields
look beyond `as_of` on purpose. With `basis=as_known` nothing else does: a filing after the day changes no
value, rank or input.

`period_age_days` counts the days since the year ended, and `max_age_days` leaves out years that ended
longer ago, such as the last year of an issuer that stopped filing.

`absent=true` counts the issuers that were left out, among those with any known fact on the day:

| reason | the last year published by then |
|---|---|
| `revised_after_as_of` | had all inputs, and one was changed or withdrawn later (`exact` only) |
| `completed_after_as_of` | lacked an input that was stated later (`exact` only) |
| `input_missing` | has no value, by one of the rules 2 to 6; with `as_known`, had none on that day |
| `not_published` | is none: nothing for this metric was published by then |
| `not_full_year` | is none: something was published by then, but no full year |
| `period_too_old` | ended more than `max_age_days` before the day |

## A worked example

On 30 June 2023 Nyalumera Foods of the demo world had reported a net income of 151,000,000 KES and a revenue
of 1,150,000,000 KES for 2022. The net margin is 151 / 1150, rounded to ten places:

```console
$ curl -s -H "X-API-Key: $(cat .local/key)" \\
    'http://127.0.0.1:8080/v1/metrics/DCHFPV9ZRN9Z1AW?metric=net_margin&as_of=2023-06-30&basis=as_known'
{{"data":[{{…,"metric":"net_margin","value":0.1313043478,"fiscal_year":2022,…,"revised_later":true,"inputs":
  ["11e77b93-a3b3-82bb-f8f8-3b3cb1dd3bbe","64fc938d-155f-5feb-4c00-976596350358"],…}}],…}}
```

`inputs` are the ids of the two facts; `/v1/facts/{{fact_id}}` returns each of them. The company restated both
in 2024, so `revised_later` is true, and `basis=exact` leaves the value out.

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
        industries="; ".join(
            f"codes of {kind} begin with {' or '.join(codes)}" for kind, codes in INDUSTRIES.items()
        ),
        needed=MARKERS_NEEDED,
        markers="; ".join(f"{kind}: {', '.join(sorted(items))}" for kind, items in MARKERS.items()),
        amounts="\n".join(f"| {name} | {amount.description()} |" for name, amount in AMOUNTS.items()),
        metrics="".join(_family(name, metrics) for name, metrics in families),
    )


def _family(name: str, metrics: list[Metric]) -> str:
    return f"\n### {name.capitalize()}\n" + "".join(map(_metric, metrics))


def _metric(metric: Metric) -> str:
    misleads = f"\nNo value for {' and '.join(metric.misleads_for)}.\n" if metric.misleads_for else ""
    return _METRIC.format(
        slug=metric.slug, definition=metric.definition, formula=metric.formula, misleads=misleads
    )
