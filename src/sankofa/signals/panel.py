"""A panel: figures of a country and month, one row for each category or currency."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import chain
from typing import Annotated, Literal, NamedTuple, get_type_hints

import msgspec

# A sum of amounts; some formats need the maximum number of digits.
Amount = Annotated[Decimal, msgspec.Meta(extra={"precision": 50, "scale": 10})]


class Member(NamedTuple):
    """Equal events of a tally: of one party, or with the same days, tenderers or amount."""

    party: str | None  # an established organisation
    amount: Decimal  # of each, or the sum of one party; 0 if there is no amount
    events: int  # how many
    origins: Sequence[int]  # ids of their provenances
    joint: bool = False  # won jointly by several suppliers, so they belong to no party


@dataclass(frozen=True, slots=True)
class Tally:
    """The events of a country and month that a row of a panel counts."""

    members: tuple[Member, ...]
    count: int
    origins: frozenset[int]

    @classmethod
    def of(cls, members: Iterable[Member]) -> Tally:
        """Count some events."""
        alike = tuple(members)
        origins = frozenset(chain.from_iterable(member.origins for member in alike))
        return cls(alike, sum(member.events for member in alike), origins)


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """The other tallies that a tally is compared with."""

    whole: Tally  # the country's whole month, including events without a category
    before: tuple[Tally | None, ...]  # the same category or currency in the three months before


@dataclass(frozen=True, kw_only=True)
class Panel:
    """One panel: its purpose, its method, and the function that computes it."""

    key: str
    version: int  # raised with every change of the figures or the method
    title: str
    purpose: str
    method: str
    breakdown: Literal["category", "currency"]  # the breakdown of a country's month
    figures: type[msgspec.Struct]
    compute: Callable[[Tally, Around], msgspec.Struct]
    inputs: Callable[[Tally, Around], tuple[Tally, ...]] = lambda tally, _around: (tally,)

    @property
    def methodology_ref(self) -> str:
        """The name of the method in this version."""
        return f"{self.key}-v{self.version}"

    @cached_property
    def row(self) -> type[msgspec.Struct]:
        """A served row: country, month, figures and their sources."""
        return msgspec.defstruct(
            self.key.title().replace("-", ""),
            [
                ("country", str),
                (self.breakdown, str),
                ("month", dt.date),
                *get_type_hints(self.figures, include_extras=True).items(),
                ("methodology_ref", str),
                ("source_ref", str),
                ("license_class", str),
                ("observed_at", dt.datetime),
            ],
            namespace={"__doc__": f"{self.title}."},
            frozen=True,
        )
