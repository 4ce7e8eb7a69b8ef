"""The query of quality: all measures of one dataset in one edition."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from sankofa.ask.cursor import Scalar
from sankofa.ask.endpoint import Found, Page
from sankofa.core.errors import NotFound
from sankofa.core.exact import rounded
from sankofa.core.licences import most_restrictive
from sankofa.datasets import SKUS
from sankofa.fundamentals.dataset import DATASET as FUNDAMENTALS
from sankofa.quality import figures
from sankofa.quality.figures import Figure, Held, Result
from sankofa.quality.measures import UNMEASURED, Measure, measures_of
from sankofa.quality.served import QualityMetric, QualityParams
from sankofa.storage.queries import named
from sankofa.storage.reading import Reader, Row

_SQL = named(__package__)
_Origin = tuple[str | None, str | None, datetime | None]  # source_ref, license_class, observed_at


def place_of_metric(metric: QualityMetric) -> tuple[Scalar, ...]:
    """Return the sort key of a row."""
    return (metric.measure,)


async def quality(reader: Reader, params: QualityParams, page: Page) -> Found:
    """Return all measures of a dataset, including those that are UNMEASURED.

    Raise NotFound if it does not exist.
    """
    if params.sku not in SKUS:
        raise NotFound
    values = {"sku": params.sku, "edition": page.edition.number}
    ((published_at, overrides),) = await reader.fetch(_SQL["published"], values, edition=page.edition)
    totals = await _totals(reader, params.sku, page)
    results = await reader.fetch(_SQL["results"], values, edition=page.edition)
    held = Held(
        by_country={country: counts for country, _, counts in totals},
        newest={country: day for country, day, _ in totals if day},
        day=page.edition.day,
        results={measure: Result(*result) for measure, *result in results},
        overrides=overrides,
    )
    origin = await _origin(reader, held, page)
    rows = sorted(
        (
            _row(params.sku, measure, figure, published_at, origin)
            for measure in measures_of(params.sku)
            for figure in measure.figures(held)
        ),
        key=place_of_metric,
    )
    after = page.after or ("",)
    return Found(rows=[row for row in rows if place_of_metric(row) > after][: page.rows + 1])


async def shares_mapped(reader: Reader, page: Page) -> dict[str, Decimal]:
    """Return the share of facts mapped to a line item, by source; `mapped_facts` of the dataset."""
    totals = await _totals(reader, FUNDAMENTALS.name, page)
    shares = figures.mapped(Held(by_country={country: counts for country, _, counts in totals}))
    return {share.part: rounded(share.exact) for share in shares if share.part and share.exact is not None}


async def _totals(reader: Reader, sku: str, page: Page) -> list[Row]:
    values = {"sku": sku, "edition": page.edition.number}
    return await reader.fetch(_SQL["totals"], values, edition=page.edition)


async def _origin(reader: Reader, held: Held, page: Page) -> _Origin:
    """Return the provenance of the figures: the sources of the dataset, as its documents may be millions."""
    values = {"sources": list(held.parts("source/")), "edition": page.edition.number}
    rows = await reader.fetch(_SQL["sources"], values, edition=page.edition)
    if not rows:
        return None, None, None
    names, licences, fetched = zip(*rows, strict=True)
    return "; ".join(names), most_restrictive(licences), max(fetched)


def _row(
    sku: str, measure: Measure, figure: Figure, published_at: datetime, origin: _Origin
) -> QualityMetric:
    value = figure.exact
    return QualityMetric(
        sku,
        f"{measure.slug}.{figure.part}" if figure.part else measure.slug,
        UNMEASURED if value is None else rounded(value),
        None if measure.floor is None else rounded(measure.floor),
        measure.status(value),
        measure.unit,
        None if value is None else figure.measured_at or published_at,
        measure.methodology_ref,
        *origin,
    )
