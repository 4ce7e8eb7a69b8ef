"""Fiscal calendars: when a year, half or quarter of a given year-end month starts and ends.

A fiscal year is named by the calendar year in which it ends.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta
from functools import lru_cache
from typing import NamedTuple

QUARTERS = 4
SATURDAY = 5


class Period(NamedTuple):
    """A span of days, both included; a balance is struck at `end`."""

    start: date
    end: date


@lru_cache(maxsize=4096)
def period(year: int, month: int, first: int = 1, last: int = QUARTERS) -> Period:
    """Return quarters `first` to `last` of the fiscal year that ends in `month` of `year`."""
    return Period(_quarter_end(year, month, first - 1) + timedelta(days=1), _quarter_end(year, month, last))


@lru_cache(maxsize=4096)
def working_day(after: date, days: int) -> date:
    """Return the day `days` later, or the Monday after it where that is a weekend."""
    day = after + timedelta(days=days)
    return day + timedelta(days=7 - day.weekday()) if day.weekday() >= SATURDAY else day


def _quarter_end(year: int, month: int, quarter: int) -> date:
    months = year * 12 + month - 1 - 3 * (QUARTERS - quarter)
    year, month = months // 12, months % 12 + 1
    return date(year, month, monthrange(year, month)[1])
