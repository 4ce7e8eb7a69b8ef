"""The World Bank's codes: countries and aggregates, and the units of indicators."""

from __future__ import annotations

import re
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from sankofa.core.countries import RENAMED, country
from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import Limits, exact
from sankofa.ingest.series.builder import first_seen, published
from sankofa.macro import periods, series
from sankofa.macro.model import Frequency, Release, SeriesHead

CLOCK = ZoneInfo("America/New_York")
_MEASURE = re.compile(r"\(([^()]*)\)")
_SCALE = re.compile(r"\b(thousand|million|billion)s?\b", re.IGNORECASE)

# Codes that the Bank used before it took those of ISO 3166. ZAR is Zaire here, not the rand.
_FORMER = {**RENAMED, "ADO": "AND", "IMY": "IMN", "KSV": "XKX", "WBG": "PSE"}

# The income groups come from the API with two letters and an empty three-letter code.
_INCOME_GROUPS = {"XD": "HIC", "XM": "LIC", "XN": "LMC", "XT": "UMC", "XY": "INX"}


class Area(NamedTuple):
    """A country, or an aggregate under the Bank's own code, which belongs to no country."""

    code: str
    country_iso3: str | None


class Indicator(NamedTuple):
    """An indicator, for documents that do not name theirs."""

    code: str
    name: str | None = None


@lru_cache(1 << 10)
def area(code: str) -> Area | None:
    """Return the area of a code of two or three letters, or None if it is malformed."""
    if not series.is_area(code):
        return None
    known = country(_FORMER.get(code, code))
    if known:
        return Area(known.alpha3, known.alpha3)
    return Area(_INCOME_GROUPS.get(code, code), None)


def number(cell: object, limits: Limits) -> Decimal | str | None:
    """Return the exact value of a row, None if it has none, or the reason why it is rejected."""
    if cell is None:
        return None
    if isinstance(cell, bool) or not isinstance(cell, int | Decimal):  # a bool is an int to isinstance
        return "bad_value"
    value = exact(cell, limits)
    return "value_out_of_range" if value is None else value


def unit_of(name: str | None) -> str | None:
    """Return the unit that an indicator's name gives in brackets, with its scale.

    "GDP (current US$)" is in USD, "Exports (US$, millions)" in USD millions, "… (annual %)" in percent.
    """
    for measure in _MEASURE.findall(name or ""):
        if "%" in measure:
            return "percent"
        if "US$" in measure:
            scale = _SCALE.search(measure)
            return f"USD {scale[1].lower()}s" if scale else "USD"
        if measure.replace(" ", "").endswith("=100"):
            return "index"
    return None


def head(indicator: Indicator, place: Area, frequency: Frequency, unit: str | None = None) -> SeriesHead:
    """Return the series of an indicator in one area; a row's unit has priority over the name's."""
    return SeriesHead(
        key=series.world_bank(indicator.code, place.code, frequency),
        series_type="indicator",
        frequency=frequency,
        country_iso3=place.country_iso3,
        unit=unit or unit_of(indicator.name),
        indicator=indicator.code,
        indicator_name=indicator.name or None,
    )


def release(last_updated: object, fetched_at: datetime) -> Release:
    """Return the release by the document's update day, or by our fetch if it has none."""
    if last_updated in (None, ""):
        return first_seen(fetched_at, CLOCK)
    day: date | None = periods.day(last_updated) if isinstance(last_updated, str) else None
    if day is None:
        raise UnreadableDocument("bad_date", f"last updated {last_updated!s:.40}")
    return published(day, fetched_at)
