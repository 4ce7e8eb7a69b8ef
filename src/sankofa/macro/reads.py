"""Queries on macroeconomic values: years of indicators, and series as known on a day."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import date
from typing import Any

from sankofa.ask.cursor import Scalar
from sankofa.ask.endpoint import Found, Page
from sankofa.macro.served import AnnualValue, Frequency, MacroParams, SeriesValue
from sankofa.storage.queries import named
from sankofa.storage.reading import Reader, Row

_SQL = named(__package__)
_FREQUENCIES: dict[str, Frequency] = {"A": "annual", "Q": "quarterly", "M": "monthly", "D": "daily"}
_CODES = {name: code for code, name in _FREQUENCIES.items()}
_LAST_VINTAGE = 2**15 - 1
# Positions of columns in `value_row`.
_SERIES, _COUNTRY, _AGGREGATE, _MEASURE, _DATE = 0, 4, 5, 6, 8


def series_of(source_ref: str) -> str:
    """Return the series of a value, from the location in its document."""
    return source_ref.rpartition("#")[2]


def place_of_year(value: AnnualValue) -> tuple[Scalar, ...]:
    """Return the sort key of a year."""
    return date(value.year, 12, 31).isoformat(), series_of(value.source_ref)


def place_of_observation(value: SeriesValue) -> tuple[Scalar, ...]:
    """Return the sort key of an observation."""
    return value.date.isoformat(), value.series, value.vintage


async def years(reader: Reader, params: MacroParams, page: Page) -> Found:
    """Return annual values from the newest document of an edition."""
    until, series = page.after or (params.last_day, "")
    # A date selects its whole year; a position in the order is the last day of a year.
    if isinstance(until, date):
        until = until.replace(month=12, day=31)
    values = _values(params, page, page.knowable(None)) | {
        "vintages": "latest",
        "frequency": "A",
        "since": params.first_day.replace(month=1, day=1),
        "until": until,
        "after_series": series,
        # The only known vintage of this position was on the previous page.
        "after_vintage": _LAST_VINTAGE if page.after else 0,
    }
    statement = "of_areas" if params.country else "of_indicators" if params.indicator else "years_of_all"
    if params.country and params.indicator:
        found = await reader.fetch(_SQL["series_of_indicators"], values, edition=page.edition)
        statement, values["series"] = "of_series", [key for (key,) in found]
    rows = await reader.fetch(_SQL[statement], values, edition=page.edition)
    unknown = await _unknown(reader, params, rows, values, page)
    return Found(rows=[_year(row) for row in rows], extra=unknown)


async def observations(reader: Reader, params: MacroParams, page: Page) -> Found:
    """Return observations of series in the vintages known on a date."""
    day = page.knowable(params.as_of)
    until, series, vintage = page.after or (params.last_day, "", 0)
    values = _values(params, page, day) | {
        "vintages": params.vintages or "latest",
        "frequency": params.frequency and _CODES[params.frequency],
        "since": params.first_day,
        "until": until,
        "after_series": series,
        "after_vintage": vintage,
    }
    statement = "of_series" if params.series else "of_areas" if params.country else "of_all"
    rows = await reader.fetch(_SQL[statement], values, edition=page.edition)
    unknown = await _unknown(reader, params, rows, values, page)
    return Found(rows=[_observation(row) for row in rows], as_of=day, extra=unknown)


def _values(params: MacroParams, page: Page, day: date) -> dict[str, Any]:
    return {
        "edition": page.edition.number,
        "day": day,
        "rows": page.rows + 1,
        "series": _names(params.series),
        "areas": _names(params.country),
        "indicators": _names(params.indicator),
        "series_type": params.series_type,
    }


def _names(text: str | None) -> list[str] | None:
    return text.split(",") if text else None


async def _unknown(
    reader: Reader, params: MacroParams, rows: list[Row], values: Mapping[str, Any], page: Page
) -> dict[str, Any]:
    """Return the requested names without any value known on the day, by parameter."""
    met = {name for row in rows for name in (row[_SERIES], row[_COUNTRY] or row[_AGGREGATE], row[_MEASURE])}
    sent = {"series": params.series, "areas": params.country, "indicators": params.indicator}
    left = {name: [one for one in _names(text) or () if one not in met] for name, text in sent.items()}
    if not any(left.values()):
        return {}
    unknown: defaultdict[str, list[str]] = defaultdict(list)
    for parameter, name in await reader.fetch(_SQL["unknown"], {**values, **left}, edition=page.edition):
        unknown[str(parameter)].append(str(name))
    return {"unknown": dict(unknown)} if unknown else {}


def _year(row: Row) -> AnnualValue:
    # Without the series and the vintage fields.
    return AnnualValue(*(*row[3:_DATE], row[_DATE].year, *row[9:11], *row[12:14], *row[15:]))


def _observation(row: Row) -> SeriesValue:
    series, series_type, frequency, *place = row[:_MEASURE]
    return SeriesValue(series, series_type, _FREQUENCIES[frequency], *place, *row[_DATE:])
