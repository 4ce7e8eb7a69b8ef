"""Months on the calendar: a month after the last day of a month ends on the last day of the next."""

from __future__ import annotations

import calendar
from datetime import date, timedelta
from fractions import Fraction
from functools import cache
from math import floor

DAY = timedelta(days=1)


@cache
def last_of_month(year: int, month: int) -> date:
    return date(year, month, calendar.monthrange(year, month)[1])


def is_last_of_month(day: date) -> bool:
    return day == last_of_month(day.year, day.month)


def add_months(day: date, months: int) -> date:
    """The same day of another month, or its last day if it is too short or `day` is the last of a month."""
    number = day.year * 12 + day.month - 1 + months
    last = last_of_month(number // 12, number % 12 + 1)
    return last if is_last_of_month(day) else last.replace(day=min(day.day, last.day))


def months_between(earlier: date, later: date) -> int:
    """The number of months to the nearest whole one, rounded half up."""
    return floor(Fraction((later - earlier).days) / Fraction("30.4375") + Fraction(1, 2))


def length(start: date, end: date) -> int:
    """Days of a period, the first and the last included."""
    return (end - start).days + 1
