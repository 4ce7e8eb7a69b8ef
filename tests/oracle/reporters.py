"""Invented filers: what they report when, under which form, and what they declare about the fiscal year."""

from __future__ import annotations

import calendar
import csv
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from random import Random
from typing import NamedTuple

from oracle.calendars import Closing, FiscalYear, fiscal_years
from oracle.companyfacts import Entry
from oracle.declarations import calendar_year
from oracle.filings import Period
from oracle.months import DAY, add_months, length
from oracle.pens import Head, Measure, Pen

RHYTHMS: dict[str, tuple[int, ...]] = {
    "quarterly": (3, 6, 9, 12),
    "half-yearly": (6, 12),
    "annual": (12,),
    "first halves only": (6,),
    "fourth quarters only": (12,),
}
EDGE_LENGTHS = [76, 77, 123, 124, 160, 161, 203, 204, 244, 245, 288, 289, 349, 350, 380, 381]
OTHER_FORMS = ["8-K", "6-K", "S-1", "10-K", "20-F", "10-Q"]


def read_concepts(path: Path) -> list[tuple[str, tuple[str, ...]]]:
    """The kind of every line item of the map, and its concepts, the preferred one first."""
    items: dict[tuple[str, str], list[tuple[int, str]]] = {}
    with path.open(newline="", encoding="utf-8") as file:
        for entry in csv.DictReader(file):
            named = items.setdefault((entry["line_item"], entry["kind"]), [])
            named.append((int(entry["rank"]), entry["concept"]))
    return [(kind, tuple(concept for _, concept in sorted(named))) for (_, kind), named in items.items()]


class Habits(NamedTuple):
    """What stays the same in all reports of a filer."""

    rhythm: str
    annual_form: str  # 10-K, 20-F or 40-F
    declares: float  # share of its filings that state fiscal year and period
    shift: int  # its fiscal years are numbered this many above the calendar
    has_trailing_years: bool  # its interim reports have a column of twelve months
    closes_years: bool  # some filers never report a full year
    wobble: int  # days by which the end of an interim period may be off

    @property
    def is_domestic(self) -> bool:
        return self.annual_form == "10-K"


def habits(rng: Random) -> Habits:
    return Habits(
        rhythm=rng.choices(list(RHYTHMS), [50, 25, 10, 8, 7])[0],
        annual_form=rng.choice(["10-K", "10-K", "20-F", "40-F"]),
        declares=rng.choices([0.95, 0.5, 0], [75, 15, 10])[0],
        shift=rng.choices([0, -1, 1], [80, 10, 10])[0],
        has_trailing_years=rng.random() < 0.2,
        closes_years=rng.random() > 0.1,
        wobble=rng.choices([0, 1, 2, 11, 20], [70, 10, 10, 5, 5])[0],
    )


