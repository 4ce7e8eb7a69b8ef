"""Invented filers: when their periods end, what they file, revise, withdraw and report again."""

from __future__ import annotations

import calendar
import csv
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

from oracle.companyfacts import Entry

DAY = timedelta(days=1)
RHYTHMS = {"annual": 1, "half-year": 2, "quarterly": 4}
EDGE_LENGTHS = [79, 80, 100, 101, 169, 170, 195, 196, 259, 260, 285, 286, 349, 350, 380, 381]
UNMAPPED = ("us-gaap:InventedAdjustment", "invented:Headcount")

Period = tuple[date | None, date]


class Measure(NamedTuple):
    """A line item as one filer reports it."""

    concepts: tuple[str, ...]  # the preferred one first
    instant: bool
    units: tuple[str, ...]


class Position(NamedTuple):
    measure: Measure
    unit: str
    start: date | None
    end: date


def read_concepts(path: Path) -> list[tuple[str, ...]]:
    """The concepts of every line item of the map, the preferred one first."""
    items: dict[str, list[tuple[int, str]]] = {}
    with path.open(newline="", encoding="utf-8") as file:
        for entry in csv.DictReader(file):
            items.setdefault(entry["line_item"], []).append((int(entry["rank"]), entry["concept"]))
    return [tuple(concept for _, concept in sorted(concepts)) for concepts in items.values()]


def number(rng: Random) -> str:
    """The text of a JSON number with at most 26 digits before and 12 after the point."""
    sign = rng.choice(["", "", "", "-"])
    shape = rng.randrange(8)
    if shape == 0:
        return "0"
    if shape == 1:  # beyond what a binary float can hold
        return f"{sign}{rng.randrange(2**53 + 1, 10**26)}"
    if shape == 2:
        return f"{sign}{rng.randrange(10**14)}.{rng.randrange(10**12):012d}"
    if shape == 3:
        return f"{sign}{rng.randrange(1, 1000)}.{rng.randrange(100):02d}"
    if shape == 4:
        return f"{sign}{rng.randrange(1, 1000)}E{rng.randrange(1, 9)}"
    return f"{sign}{rng.randrange(1, 1000)}000"


def year_ends(rng: Random, first: int, years: int) -> list[date]:
    """Fiscal year ends: of a month, of a 52/53-week year, or of a filer that changes its month."""
    month = rng.choice([12, 12, 12, 3, 6, 9, rng.randint(1, 12)])
    later = rng.randint(1, 12) if rng.random() < 0.15 else month
    in_weeks = rng.random() < 0.25
    ends = []
    for year in range(first, first + years):
        of = month if year < first + years // 2 else later
        end = date(year, of, calendar.monthrange(year, of)[1])
        ends.append(end - ((end.weekday() - calendar.SATURDAY) % 7) * DAY if in_weeks else end)
    return ends


