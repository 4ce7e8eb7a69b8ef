"""Amounts in another currency, by rates that the service serves, each shown beside the amount that it made.

The service serves amounts as they were reported. A converted amount depends on a choice of rate, so it is
made here, in the open: by the last rate on or before the end of the period, no older than `max_age_days`, as
known on the day that the rows were asked for. Rows for which there is no such rate have no amount.
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from typing import Generic, Literal, Protocol, TypeVar

import msgspec

from sankofa_client import _endpoints as ask
from sankofa_client._conversation import Conversation, Core
from sankofa_client._errors import InvalidParameter, NotFound
from sankofa_client._question import Scope
from sankofa_client._whole import rows_of
from sankofa_client.rows import SeriesValue

__all__ = ["Converted", "Rate"]

MAX_AGE_DAYS = 7
_BETWEEN = ("EUR", "USD")  # currencies that central banks quote the others in
_CODE_LENGTH = 3
_PLACES = 10  # as the service rounds what it derives
_EXACT = Context(prec=90, rounding=ROUND_HALF_EVEN)


class Amount(Protocol):
    """A row with an amount: of fundamentals, or of a panel."""

    @property
    def value_reported(self) -> Decimal: ...
    @property
    def unit(self) -> str: ...
    @property
    def period_end(self) -> dt.date: ...


R = TypeVar("R", bound=Amount)


class Rate(msgspec.Struct, frozen=True, kw_only=True):
    """A rate that was used: by `FX.EUR.ZAR`, one euro is so many rand."""

    series: str
    date: dt.date
    value: Decimal
    used: Literal["times", "divided by"]
    available_at: dt.date
    fact_id: str


class Converted(msgspec.Struct, Generic[R], frozen=True, kw_only=True):
    """A row and its amount in another currency; None where no rate was known."""

    row: R
    value: Decimal | None
    currency: str
    rates: list[Rate]


def converted(
    core: Core, scope: Scope, rows: Sequence[R], currency: str, max_age_days: int
) -> Conversation[list[Converted[R]]]:
    """Convert amounts of money; rows in other units, such as shares, are left out."""
    money = [row for row in rows if is_money(row.unit)]
    days = [row.period_end for row in money]
    window = (min(days) - dt.timedelta(days=max_age_days), max(days)) if days else None
    histories: dict[str, History] = {}
    paths: dict[str, list[Path]] = {}
    for unit in sorted({row.unit for row in money}):
        paths[unit] = list(ways(unit, currency))
        for series in sorted({series for path in paths[unit] for series, _ in path} - set(histories)):
            found: list[SeriesValue] = []
            try:
                asked = yield from rows_of(
                    core, scope, ask.MACRO, series=series, from_=window and window[0], to=window and window[1]
                )
                found = [each for each in asked if isinstance(each, SeriesValue)]
            except (InvalidParameter, NotFound):  # no such series
                pass
            histories[series] = History(found)
    return [_by_first_way(row, currency, paths[row.unit], histories, max_age_days) for row in money]


Path = tuple[tuple[str, Literal["times", "divided by"]], ...]


def ways(unit: str, currency: str) -> Iterable[Path]:
    """Yield the ways from one currency to another: none, one series, or two by way of a third currency."""
    if unit == currency:
        yield ()
        return
    yield ((f"FX.{unit}.{currency}", "times"),)
    yield ((f"FX.{currency}.{unit}", "divided by"),)
    for between in _BETWEEN:
        if between not in {unit, currency}:
            yield (f"FX.{between}.{unit}", "divided by"), (f"FX.{between}.{currency}", "times")


class History:
    """The values of a series by day."""

    def __init__(self, values: Iterable[SeriesValue]) -> None:
        self._values = sorted(values, key=lambda value: value.date)
        self._days = [value.date for value in self._values]

    def on(self, day: dt.date, max_age_days: int) -> SeriesValue | None:
        """Return the last value on or before a day, unless it is too old."""
        place = bisect_right(self._days, day)
        value = self._values[place - 1] if place else None
        return value if value and (day - value.date).days <= max_age_days else None


def is_money(unit: str) -> bool:
    """Return whether a unit is a currency; amounts per share are none."""
    return len(unit) == _CODE_LENGTH and unit.isascii() and unit.isupper()


def _by_first_way(
    row: R, currency: str, paths: Iterable[Path], histories: dict[str, History], max_age_days: int
) -> Converted[R]:
    for path in paths:
        found = [(histories[series].on(row.period_end, max_age_days), used) for series, used in path]
        rates = [
            Rate(
                series=value.series,
                date=value.date,
                value=value.value,
                used=used,
                available_at=value.available_at,
                fact_id=value.fact_id,
            )
            for value, used in found
            if value
        ]
        if len(rates) == len(path):
            return Converted(
                row=row, value=_applied(row.value_reported, rates), currency=currency, rates=rates
            )
    return Converted(row=row, value=None, currency=currency, rates=[])


def _applied(amount: Decimal, rates: Iterable[Rate]) -> Decimal:
    """Return the amount, computed exactly and rounded once."""
    exact = Fraction(amount)
    for rate in rates:
        exact = exact * Fraction(rate.value) if rate.used == "times" else exact / Fraction(rate.value)
    rounded = Decimal(round(exact * 10**_PLACES)).scaleb(-_PLACES, _EXACT)
    return (
        rounded.quantize(Decimal(1), context=_EXACT) if rounded == int(rounded) else rounded.normalize(_EXACT)
    )
