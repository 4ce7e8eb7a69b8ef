"""Which values compete for one key, and which of them are new."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from oracle.sightings import Sighting

Rank = tuple[str, int]  # a line item, and a concept's place in its order of preference


class Key(NamedTuple):
    line_item: str
    start: date | None
    end: date
    unit: str


def candidates(facts: Iterable[Sighting], line_items: Mapping[str, list[Rank]]) -> dict[Key, list[Sighting]]:
    """The competing facts of each key in order; of one filing only the preferred concept present."""
    ranked: dict[tuple[Key, tuple[str, str]], list[tuple[int, Sighting]]] = defaultdict(list)
    for sighting in facts:
        fact = sighting.fact
        for line_item, rank in line_items.get(fact.concept, []):
            key = Key(line_item, fact.start, fact.end, fact.unit)
            ranked[key, sighting.filing].append((rank, sighting))
    competing: dict[Key, list[Sighting]] = defaultdict(list)
    for (key, _), choices in ranked.items():
        preferred = min(rank for rank, _ in choices)
        competing[key] += [sighting for rank, sighting in choices if rank == preferred]
    return {key: sorted(competitors, key=order_of_availability) for key, competitors in competing.items()}


def order_of_availability(sighting: Sighting) -> tuple[date, str, str, str, str]:
    """Companyfacts knows no acceptance time, so the filing number decides within a day."""
    value = sighting.fact.value
    as_text = "" if value is None else f"{value:f}"
    return (sighting.filed, sighting.fact.accession, sighting.sha256, as_text, sighting.fact.source)


@dataclass
class Vintage:
    """A value that differs from what stood before it."""

    key: Key
    number: int
    sighting: Sighting
    withdrawn_at: date | None = None

    def known_by(self, day: date) -> bool:
        return self.sighting.filed <= day

    def withdrawn_by(self, day: date) -> bool:
        return self.withdrawn_at is not None and self.withdrawn_at <= day


def vintages_of(key: Key, competitors: Iterable[Sighting]) -> list[Vintage]:
    vintages: list[Vintage] = []
    standing: Vintage | None = None
    for sighting in competitors:
        value = sighting.fact.value
        if value is None:
            if standing is not None:
                standing.withdrawn_at = sighting.filed
                standing = None
        elif standing is None or standing.sighting.fact.value != value:
            standing = Vintage(key, len(vintages) + 1, sighting)
            vintages.append(standing)
    return vintages
