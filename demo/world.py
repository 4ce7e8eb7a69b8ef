"""The world: as many issuers as a number of facts asks for, each made alone and on demand."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from demo import filings, profiles
from demo.filings import Filing
from demo.profiles import Profile
from demo.showcase import SHOWCASE

FACTS_PER_ISSUER = filings.FACTS
LICENSE_CLASS = "synthetic"
FETCHED_AT = datetime(2026, 1, 5, 6, tzinfo=UTC)


class Issuer(NamedTuple):
    """An issuer and all it filed before the world was fetched, oldest first."""

    profile: Profile
    filings: list[Filing]


class World:
    """A world of about `facts` values over all vintages, the nearest whole number of issuers.

    Every issuer says exactly FACTS_PER_ISSUER values. The same seed and number give the same world
    everywhere, and issuer i is the same in worlds of every size. Nothing is kept in memory.
    """

    def __init__(self, seed: int = 1, facts: int = 5_000) -> None:
        self.seed = seed
        self.issuers = max(1, (facts + FACTS_PER_ISSUER // 2) // FACTS_PER_ISSUER)
        self.facts = self.issuers * FACTS_PER_ISSUER

    def __iter__(self) -> Iterator[Issuer]:
        return map(self.issuer, range(self.issuers))

    def profile(self, index: int) -> Profile:
        """Return who issuer `index` is."""
        if not 0 <= index < self.issuers:
            raise IndexError(f"this world has issuers 0 to {self.issuers - 1}, not {index}")
        return SHOWCASE[index] if index < len(SHOWCASE) else profiles.drawn(self.seed, index)

    def issuer(self, index: int) -> Issuer:
        """Return issuer `index` with its filings."""
        profile = self.profile(index)
        return Issuer(profile, filings.filings(profile))

    def later_filing(self, index: int, number: int) -> Filing:
        """Return the filing that issuer `index` makes `number` days after the world was fetched."""
        return filings.later(self.profile(index), later_day(number), number)


def later_day(number: int) -> date:
    """Return the day of the `number`-th later filing, from 1."""
    return FETCHED_AT.date() + timedelta(days=number)
