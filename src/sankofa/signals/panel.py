"""What a panel is: figures of a country and month, one row for each category or each currency."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import chain
from typing import Annotated, Literal, NamedTuple, get_type_hints

import msgspec

# A sum of amounts; a form that must name a size needs to know how many digits there may be.
Amount = Annotated[Decimal, msgspec.Meta(extra={"precision": 50, "scale": 10})]


class Member(NamedTuple):
    """Events of a tally that are alike: of one party, or with the same days, tenderers or amount."""

    party: str | None  # an organisation that is established
    amount: Decimal  # of each of them, or of all of one party; 0 where nothing is measured
    events: int  # how many
    origins: Sequence[int]  # where they are stated: numbers of provenances
    joint: bool = False  # several suppliers won them together, so they are no party's


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
    """What a tally is compared with."""

    whole: Tally  # the country's month in all, also what has no category
    before: tuple[Tally | None, ...]  # the same category or currency in the three months before


@dataclass(frozen=True, kw_only=True)
class Panel:
    """One panel: what it is for, how it is made, and the function that makes it."""

    key: str
    version: int  # raised with every change of the figures or of how they are made
    title: str
    purpose: str
    method: str
    breakdown: Literal["category", "currency"]  # what a country's month is broken down by
    figures: type[msgspec.Struct]
    compute: Callable[[Tally, Around], msgspec.Struct]
    inputs: Callable[[Tally, Around], tuple[Tally, ...]] = lambda tally, _around: (tally,)

    @property
    def methodology_ref(self) -> str:
        """The name of the method in this version."""
        return f"{self.key}-v{self.version}"

    @cached_property
    def row(self) -> type[msgspec.Struct]:
        """A row as served: where and when, the figures, and what they rest on."""
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
