"""Parse periods as publishers write them: years, quarters, months, days."""

from __future__ import annotations

import calendar
import re
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from sankofa.macro.model import Frequency, Period

_YEARS = range(1500, 2300)  # other years are typing errors
_WRITTEN = re.compile(r"([0-9]{4})(?:([QM])([0-9]{1,2}))?")
_ISO_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_SLASHED_DAY = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})")
_SPELLED_DAY = re.compile(r"([0-9]{1,2}) ([A-Za-z]+) ([0-9]{4})")
# English, independent of the process's locale, which calendar.month_name would follow.
_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
_ABBREVIATED = 3  # letters of a month's short name
_MONTHS_OF: dict[Frequency, int] = {"A": 12, "Q": 3, "M": 1}


class TimedPeriod(NamedTuple):
    """A period and its frequency."""

    frequency: Frequency
    period: Period


def beginning(first: date, frequency: Frequency) -> Period | None:
    """Return the calendar period of a frequency that begins on a day, or None."""
    if frequency == "D":
        return Period(first, first)
    months = _MONTHS_OF[frequency]
    if first.day != 1 or (first.month - 1) % months:
        return None
    last = first.month + months - 1
    return Period(first, first.replace(month=last, day=calendar.monthrange(first.year, last)[1]))


@lru_cache(1 << 12)
def written(text: str) -> TimedPeriod | None:
    """Parse a year (2025), a quarter (2025Q1) or a month (2025M01)."""
    found = _WRITTEN.fullmatch(text)
    if not found or int(found[1]) not in _YEARS:
        return None
    frequency: Frequency = "Q" if found[2] == "Q" else "M" if found[2] == "M" else "A"
    month = (int(found[3] or 1) - 1) * _MONTHS_OF[frequency] + 1
    if month not in range(1, 13):
        return None
    period = beginning(date(int(found[1]), month, 1), frequency)
    return TimedPeriod(frequency, period) if period else None


def month(year: str, name: str) -> Period | None:
    """Parse a month given by its English name, its first three letters, or its number."""
    number = _month_number(name)
    parsed = written(f"{year}M{number:02d}") if number else None
    return parsed.period if parsed else None


@lru_cache(1 << 14)
def day(text: str) -> date | None:
    """Parse a day: 2024-08-22, 22/08/2024 (never month first), or 22 August 2024."""
    if _ISO_DAY.fullmatch(text):
        year, number, of_month = text.split("-")
    elif found := _SLASHED_DAY.fullmatch(text):
        of_month, number, year = found.groups()
    elif found := _SPELLED_DAY.fullmatch(text):
        of_month, number, year = found[1], str(_month_number(found[2])), found[3]
    else:
        return None
    try:
        return date(int(year), int(number), int(of_month))
    except ValueError:
        return None


def _month_number(name: str) -> int:
    """Return 1 to 12, or 0."""
    if name.isascii() and name.isdigit():
        return int(name) if name in {form for n in range(1, 13) for form in (str(n), f"{n:02d}")} else 0
    folded = name.casefold()
    for number, full in enumerate(_MONTHS, 1):
        if folded in (full, full[:_ABBREVIATED]):
            return number
    return 0
