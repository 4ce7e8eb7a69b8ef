"""The invented economies of the demo world: yearly figures, daily rates, monthly prices, revised."""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

from demo.chance import Chance

AREAS = ("ZAF", "NGA", "KEN", "GHA", "EGY", "MAR", "CIV", "TZA", "UGA", "ZMB", "BWA", "MUS")
YEARS = range(2000, 2025)
UPDATES = (date(2024, 7, 1), date(2025, 1, 15), date(2025, 7, 1))
CURRENCIES = ("USD", "KES", "NGN", "ZAR", "GHS", "EGP", "MAD")


class Indicator(NamedTuple):
    """One yearly figure: its code and name, the first year's size and how many decimals it has."""

    code: str
    name: str
    size: int
    decimals: int


INDICATORS = (
    Indicator("NY.GDP.MKTP.CD", "GDP (current US$)", 40_000_000_000, 2),
    Indicator("SP.POP.TOTL", "Population, total", 20_000_000, 0),
    Indicator("FP.CPI.TOTL.ZG", "Inflation, consumer prices (annual %)", 6, 6),
)


def figures(seed: int, update: int) -> dict[tuple[Indicator, str], dict[int, str]]:
    """Return the yearly figures as of an update: {(indicator, area): {year: value as written}}.

    The last year is missing from the first update. One figure in twenty is revised by an update. Kenya's
    GDP of 2020 goes 100, 90, 100 billion, and South Africa's of 2001 is withdrawn by the third update.
    """
    found = {}
    for indicator in INDICATORS:
        for area in AREAS:
            found[indicator, area] = _figures(seed, update, indicator, area)
    gdp = INDICATORS[0]
    found[gdp, "KEN"][2020] = ("100000000000", "90000000000", "100000000000")[update]
    if update == len(UPDATES) - 1:
        del found[gdp, "ZAF"][2001]
    return found


def _figures(seed: int, update: int, indicator: Indicator, area: str) -> dict[int, str]:
    chance = Chance(f"{seed} {indicator.code} {area}")
    unit = 10**indicator.decimals
    level = indicator.size * unit * chance.between(50, 150) // 100
    values = {}
    for year in YEARS:
        level += level * chance.between(-2, 9) // 100
        stated = level
        for later in range(1, len(UPDATES)):
            is_revised = chance.percent(5)
            by = chance.between(1, 9)
            if is_revised and later <= update:
                stated += max(1, level * by // 1000)
        values[year] = _written(stated, indicator.decimals)
    if update == 0:
        del values[YEARS[-1]]
    return values


def rates(seed: int, last: date, days: int) -> dict[date, dict[str, str]]:
    """Return what a euro was worth on the working days up to one, by currency; newest first."""
    found = {}
    for back in range(days):
        day = last - timedelta(days=back)
        if day.isoweekday() > 5:  # noqa: PLR2004 - Saturday and Sunday have no rate
            continue
        found[day] = {
            currency: _written(
                10_000 * (place + 1) ** 3 + Chance(f"{seed} {currency} {day}").between(0, 900), 4
            )
            for place, currency in enumerate(CURRENCIES)
        }
    return found


def prices(seed: int) -> list[tuple[date, date, str]]:
    """Return Kenya's consumer prices by month: month, day of the release, and the index it states.

    A month is released on the 20th of the next, and one in four is revised two months later.
    """
    chance = Chance(f"{seed} prices")
    released = []
    level = 10_000
    for number in range(48):
        month = date(2021 + number // 12, number % 12 + 1, 1)
        level += chance.between(10, 90)
        released.append((month, _after(month, 1), _written(level, 2)))
        if chance.percent(25):
            released.append((month, _after(month, 3), _written(level + chance.between(1, 40), 2)))
    return released


def _after(month: date, months: int) -> date:
    number = month.year * 12 + month.month - 1 + months
    return date(number // 12, number % 12 + 1, 20)


def _written(value: int, decimals: int) -> str:
    digits = f"{value:0{decimals + 1}d}"
    return f"{digits[:-decimals]}.{digits[-decimals:]}" if decimals else digits
