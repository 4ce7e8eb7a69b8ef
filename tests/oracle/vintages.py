"""Which values compete for one key, and which of them are new."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from oracle.filings import Filing
from oracle.revisions import Revision, agree, is_rescaled, is_rounding_of
from oracle.sightings import FilingId, Sighting

FITTING = {"monetary": "[A-Z]{3}", "per_share": "[A-Z]{3}/shares", "shares": "shares", "ratio": "pure"}


class Rank(NamedTuple):
    """A line item, a concept's place in its order, and what else the filing must not, or must, state."""

    line_item: str
    place: int
    kind: str
    unless: frozenset[str] = frozenset()
    when: frozenset[str] = frozenset()

    def counts_in(self, stated: set[str], unit: str) -> bool:
        fits = re.fullmatch(FITTING[self.kind], unit) is not None
        return fits and not self.unless & stated and (not self.when or bool(self.when & stated))


class Key(NamedTuple):
    line_item: str
    start: date | None
    end: date
    unit: str


def candidates(facts: Iterable[Sighting], line_items: Mapping[str, list[Rank]]) -> dict[Key, list[Sighting]]:
    """The competing facts of each key in order; of one filing only the preferred concept present.

    A fact that is preferred for no line item competes under the name of its concept.
    """
    seen = list(facts)
    stated: dict[FilingId, set[str]] = defaultdict(set)
    for sighting in seen:
        if sighting.fact.value:
            stated[sighting.filing].add(sighting.fact.concept)
    ranked: dict[tuple[Key, FilingId], list[tuple[int, Sighting]]] = defaultdict(list)
    for sighting in seen:
        for rank in line_items.get(sighting.fact.concept, []):
            key = _key(rank.line_item, sighting, line_items)
            if rank.counts_in(stated[sighting.filing], key.unit):
                ranked[key, sighting.filing].append((rank.place, sighting))
    competing: dict[Key, list[Sighting]] = defaultdict(list)
    standing = set()
    for (key, _), choices in ranked.items():
        first = min(rank for rank, _ in choices)
        preferred = [sighting for rank, sighting in choices if rank == first]
        competing[key] += preferred
        standing.update(preferred)
    for sighting in seen:
        if sighting not in standing:
            competing[_key(sighting.fact.concept, sighting, line_items)].append(sighting)
    return {key: sorted(competitors, key=order_of_availability) for key, competitors in competing.items()}


def _key(name: str, sighting: Sighting, line_items: Mapping[str, list[Rank]]) -> Key:
    """What a filing states per share in a currency is in that currency per share."""
    fact = sighting.fact
    is_per_share = any(rank.kind == "per_share" for rank in line_items.get(fact.concept, []))
    is_bare = is_per_share and re.fullmatch("[A-Z]{3}", fact.unit)
    return Key(name, fact.start, fact.end, f"{fact.unit}/shares" if is_bare else fact.unit)


def order_of_availability(sighting: Sighting) -> tuple[date, str, str, bool, Decimal]:
    """Companyfacts knows no acceptance time, so the filing number decides within a day; a nil comes last."""
    value = sighting.fact.value
    return (sighting.filed, sighting.fact.accession, sighting.sha256, value is None, value or Decimal(0))


@dataclass
class Vintage:
    """A value that differs from what stood before it."""

    key: Key
    number: int
    sighting: Sighting
    revision: Revision | None = None
    is_passed_over: bool = False
    withdrawn_at: date | None = None

    def known_by(self, day: date) -> bool:
        return self.sighting.filed <= day

    def withdrawn_by(self, day: date) -> bool:
        return self.withdrawn_at is not None and self.withdrawn_at <= day


def vintages_of(
    key: Key, competitors: Iterable[Sighting], filings: Mapping[FilingId, Filing]
) -> list[Vintage]:
    vintages: list[Vintage] = []
    for sighting in competitors:
        last = vintages[-1] if vintages else None
        is_standing = last is not None and last.withdrawn_at is None
        if sighting.fact.value is None:
            if last is not None and is_standing:
                last.withdrawn_at = sighting.filed
        elif last is None:
            vintages.append(Vintage(key, 1, sighting))
        elif not is_standing or not _confirms(sighting, last.sighting):
            revision = _revision(sighting, last.sighting, filings)
            # A rounding can only be passed over for a value that still stands.
            is_passed_over = is_standing and _is_mere_rounding(sighting, last.sighting, filings)
            vintages.append(Vintage(key, last.number + 1, sighting, revision, is_passed_over))
    return vintages


def _confirms(sighting: Sighting, before: Sighting) -> bool:
    return agree(_value(sighting), _value(before), sighting.decimals, before.decimals)


def _revision(sighting: Sighting, before: Sighting, filings: Mapping[FilingId, Filing]) -> Revision:
    new, old = _value(sighting), _value(before)
    if is_rescaled(new, old):
        return "rescaled"
    if is_rounding_of(new, old, sighting.decimals) or is_rounding_of(old, new, before.decimals):
        return "rounded"
    if sighting.fact.concept != before.fact.concept:
        return "reclassified"
    if filings[sighting.filing].amends(filings[before.filing]):
        return "corrected"
    return "restated"


def _is_mere_rounding(sighting: Sighting, before: Sighting, filings: Mapping[FilingId, Filing]) -> bool:
    return is_rounding_of(_value(sighting), _value(before), sighting.decimals) and not filings[
        sighting.filing
    ].amends(filings[before.filing])


def _value(sighting: Sighting) -> Decimal:
    assert sighting.fact.value is not None
    return sighting.fact.value