@dataclass
class Reporter:
    """One filer's pen: it remembers what it reported, and so can confirm, revise and withdraw it."""

    rng: Random
    agents: list[int]
    measures: list[Measure]
    closes_years: bool  # some filers never report a full year
    reported: dict[Position, str | None] = field(default_factory=dict)
    pools: dict[Position, list[str]] = field(default_factory=dict)
    accessions: set[str] = field(default_factory=set)

    def filings(self, first: int, years: int) -> Iterator[list[Entry]]:
        """Every filing of a filer's life. Amendments follow at once, though filed months later."""
        rng = self.rng
        parts = RHYTHMS[rng.choice(list(RHYTHMS))]
        ends = year_ends(rng, first, years + 1)
        for previous, end in pairwise(ends):
            for periods in self._reports(previous + DAY, end, parts):
                own_end = max(end for _, end in periods)
                filed = own_end + rng.randint(0, 120) * DAY
                yield self.filing(filed, self._own(periods) + self._comparatives())
                while rng.random() < 0.3:
                    filed += rng.choice([0, 0, 1, rng.randint(2, 400)]) * DAY
                    yield self.filing(filed, self._comparatives())

    def _reports(self, start: date, end: date, parts: int) -> Iterator[list[Period]]:
        """The periods of each report of a year: its part, the year to date, the day it closes."""
        days = (end - start).days + 1
        wobble = self.rng.choice([0, 0, 0, 1, 2, 20])
        part_start = start
        for part in range(1, parts + 1):
            closes = start + round(days * part / parts) * DAY - DAY
            if part == parts:
                closes = end
            elif wobble:
                closes += self.rng.randint(-wobble, wobble) * DAY
            periods: list[Period] = [(None, closes)]
            if part < parts or self.rng.random() < 0.5:
                periods.append((part_start, closes))
            if part < parts or self.closes_years:
                periods.append((start, closes))
            if self.rng.random() < 0.1:
                periods.append((closes - (self.rng.choice(EDGE_LENGTHS) - 1) * DAY, closes))
            if self.rng.random() < 0.1:
                periods.append((None, closes - self.rng.randint(1, 400) * DAY))
            yield [period for period in periods if self.closes_years or not self._is_year(period)]
            part_start = closes + DAY

    @staticmethod
    def _is_year(period: Period) -> bool:
        start, end = period
        return start is not None and 350 <= (end - start).days + 1 <= 380

    def _own(self, periods: list[Period]) -> list[Position]:
        return [
            Position(measure, unit, start, end)
            for measure in self.measures
            for start, end in dict.fromkeys(periods)
            if measure.instant == (start is None)
            for unit in measure.units
            if self.rng.random() < 0.85
        ]

    def _comparatives(self) -> list[Position]:
        """Recent positions for the most part, now and then an old one, now and then none."""
        recent = list(self.reported)[-16:]
        chosen = self.rng.sample(recent, min(len(recent), self.rng.randint(0, 8)))
        if self.reported and self.rng.random() < 0.2:
            chosen.append(self.rng.choice(list(self.reported)))
        return chosen

    def filing(self, filed: date, positions: list[Position]) -> list[Entry]:
        rng = self.rng
        accession = self._accession(filed)
        entries: list[Entry] = []
        if rng.random() > 0.05:
            for position in dict.fromkeys(positions):
                entries += self._entries(position, accession, filed)
        ends = [position.end for position in positions] or [filed]
        if not entries or rng.random() < 0.4:
            length = rng.choice([None, 90, 181, 365 if self.closes_years else 30])
            end = rng.choice(ends)
            start = None if length is None else end - (length - 1) * DAY
            value = rng.choice([None, number(rng)])
            entries.append(Entry(rng.choice(UNMAPPED), start, end, "USD", value, accession, filed))
        if rng.random() < 0.3:  # the cover page: later than every period, a year long or a moment
            cover_start = rng.choice([None, filed - 364 * DAY])
            cover = ("dei:InventedCoverValue", cover_start, filed, "shares", number(rng))
            entries.append(Entry(*cover, accession, filed))
        return entries

    def _accession(self, filed: date) -> str:
        """A filing number whose order says nothing about the order of filing."""
        while True:
            serial = self.rng.randrange(10**6)
            accession = f"{self.rng.choice(self.agents):010d}-{filed.year % 100:02d}-{serial:06d}"
            if accession not in self.accessions:
                self.accessions.add(accession)
                return accession

    def _entries(self, position: Position, accession: str, filed: date) -> Iterator[Entry]:
        """The position under one concept or several; only the preferred one holds what is meant."""
        measure, unit, start, end = position
        self.reported[position] = self.revised(position)
        count = self.rng.choice([1, 1, 1, 2, 3])
        concepts = self.rng.sample(measure.concepts, min(count, len(measure.concepts)))
        preferred = min(concepts, key=measure.concepts.index)
        for concept in concepts:
            value = self.reported[position] if concept == preferred else self.another(position)
            yield Entry(concept, start, end, unit, value, accession, filed)
        if self.rng.random() < 0.01:  # a filing that contradicts itself
            yield Entry(preferred, start, end, unit, self.pools[position][-1], accession, filed)

    def revised(self, position: Position) -> str | None:
        """What a filing says of a position: mostly as before, else another value, or that it has none."""
        if position not in self.reported:
            self.pools[position] = [number(self.rng) for _ in range(3)]
            return None if self.rng.random() < 0.03 else self.pools[position][0]
        if self.rng.random() < 0.5:
            return self.reported[position]
        return self.another(position)

    def another(self, position: Position) -> str | None:
        """One of few values, so that a value given up often comes back."""
        return None if self.rng.random() < 0.2 else self.rng.choice(self.pools[position])
