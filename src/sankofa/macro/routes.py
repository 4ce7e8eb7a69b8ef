"""The endpoint declarations of the domain: one path with two modes, selected by the parameters."""

from __future__ import annotations

from sankofa.ask.endpoint import Endpoint, Mode
from sankofa.ask.reads import Reads
from sankofa.macro.reads import observations, place_of_observation, place_of_year, years
from sankofa.macro.served import AnnualValue, MacroParams, SeriesValue

_PATH = "/v1/macro"
_NAME = "macro"
_SUMMARY = "Macroeconomic series as they were known, and indicators by year"
_UNKNOWN = {
    "unknown": {
        "type": "object",
        "description": (
            "By parameter, the series, countries or indicators asked for of which nothing was known. Left "
            "out where there are none."
        ),
        "additionalProperties": {"type": "array", "items": {"type": "string"}},
    }
}
_STATUSES = (200, 304, 400, 401, 402, 429, 503)

SERIES = Endpoint(
    path=_PATH,
    name=_NAME,
    summary=_SUMMARY,
    description=(
        "**Series mode**, if `series` or `as_of` is sent: exchange rates, consumer prices, indicators and "
        "other series by year, quarter, month or day, each in the latest vintage known on `as_of`, without "
        "look-ahead, or with `vintages=all` in every vintage known by then."
    ),
    params=MacroParams,
    row=SeriesValue,
    order="date descending, indicator of annual series or else series, country or aggregate, series, vintage",
    read=observations,
    reads=(Reads(("macro_value", "series"), key="only_series"),),
    position=place_of_observation,
    statuses=_STATUSES,
    envelope=_UNKNOWN,
)

MACRO = Endpoint(
    path=_PATH,
    name=_NAME,
    summary=_SUMMARY,
    description=(
        "**Annual mode**, if neither `series` nor `as_of` is sent: indicators of countries by year, as the "
        "newest document states them. Aggregates of countries are only listed if `country` names them."
    ),
    params=MacroParams,
    row=AnnualValue,
    order="year descending, indicator, country or aggregate, series",
    read=years,
    reads=(Reads(("macro_value", "series")),),
    position=place_of_year,
    statuses=_STATUSES,
    envelope=_UNKNOWN,
    modes=(Mode(endpoint=SERIES, is_meant_by=lambda params: params.is_series),),
)

ENDPOINTS = (MACRO,)
