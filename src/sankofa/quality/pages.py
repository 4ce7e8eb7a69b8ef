"""The methodology page of quality, generated from the measures."""

from __future__ import annotations

import textwrap

from sankofa.core.exact import rounded
from sankofa.datasets import SKUS
from sankofa.quality.measures import MEASURES, METHODOLOGY, Measure
from sankofa.quality.samples import COLUMNS

_PAGE = """\
# How quality is measured

This page is for people who use the numbers of `GET /v1/quality-metrics/{{sku}}`, and for operators whose
edition was stopped. The exact promise is QUA-1 in the [contract](../contract.md). The page is made from
`quality/measures.py` by `.venv/bin/python -m dev quality`.

Methodology: `{methodology}`. Each row names its measure in `methodology_ref`, such as
`{methodology}#freshness`. A number about a part of a dataset has the part after its measure, such as
`completeness.revenue.KE`.

## Rules of every measure

1. A row is about one edition: the numbers are what they were when it was published, and never change.
2. Shares are exact fractions, rounded once to ten places. They are compared with floors before rounding.
3. What was not measured has the value and the status `UNMEASURED`. It has not passed. A share of nothing
   is not measured.
4. A measured value without a floor has the status `no_floor`: there is nothing that it could pass or fail.
5. `source_ref` names the sources that the dataset rests on, in place of their documents, which may be
   millions. `license_class` is the strictest of theirs, and `observed_at` the moment their latest
   document was fetched.

## Floors

Before an edition becomes current, the measures marked *stops* are taken over the keys that it touched:
issuers, contracting processes and series. If one is below its floor, the edition is not published. The
command says which measure it is, what was measured, what is required, and some of the keys at fault. The
build is undone by the next publish, as any that was broken off.

`sankofa publish --override "reason"` publishes all the same, once. The reason and what was measured are
recorded in `ops.quality_override`. The rows of that edition say `fail`, and `floor_overrides` counts the
floors.

## The look-ahead audit

It has five checks: `look_ahead_dates`, `look_ahead_history`, `future_independence`,
`look_ahead_first_vintage` and `look_ahead_newest_period`. They run on each edition, over the touched
keys, before it is current. `sankofa audit`, on a schedule of the operator's choice, runs them over
everything that the current edition holds and over all editions, and counts all sums anew. It ends with
status 1 if it finds a fault. Its result is recorded, and is served as `look_ahead_audit` from the next
edition on.

## Labelled samples

No rule can see a firm that is withheld by mistake, or a figure that was misread. For these somebody has
to look. `sankofa sample labels.csv` takes a file with the columns `{columns}`:

- `false_withhold_rate`: an organisation, by the identifier that a source names it by, such as `lei:…`.
{sampled}

The labels are kept, looked up in the current edition, and what they show is served from the next edition
on. Without a sample these measures are `UNMEASURED`.

## Measures
{measures}"""

_MEASURE = """
### {slug}

{method}

Of {skus}. Unit: {unit}. Floor: {floor}.
"""


def quality_page() -> str:
    """Return the page."""
    return _PAGE.format(
        methodology=METHODOLOGY,
        columns=",".join(COLUMNS),
        sampled=_sampled(),
        measures="".join(map(_measure, MEASURES)),
    )


def _sampled() -> str:
    values = " ".join(
        f"Of {sku}: {dataset.counted.sampled}." for sku, dataset in sorted(SKUS.items()) if dataset.counted
    )
    text = f"- `extraction_accuracy`: a value as a document states it. {values}"
    return textwrap.fill(text, 106, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _measure(measure: Measure) -> str:
    floor = "none" if measure.floor is None else str(rounded(measure.floor))
    return _MEASURE.format(
        slug=measure.slug,
        method=textwrap.fill(measure.method, 110, break_long_words=False, break_on_hyphens=False),
        skus=", ".join(measure.skus),
        unit=measure.unit,
        floor=f"{floor}, *stops*" if measure.fault else floor,
    )
