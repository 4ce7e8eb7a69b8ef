"""Parameters and rows of macroeconomic values: two modes, each with its own row."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Annotated, Literal

import msgspec

from sankofa.ask.country import AS_ALPHA_3
from sankofa.ask.params import (
    AsOf,
    CursorText,
    EditionNumber,
    Limit,
    Parameter,
    calendar_date,
    one_of,
    refuse_reversed,
)
from sankofa.core.errors import BadParameter

Frequency = Literal["annual", "quarterly", "monthly", "daily"]
# A value may have 26 digits before the point and 30 after it; some formats need these sizes.
ExactValue = Annotated[Decimal, msgspec.Meta(extra={"precision": 56, "scale": 30})]

_KEY = re.compile(r"[ -~]{1,200}")
_YEAR = re.compile(r"[0-9]{4}")
_MOST_NAMES = 20


class AnnualValue(msgspec.Struct, frozen=True):
    """One year of an indicator, as its publisher states it in the newest document."""

    country_iso2: str | None
    country_iso3: str | None
    aggregate: str | None
    indicator: str
    indicator_name: str | None
    year: int
    value: ExactValue
    unit: str | None
    available_at: dt.date | None
    available_at_basis: str | None
    source_ref: str
    license_class: str
    observed_at: dt.datetime
    provenance_id: str
    fact_id: str


class SeriesValue(msgspec.Struct, frozen=True):
    """One observation of a series: a vintage that was known."""

    series: str
    series_type: str
    frequency: Frequency
    country_iso2: str | None
    country_iso3: str | None
    aggregate: str | None
    date: dt.date
    value: ExactValue
    unit: str | None
    vintage: int
    available_at: dt.date
    available_at_basis: str
    known_until: dt.date | None
    source_ref: str
    license_class: str
    observed_at: dt.datetime
    provenance_id: str
    fact_id: str


def key_text(text: str) -> str:
    """Parse a key of an open vocabulary: any well-formed key is accepted, and an unknown one has no rows."""
    if not _KEY.fullmatch(text):
        raise ValueError("expected 1 to 200 printable ASCII characters")
    return text


def _several(name: Callable[[str], str]) -> Callable[[str], str]:
    """Return a parser for comma-separated names; the result is sorted, without duplicates."""

    def parse(text: str) -> str:
        names = sorted({name(part) for part in text.split(",")})
        if len(names) > _MOST_NAMES:
            raise ValueError(f"expected at most {_MOST_NAMES} names, with commas between them")
        return ",".join(names)

    return parse


def _year_or_date(text: str) -> int | dt.date:
    if _YEAR.fullmatch(text) and int(text):
        return int(text)
    try:
        return calendar_date(text)
    except ValueError:
        raise ValueError(
            "expected a calendar date of the form YYYY-MM-DD or, in annual mode, a year"
        ) from None


KEY_SCHEMA = {"type": "string", "pattern": f"^{_KEY.pattern}$"}
_BOUND_SCHEMA = {"type": "string", "pattern": "^[0-9]{4}(-[0-9]{2}-[0-9]{2})?$"}

_KEYS_SCHEMA = {"type": "string", "pattern": "^[ -~]+$"}

SeriesKeys = Annotated[
    str | None,
    Parameter(
        description="Series mode: up to 20, such as FX.EUR.ZAR,CPI.KEN.",
        parse=_several(key_text),
        schema=_KEYS_SCHEMA,
        example="CPI.KEN",
    ),
]
SeriesType = Annotated[
    Literal["fx", "cpi", "indicator"] | None,
    Parameter(
        description="Series mode: series of one family.",
        parse=one_of("fx", "cpi", "indicator"),
        schema={"type": "string", "enum": ["fx", "cpi", "indicator"]},
        example="cpi",
    ),
]
FrequencyName = Annotated[
    Frequency | None,
    Parameter(
        description="Series mode: series of one frequency.",
        parse=one_of("annual", "quarterly", "monthly", "daily"),
        schema={"type": "string", "enum": ["annual", "quarterly", "monthly", "daily"]},
        example="monthly",
    ),
]
Countries = Annotated[
    str | None,
    Parameter(
        description="Up to 20, ISO 3166-1 alpha-2 or alpha-3, or aggregates (SSF). A rate is its quote's.",
        parse=_several(AS_ALPHA_3.parse),
        schema={"type": "string", "pattern": f"^{AS_ALPHA_3.pattern}(,{AS_ALPHA_3.pattern})*$"},
        example="KEN",
    ),
]
Indicators = Annotated[
    str | None,
    Parameter(
        description="Annual mode: up to 20 indicators by code, such as NY.GDP.MKTP.CD.",
        parse=_several(key_text),
        schema=_KEYS_SCHEMA,
        example="",
    ),
]
SeriesVintages = Annotated[
    Literal["latest", "as_reported", "all"] | None,
    Parameter(
        description="Series mode. Default: latest.",
        parse=one_of("latest", "as_reported", "all"),
        schema={"type": "string", "enum": ["latest", "as_reported", "all"]},
        example="all",
    ),
]
From = Annotated[
    int | dt.date | None,
    Parameter(
        description="First day, itself included; in annual mode also a year, and a date means its year.",
        parse=_year_or_date,
        schema=_BOUND_SCHEMA,
        example="2020-01-01",
    ),
]
To = Annotated[
    int | dt.date | None,
    Parameter(
        description="Last day, itself included; in annual mode also a year, and a date means its year.",
        parse=_year_or_date,
        schema=_BOUND_SCHEMA,
        example="2024-12-31",
    ),
]


class MacroParams(msgspec.Struct, frozen=True, kw_only=True):
    """Parameters of macroeconomic values; `series` or `as_of` selects the mode."""

    series: SeriesKeys = None
    series_type: SeriesType = None
    frequency: FrequencyName = None
    country: Countries = None
    indicator: Indicators = None
    begins: From = msgspec.field(default=None, name="from")
    ends: To = msgspec.field(default=None, name="to")
    as_of: AsOf = None
    vintages: SeriesVintages = None
    edition: EditionNumber = None
    limit: Limit = None
    cursor: CursorText = None

    def __post_init__(self) -> None:
        if self.is_series:
            self._refuse(("indicator",), "annual mode only, and series or as_of makes this series mode")
            for name, bound in (("from", self.begins), ("to", self.ends)):
                if isinstance(bound, int):
                    raise BadParameter(name, "expected a calendar date; a year is for annual mode only")
        else:
            self._refuse(
                ("series_type", "frequency", "vintages"),
                "series mode only, and without series or as_of this is annual mode",
            )
        if self.begins and self.ends:
            refuse_reversed(self.first_day, self.last_day)

    def _refuse(self, names: tuple[str, ...], why: str) -> None:
        sent = [name for name in names if getattr(self, name) is not None]
        if sent:
            raise BadParameter(sent[0], why, tuple(sent[1:]))

    @property
    def is_series(self) -> bool:
        """Whether series are requested, and not years of indicators."""
        return self.series is not None or self.as_of is not None

    @property
    def only_series(self) -> str | None:
        """The series, if exactly one is requested."""
        return self.series if self.series and "," not in self.series and not self.country else None

    @property
    def first_day(self) -> dt.date:
        """The first day of the range, from `from`."""
        if isinstance(self.begins, int):
            return dt.date(self.begins, 1, 1)
        return self.begins or dt.date.min

    @property
    def last_day(self) -> dt.date:
        """The last day of the range, from `to`."""
        if isinstance(self.ends, int):
            return dt.date(self.ends, 12, 31)
        return self.ends or dt.date.max
