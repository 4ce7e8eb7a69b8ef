"""The windows of days that are requested from a portal, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Literal, NamedTuple

Calendar = Literal["month", "quarter", "year", "fiscal_year"]

_DAY = timedelta(days=1)
_MONTHS = {"month": 1, "quarter": 3, "year": 12, "fiscal_year": 12}
_FISCAL_START = 7  # the fiscal years of Kenya and Uganda begin in July


class Window(NamedTuple):
    """Days from the first to the last, both included."""

    first: date
    last: date


def windows(first: date, last: date, length: int | Calendar | None) -> Iterator[Window]:
    """Yield consecutive windows that cover the days from first to last, oldest first.

    Windows of days begin with the first day and end with the last. Months, quarters and years are whole,
    because a portal that publishes by these accepts no smaller range.
    """
    start = first if length is None or isinstance(length, int) else _beginning(first, length)
    while start <= last:
        if length is None:
            end = last
        elif isinstance(length, int):
            end = min(last, start + timedelta(days=length - 1))
        else:
            end = _later(start, _MONTHS[length]) - _DAY
        yield Window(start, end)
        start = end + _DAY


def _beginning(day: date, length: Calendar) -> date:
    if length == "fiscal_year":
        return date(day.year - (day.month < _FISCAL_START), _FISCAL_START, 1)
    months = _MONTHS[length]
    return date(day.year, (day.month - 1) // months * months + 1, 1)


def _later(day: date, months: int) -> date:
    years, month = divmod(day.month - 1 + months, 12)
    return date(day.year + years, month + 1, 1)
