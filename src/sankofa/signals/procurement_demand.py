"""Procurement demand: the categories that a country's public bodies buy, and their trend."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import msgspec

from sankofa.core.exact import rounded
from sankofa.signals.arithmetic import concentration
from sankofa.signals.panel import Around, Panel, Tally


class Demand(msgspec.Struct, frozen=True):
    """The figures of a category (SIG-1)."""

    releases: int
    category_share: Decimal
    buyer_concentration: Decimal | None
    momentum: Decimal | None


def demand(category: Tally, around: Around) -> Demand:
    """Return a category's figures from its processes and those around them."""
    among_buyers = concentration(buyer.events for buyer in category.members if buyer.party is not None)
    change = _momentum(category, around)
    return Demand(
        releases=category.count,
        category_share=rounded(Fraction(category.count, around.whole.count)),
        buyer_concentration=None if among_buyers is None else rounded(among_buyers),
        momentum=None if change is None else rounded(change),
    )


def _momentum(category: Tally, around: Around) -> Fraction | None:
    known = _known_before(around)
    return Fraction(category.count * len(known), sum(month.count for month in known)) - 1 if known else None


def _known_before(around: Around) -> tuple[Tally, ...]:
    """Return the previous months if the category has processes in all of them; a gap is unknown, not 0."""
    known = tuple(month for month in around.before if month is not None)
    return known if len(known) == len(around.before) else ()


def _inputs(_category: Tally, around: Around) -> tuple[Tally, ...]:
    """Return the inputs of the figures: the country's whole month, and the previous months if used."""
    return (around.whole, *_known_before(around))


PROCUREMENT_DEMAND = Panel(
    key="procurement-demand",
    version=2,
    title="Procurement demand by category",
    purpose="Shows which goods, works and services public bodies ask for, how many of them ask, and whether "
    "demand grows: a leading sign for suppliers and for their lenders.",
    method="A contracting process counts once, in the month its first tender release became known, with what "
    "was known at the end of that month. `releases` is the number of processes of the category. "
    "`category_share` is that number divided by all processes of the country and month; processes without a "
    "category count there and have no row. `buyer_concentration` is the Herfindahl index of the established "
    "buyers: the sum of the squares of their shares in the processes that have one; null if none has. "
    "`momentum` is the number divided by the mean of the three months before, less 1; null unless the "
    "category has a row in each of the three.",
    breakdown="category",
    figures=Demand,
    compute=demand,
    inputs=_inputs,
)
