"""The questions one can ask about macroeconomic values: years of indicators, series as they were known."""

from __future__ import annotations

from datetime import date

from sankofa.ask.cursor import Scalar
from sankofa.ask.endpoint import Found, Page
from sankofa.macro.served import AnnualValue, Frequency, MacroParams, SeriesValue
from sankofa.storage.queries import named
from sankofa.storage.reading import Reader, Row

# Keys are printable ASCII, compared byte by byte: none is below the one or above the other.
LOWEST, HIGHEST = "", "\x7f"

_SQL = named(__package__)
_FREQUENCIES: dict[str, Frequency] = {"A": "annual", "Q": "quarterly", "M": "monthly", "D": "daily"}
_CODES = {name: code for code, name in _FREQUENCIES.items()}


def series_of(source_ref: str) -> str:
    """Return the series that a value belongs to: the place in its document."""
    return source_ref.rpartition("#")[2]


def place_of_year(value: AnnualValue) -> tuple[Scalar, ...]:
    """Return a year's place in the order."""
    last_day, series = date(value.year, 12, 31), series_of(value.source_ref)
    return last_day.isoformat(), value.indicator, value.country_iso3, series


def place_of_observation(value: SeriesValue) -> tuple[Scalar, ...]:
    """Return an observation's place in the order."""
    return value.date.isoformat(), value.series


async def years(reader: Reader, asked: MacroParams, page: Page) -> Found:
    """Return what is stated of years, in the newest document that an edition holds."""
    until, measure, country, series = page.after or (asked.last_day, LOWEST, LOWEST, LOWEST)
    statement = (
        "years_of_country" if asked.country else "years_of_indicator" if asked.indicator else "years_of_all"
    )
    # A date means its year, whichever day of it; a place in the order is the last day of one.
    first, last = asked.first_day.replace(month=1, day=1), until
    if isinstance(last, date):
        last = last.replace(month=12, day=31)
    rows = await reader.fetch(
        _SQL[statement],
        {
            "edition": page.edition.number,
            "day": page.knowable(None),
            "rows": page.rows + 1,
            "country": asked.country,
            "lowest": asked.indicator or LOWEST,
            "highest": asked.indicator or HIGHEST,
            "since": first,
            "until": last,
            "after_measure": measure,
            "after_country": country,
            "after_series": series,
        },
        edition=page.edition,
    )
    return Found(rows=[AnnualValue(*row) for row in rows])


async def observations(reader: Reader, asked: MacroParams, page: Page) -> Found:
    """Return observations of series in the latest vintage that was known on a date."""
    day = page.knowable(asked.as_of)
    until, series = page.after or (asked.last_day, LOWEST)
    statement = (
        "values_of_series" if asked.series else "values_of_country" if asked.country else "values_of_all"
    )
    rows = await reader.fetch(
        _SQL[statement],
        {
            "edition": page.edition.number,
            "day": day,
            "rows": page.rows + 1,
            "series": asked.series,
            "series_type": asked.series_type,
            "frequency": asked.frequency and _CODES[asked.frequency],
            "country": asked.country,
            "since": asked.first_day,
            "until": until,
            "after_series": series,
        },
        edition=page.edition,
    )
    return Found(rows=[_observation(row) for row in rows], as_of=day)


def _observation(row: Row) -> SeriesValue:
    series, series_type, frequency, *others = row
    return SeriesValue(series, series_type, _FREQUENCIES[frequency], *others)
