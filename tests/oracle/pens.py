"""The pen of an invented filer: it remembers what it reported, and so can confirm, revise and withdraw it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from random import Random
from typing import NamedTuple

from oracle.companyfacts import Entry
from oracle.figures import number, rescaled, rounded
from oracle.filings import AMENDED, Period
from oracle.months import DAY

UNMAPPED = ("us-gaap:InventedAdjustment", "invented:Headcount")
LENGTHS_OF_THE_UNMAPPED = [None, 30, 90, 181, 365]


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


class Head(NamedTuple):
    """What is the same in all entries of a filing."""

    accession: str
    filed: date
    form: str
    fiscal_year: int | None
    fiscal_period: str | None


@dataclass
class Pen:
    rng: Random
    agents: list[int]
    measures: list[Measure]
    reported: dict[Position, str | None] = field(default_factory=dict)
    pools: dict[Position, list[str]] = field(default_factory=dict)
    accessions: set[str] = field(default_factory=set)

    def accession(self, filed: date) -> str:
        """A filing number whose order has nothing to do with the order of filing."""
        while True:
            serial = self.rng.randrange(10**6)
            accession = f"{self.rng.choice(self.agents):010d}-{filed.year % 100:02d}-{serial:06d}"
            if accession not in self.accessions:
                self.accessions.add(accession)
                return accession

    def positions(self, periods: Iterable[Period]) -> list[Position]:
        """What a report holds of its periods; now and then a figure is missing."""
        return [
            Position(measure, unit, start, end)
            for measure in self.measures
            for start, end in dict.fromkeys(periods)
            if measure.instant == (start is None)
            for unit in measure.units
            if self.rng.random() < 0.85
        ]

    def comparatives(self) -> list[Position]:
        """Recent positions for the most part, now and then an old one, now and then none."""
        recent = list(self.reported)[-16:]
        chosen = self.rng.sample(recent, min(len(recent), self.rng.randint(0, 8)))
        if self.reported and self.rng.random() < 0.2:
            chosen.append(self.rng.choice(list(self.reported)))
        return chosen

    def some(self, positions: list[Position]) -> list[Position]:
        return self.rng.sample(positions, self.rng.randint((len(positions) + 1) // 2, len(positions)))

    def filing(self, head: Head, positions: list[Position]) -> list[Entry]:
        rng = self.rng
        entries: list[Entry] = []
        if rng.random() > 0.05:
            for position in dict.fromkeys(positions):
                entries += self._entries(position, head)
        ends = [position.end for position in positions] or [head.filed]
        if not entries or rng.random() < 0.3:
            entries.append(self._unmapped(head, rng.choice(ends)))
        if rng.random() < 0.03:  # a term that ends after the filing
            entries.append(self._unmapped(head, head.filed + rng.randint(1, 400) * DAY))
        if rng.random() < 0.3:  # the cover page: an odd day before the filing, a year long or a moment
            end = head.filed - rng.choice([0, rng.randint(1, 40)]) * DAY
            start = rng.choice([None, None, None, end - 364 * DAY])
            entries.append(Entry("dei:InventedCoverValue", start, end, "shares", number(rng), *head))
        return entries

    def _unmapped(self, head: Head, end: date) -> Entry:
        days = self.rng.choice(LENGTHS_OF_THE_UNMAPPED)
        start = None if days is None else end - (days - 1) * DAY
        value = self.rng.choice([None, number(self.rng)])
        return Entry(self.rng.choice(UNMAPPED), start, end, "USD", value, *head)

    def _entries(self, position: Position, head: Head) -> Iterator[Entry]:
        """The position under one concept or several; only the preferred one holds what is meant."""
        measure, unit, start, end = position
        self.reported[position] = self.revised(position, is_amendment=head.form.endswith(AMENDED))
        count = self.rng.choice([1, 1, 1, 2, 3])
        concepts = self.rng.sample(measure.concepts, min(count, len(measure.concepts)))
        preferred = min(concepts, key=measure.concepts.index)
        for concept in concepts:
            value = self.reported[position] if concept == preferred else self.another(position)
            yield Entry(concept, start, end, unit, value, *head)
        if self.rng.random() < 0.01:  # a filing that contradicts itself
            yield Entry(preferred, start, end, unit, self.pools[position][-1], *head)

    def revised(self, position: Position, *, is_amendment: bool) -> str | None:
        """What a filing says of a position: mostly as before, else rounded, rescaled, another, or nothing."""
        if position not in self.reported:
            self.pools[position] = [number(self.rng) for _ in range(3)]
            return None if self.rng.random() < 0.03 else self.pools[position][0]
        before = self.reported[position]
        weights = [35, 20, 20, 25] if is_amendment else [50, 20, 5, 25]
        manner = self.rng.choices(["same", "rounded", "rescaled", "another"], weights)[0]
        if before is None or manner == "another":
            return self.another(position)
        if manner == "same":
            return before
        return (rounded if manner == "rounded" else rescaled)(self.rng, before)

    def another(self, position: Position) -> str | None:
        """One of few values, so that a value given up often comes back."""
        return None if self.rng.random() < 0.2 else self.rng.choice(self.pools[position])
