"""What a pair of dates is called, given the days on which the issuer's fiscal years end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from math import ceil, floor

from oracle.sightings import Sighting, describes_a_period


def length_name(start: date, end: date) -> str | None:
    days = (end - start).days + 1
    for name, shortest, longest in (("FY", 350, 380), ("H", 170, 195), ("Q", 80, 100), ("9M", 260, 285)):
        if shortest <= days <= longest:
            return name
    return None


@dataclass(frozen=True)
class FiscalCalendar:
    year_ends: frozenset[date]
    has_quarters: bool

    @classmethod
    def of(cls, facts: Iterable[Sighting]) -> FiscalCalendar:
        durations = [(f.fact.start, f.fact.end) for f in facts if describes_a_period(f)]
        named = [(length_name(start, end), end) for start, end in durations if start is not None]
        return cls(
            year_ends=frozenset(end for name, end in named if name == "FY"),
            has_quarters=any(name == "Q" for name, _ in named),
        )

    def period_type(self, start: date | None, end: date) -> str | None:
        length = "instant" if start is None else length_name(start, end)
        if length is None or length == "FY":
            return length
        if not self.year_ends:
            return None
        names: dict[str, dict[int, str]] = {
            "Q": {3: "Q1", 6: "Q2", 9: "Q3", 0: "Q4"},
            "H": {6: "H1", 0: "H2"},
            "9M": {9: "9M"},
            "instant": {3: "Q1", 6: "Q2" if self.has_quarters else "H1", 9: "Q3", 0: "FY"},
        }
        return names[length].get(self.months_into_the_year(end))

    def months_into_the_year(self, end: date) -> int:
        return self.months_from(self.nearest_year_end(end), end) % 12

    def fiscal_year(self, end: date) -> int:
        """The year in which the fiscal year around a day ends; the first week of January is last year's."""
        year_end = self.nearest_year_end(end)
        return (year_end - timedelta(days=7)).year + ceil(Fraction(self.months_from(year_end, end), 12))

    def nearest_year_end(self, end: date) -> date:
        """The nearest fiscal year end, the earlier of two."""
        return min(self.year_ends, key=lambda year_end: (abs((end - year_end).days), year_end))

    @staticmethod
    def months_from(year_end: date, end: date) -> int:
        """Whole months, rounded half up."""
        return floor(Fraction((end - year_end).days) / Fraction("30.4375") + Fraction(1, 2))
