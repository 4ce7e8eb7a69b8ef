"""Series keys: one key per series, whichever document contains it.

    FX.<base>.<quote>           units of the quote currency for 1 unit of the base; never inverted by us
    FX_BUY.… and FX_SELL.…      the same for the rates at which a bank buys and sells
    CPI.<ISO3>                  a consumer price index
    CPI_YOY.<ISO3>              its change on the same month of the year before, in percent
    CPI_12M_AVG.<ISO3>          the average of twelve months on the twelve before, in percent
    WB.<indicator>.<area>       a World Bank indicator by year; the area is ISO 3166-1 alpha-3, or the code
                                of an aggregate
    WB.<indicator>.<area>.<Q|M> the same by quarter or month, which the Bank states under the same code
    FRED.<id>                   a series of FRED
    WEO.<subject>.<ISO3>        a subject of the IMF's World Economic Outlook by year; only outturns

A key names a series, not its source: two sources may state FX.EUR.USD.
"""

from __future__ import annotations

import re
from typing import Literal

from sankofa.macro.model import Frequency

_CURRENCY = re.compile(r"[A-Z]{3}")
_AREA = re.compile(r"[A-Z0-9]{2,3}")
_INDICATOR = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}(?:\.[A-Za-z0-9_-]{1,64}){0,15}")

FxKind = Literal["FX", "FX_BUY", "FX_SELL"]
CpiKind = Literal["CPI", "CPI_YOY", "CPI_12M_AVG"]


def is_currency(text: str) -> bool:
    """Return whether `text` has the form of an ISO 4217 code; former codes such as ROL count."""
    return _CURRENCY.fullmatch(text) is not None


def is_area(text: str) -> bool:
    """Return whether `text` has the form of a country or aggregate code."""
    return _AREA.fullmatch(text) is not None


def is_indicator(text: str) -> bool:
    """Return whether `text` is a well-formed World Bank indicator code."""
    return _INDICATOR.fullmatch(text) is not None


def fx(base: str, quote: str, kind: FxKind = "FX") -> str:
    """Return the key of an exchange rate: units of the quote currency per unit of the base."""
    return f"{kind}.{base}.{quote}"


def cpi(country_iso3: str, kind: CpiKind = "CPI") -> str:
    """Return the key of a country's consumer prices."""
    return f"{kind}.{country_iso3}"


def world_bank_areas(indicator: str) -> str:
    """Return the key prefix of an indicator, for all areas."""
    return f"WB.{indicator}."


def world_bank(indicator: str, area: str, frequency: Frequency) -> str:
    """Return the key of an indicator in one area."""
    key = world_bank_areas(indicator) + area
    return key if frequency == "A" else f"{key}.{frequency}"


def fred(identifier: str) -> str:
    """Return the key of a series of FRED."""
    return f"FRED.{identifier}"


def outlook(subject: str, country_iso3: str) -> str:
    """Return the key of a subject of the World Economic Outlook in one country."""
    return f"WEO.{subject}.{country_iso3}"
