"""The rows and parameters of metrics."""

from __future__ import annotations

import re
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Literal

import msgspec

from sankofa.ask.country import AS_ALPHA_2
from sankofa.ask.params import AsOf, CursorText, EditionNumber, Limit, Parameter, ServiceId, one_of
from sankofa.metrics.formulas import BY_SLUG

# A ratio of values of 38 digits has 66 before the point at most, and ten after it.
DerivedValue = Annotated[Decimal, msgspec.Meta(extra={"precision": 76, "scale": 10})]
REASONS = (
    "revised_after_as_of",
    "completed_after_as_of",
    "input_missing",
    "not_published",
    "not_full_year",
    "period_too_old",
)

_SLUG = re.compile(r"[a-z0-9_]+")
_DAYS = re.compile(r"[1-9][0-9]{0,4}")
_YEARS = re.compile(r"[1-9]|[1-4][0-9]|50")


class MetricValue(msgspec.Struct, frozen=True):
    """A metric of an issuer for a full year that was published by `as_of`."""

    service_id: str
    legal_name: str | None
    name_as_of: date | None
    country: str | None
    metric: str
    value: DerivedValue
    fiscal_year: int | None
    period_end: date
    period_age_days: int
    as_of: date
    published_at: date
    exact_from: date | None
    revised_later: bool
    inputs: list[str]
    methodology_ref: str
    source_ref: str
    license_class: str
    observed_at: datetime


class RankedValue(msgspec.Struct, frozen=True, dict=True):
    """The same among all issuers; its exact place in the order is kept beside the fields, for the cursor."""

    rank: int
    service_id: str
    legal_name: str | None
    name_as_of: date | None
    country: str | None
    metric: str
    value: DerivedValue
    fiscal_year: int | None
    period_end: date
    period_age_days: int
    as_of: date
    published_at: date
    exact_from: date | None
    revised_later: bool
    inputs: list[str]
    methodology_ref: str
    source_ref: str
    license_class: str
    observed_at: datetime


def _metric(text: str) -> str:
    if not _SLUG.fullmatch(text) or text not in BY_SLUG:
        raise ValueError("expected the slug of a metric; /v1/catalog/metrics lists them")
    return text


def _days(text: str) -> int:
    if not _DAYS.fullmatch(text):
        raise ValueError("expected a whole number from 1 to 99999, in ASCII digits")
    return int(text)


def _years(text: str) -> int:
    if not _YEARS.fullmatch(text):
        raise ValueError("expected a whole number from 1 to 50, in ASCII digits")
    return int(text)


_METRIC_SCHEMA = {"type": "string", "pattern": f"^{_SLUG.pattern}$", "enum": list(BY_SLUG)}
MetricSlug = Annotated[
    str,
    Parameter(
        description="The metric to rank by; /v1/catalog/metrics lists them.",
        parse=_metric,
        schema=_METRIC_SCHEMA,
        example="net_margin",
    ),
]
AnyMetricSlug = Annotated[
    str | None,
    Parameter(description="Only this metric.", parse=_metric, schema=_METRIC_SCHEMA, example="net_margin"),
]
Order = Annotated[
    Literal["asc", "desc"],
    Parameter(
        description="desc: rank 1 is the largest value; asc: rank 1 is the smallest.",
        parse=one_of("asc", "desc"),
        schema={"type": "string", "enum": ["asc", "desc"], "default": "desc"},
        example="desc",
    ),
]
IssuerCountry = Annotated[
    str | None,
    Parameter(
        description="Only issuers of this jurisdiction: ISO 3166-1 alpha-2 or alpha-3, any case.",
        parse=AS_ALPHA_2.parse,
        schema=AS_ALPHA_2.schema,
        example="KE",
    ),
]
Absent = Annotated[
    Literal["true", "false"],
    Parameter(
        description="Whether `absent` says what was left out, and why.",
        parse=one_of("true", "false"),
        schema={"type": "string", "enum": ["true", "false"], "default": "false"},
        example="true",
    ),
]

Basis = Annotated[
    Literal["exact", "as_known"],
    Parameter(
        description=(
            "exact: only values whose figures were never changed after `as_of`. as_known: values as they "
            "were known on `as_of`, with `revised_later`; use it for backtests."
        ),
        parse=one_of("exact", "as_known"),
        schema={"type": "string", "enum": ["exact", "as_known"], "default": "exact"},
        example="as_known",
    ),
]
MaxAge = Annotated[
    int | None,
    Parameter(
        description="Only periods that ended at most this many days before `as_of`.",
        parse=_days,
        schema={"type": "integer", "minimum": 1, "maximum": 99999},
        example="550",
    ),
]
Years = Annotated[
    int,
    Parameter(
        description="How many years, the last one published by `as_of` and those before it.",
        parse=_years,
        schema={"type": "integer", "minimum": 1, "maximum": 50, "default": 1},
        example="5",
    ),
]


class ScreenParams(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of a ranking of all issuers by one metric."""

    metric: MetricSlug
    order: Order = "desc"
    country: IssuerCountry = None
    as_of: AsOf = None
    basis: Basis = "exact"
    max_age_days: MaxAge = None
    absent: Absent = "false"
    edition: EditionNumber = None
    limit: Limit = None
    cursor: CursorText = None


class MetricsParams(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of a query for the metrics of one issuer."""

    service_id: ServiceId
    metric: AnyMetricSlug = None
    years: Years = 1
    as_of: AsOf = None
    basis: Basis = "exact"
    max_age_days: MaxAge = None
    absent: Absent = "false"
    edition: EditionNumber = None
    limit: Limit = None
    cursor: CursorText = None
