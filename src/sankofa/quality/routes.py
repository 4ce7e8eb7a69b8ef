"""The endpoint declaration of the domain."""

from __future__ import annotations

from sankofa.ask.endpoint import WHOLE, Endpoint
from sankofa.ask.reads import Reads
from sankofa.quality.reads import place_of_metric, quality
from sankofa.quality.served import QualityMetric, QualityParams

QUALITY = Endpoint(
    path="/v1/quality-metrics/{sku}",
    name="quality_metrics",
    summary="What was measured of a dataset: coverage, freshness, completeness, the look-ahead audit",
    description=(
        "One row for each number, as it was when the edition was published. A measure that is broken down "
        "has the part after its name, such as `completeness.revenue.KE`. What was not measured says so in "
        "`value` and `status`, and has not passed. An edition below a floor is not published unless an "
        "operator overrides it with a reason; `floor_overrides` tells how often."
    ),
    params=QualityParams,
    row=QualityMetric,
    order="measure",
    read=quality,
    reads=(Reads(("edition", "quality_total", "quality_result", "quality_override", "source")),),
    position=place_of_metric,
    statuses=(200, 304, 400, 401, 404, 429, 503),
    most=WHOLE,
)

ENDPOINTS = (QUALITY,)
