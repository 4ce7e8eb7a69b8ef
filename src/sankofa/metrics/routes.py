"""The endpoint declarations of the domain."""

from __future__ import annotations

from sankofa.ask.endpoint import Endpoint
from sankofa.ask.reads import DAY, Reads
from sankofa.metrics.reads import metrics_of_issuer, place_of_metric, place_of_rank, screen
from sankofa.metrics.served import REASONS, MetricsParams, MetricValue, RankedValue, ScreenParams

# Rows have their age on the day. These tables hold the inputs of a value and the names of its issuer.
_TABLES = (
    "metric_value",
    "metric_absence",
    "issuer_coverage",
    "fundamentals_fact",
    "organisation",
    "organisation_name",
)

SCREEN = Endpoint(
    path="/v1/screen",
    name="screen",
    summary="Issuers ranked by a metric, as they could be ranked on a date",
    description=(
        "For each issuer the last full year that it had published by `as_of`. With `basis=exact` its value "
        "is shown only if every filing behind it was available by then with the figures that it holds in "
        "this edition; a year that was revised or completed later is left out, and neither the revised "
        "value nor an older year takes its place. With `basis=as_known` values and ranks are computed from "
        "the figures known on `as_of`, and `revised_later` marks those that changed afterwards. A rank is "
        "no rating."
    ),
    params=ScreenParams,
    row=RankedValue,
    order="rank: by the value before rounding, as `order` says, then service_id",
    read=screen,
    reads=(Reads((*_TABLES, DAY)),),
    position=place_of_rank,
    statuses=(200, 304, 400, 401, 402, 429, 503),
    envelope={
        "absent": {
            "type": "object",
            "description": "With `absent=true`: how many issuers were left out, by reason.",
            "properties": {reason: {"type": "integer", "minimum": 0} for reason in REASONS},
            "required": list(REASONS),
        }
    },
)

METRICS = Endpoint(
    path="/v1/metrics/{service_id}",
    name="metrics",
    summary="The metrics of one issuer, as they could be known on a date",
    description=(
        "The same values as on the screen, of one issuer. With `years`, also the years before the last one, "
        "each with the value that it had on `as_of`. An unknown issuer has no rows. After a merge of "
        "duplicates the old id answers with the surviving id's rows and `resolved_from`."
    ),
    params=MetricsParams,
    row=MetricValue,
    order="metric, then period_end descending",
    read=metrics_of_issuer,
    reads=(Reads(("issued_id", *_TABLES), key="service_id"), Reads((DAY,))),
    position=place_of_metric,
    statuses=(200, 304, 400, 401, 402, 429, 503),
    envelope={
        "absent": {
            "type": "object",
            "description": "With `absent=true`: the metrics that the last year lacks, each with its reason.",
            "additionalProperties": {"type": "string", "enum": list(REASONS)},
        },
        "resolved_from": {
            "type": "string",
            "description": "The id that was asked for, where it was merged into the id of the rows.",
        },
    },
)

ENDPOINTS = (SCREEN, METRICS)