@dataclass
class Reporter:
    """One filer through its years."""

    rng: Random
    pen: Pen
    habits: Habits

    @classmethod
    def invent(cls, rng: Random, agents: list[int], measures: list[Measure]) -> Reporter:
        return cls(rng, Pen(rng, agents, measures), habits(rng))

    def filings(self, first: int, years: int) -> Iterator[list[Entry]]:
        """Every filing of a filer's life. Amendments follow at once, though filed months later."""
        for year in fiscal_years(self.rng, first, years):
            start = year.start
            for closing in year.closings:
                if closing.position in RHYTHMS[self.habits.rhythm]:
                    yield from self._report(year, self._wobbled(closing), start)
                start = closing.day + DAY

    def _wobbled(self, closing: Closing) -> Closing:
        wobble = self.habits.wobble if closing.position < 12 else 0
        return closing._replace(day=closing.day + self.rng.randint(-wobble, wobble) * DAY)

    def _report(self, year: FiscalYear, closing: Closing, part_start: date) -> Iterator[list[Entry]]:
        """A report, its amendments, and now and then a later filing that repeats older figures."""
        rng, pen = self.rng, self.pen
        own = pen.positions(self._periods(year, closing, part_start))
        filed = closing.day + rng.randint(0, 120) * DAY
        head = self._head(year, closing, filed)
        yield pen.filing(head, own + pen.comparatives())
        while rng.random() < 0.25:
            filed += rng.choice([0, 0, 1, rng.randint(2, 400)]) * DAY
            amendment = head._replace(form=f"{head.form}/A", accession=pen.accession(filed), filed=filed)
            if rng.random() < 0.2:
                amendment = amendment._replace(fiscal_year=None, fiscal_period=None)
            yield pen.filing(amendment, pen.some(own))
        if rng.random() < 0.15:
            filed += rng.randint(0, 400) * DAY
            other = Head(pen.accession(filed), filed, rng.choice(OTHER_FORMS), None, None)
            yield pen.filing(other, pen.comparatives())

    def _head(self, year: FiscalYear, closing: Closing, filed: date) -> Head:
        """Form and declaration of a report; some state nothing, a wrong year or what contradicts the form."""
        rng = self.rng
        form = self._form(year, closing)
        fiscal_period = self._fiscal_period(closing, form)
        year_end = add_months(closing.day, 12 - closing.position)
        fiscal_year: int | None = calendar_year(year_end) + self._shift(year_end)
        oddity = rng.choices(["none", "no year", "far year", "next year", "contradiction"], [84, 4, 4, 2, 6])[
            0
        ]
        if oddity == "no year":
            fiscal_year = None
        elif oddity == "far year":
            fiscal_year = year_end.year + rng.choice([-30, -4, 4])
        elif oddity == "next year":
            fiscal_year = calendar_year(year_end) + 1
        elif oddity == "contradiction":
            fiscal_period = "Q2" if closing.position == 12 else "FY"
        if rng.random() > self.habits.declares:
            fiscal_year = fiscal_period = None
        return Head(self.pen.accession(filed), filed, form, fiscal_year, fiscal_period)

    def _shift(self, year_end: date) -> int:
        """The filer's shift; a year that ends in the first days of January is not moved away from them."""
        return self.habits.shift if calendar_year(year_end) == year_end.year else 0

    def _form(self, year: FiscalYear, closing: Closing) -> str:
        if self.habits.rhythm == "fourth quarters only" and not self.habits.is_domestic:
            return "6-K"
        if closing.position == 12:
            is_transition = year.is_transition and self.habits.is_domestic
            return "10-KT" if is_transition else self.habits.annual_form
        return "10-Q" if self.habits.is_domestic else "6-K"

    def _fiscal_period(self, closing: Closing, form: str) -> str:
        names = {3: ["Q1"], 6: ["Q2", "H1"], 9: ["Q3", "9M"], 12: ["Q4", "H2"] if form == "6-K" else ["FY"]}
        return self.rng.choice(names[closing.position][:1] if form == "10-Q" else names[closing.position])

    def _periods(self, year: FiscalYear, closing: Closing, part_start: date) -> list[Period]:
        """The periods of a report: its part, the year to date, the day it closes, and those a year before."""
        rng, rhythm, end = self.rng, self.habits.rhythm, closing.day
        periods: list[Period] = [(None, end)]
        if rhythm == "quarterly" and (closing.position < 12 or rng.random() < 0.5):
            periods.append((part_start, end))
        if rhythm == "fourth quarters only":
            periods.append((add_months(end, -3) + DAY, end))
        elif closing.position < 12 or self.habits.closes_years:
            periods.append((year.start, end))
        if rhythm == "half-yearly" and closing.position == 12 and rng.random() < 0.5:
            periods.append((add_months(end, -6) + DAY, end))
        if self.habits.has_trailing_years and closing.position < 12:
            periods.append((add_months(end, -12) + DAY, end))
        if rng.random() < 0.3:
            periods += [_a_year_before(period) for period in periods]
        if rng.random() < 0.1:
            periods.append((end - (rng.choice(EDGE_LENGTHS) - 1) * DAY, end))
        if rng.random() < 0.1:  # a balance at an odd day, before the end or in the days after it
            periods.append((None, end - rng.choice([rng.randint(1, 400), -rng.randint(1, 20)]) * DAY))
        return [period for period in periods if self.habits.closes_years or not _is_year(period)]


def _a_year_before(period: Period) -> Period:
    """The same period of the year before: by weeks if it ends on a Saturday, else by months."""
    start, end = period
    if end.weekday() == calendar.SATURDAY:
        return start and start - 364 * DAY, end - 364 * DAY
    return start and add_months(start - DAY, -12) + DAY, add_months(end, -12)


def _is_year(period: Period) -> bool:
    start, end = period
    return start is not None and length(start, end) in range(350, 381)
