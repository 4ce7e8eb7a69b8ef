"""Single-bidder share: the share of awards with only one bidder."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import msgspec

from sankofa.core.exact import rounded
from sankofa.signals.panel import Around, Panel, Tally


class SingleBidders(msgspec.Struct, frozen=True):
    """The figures of a category's awards."""

    awards: int
    single_bidder: int
    single_bidder_share: Decimal


def single_bidder_share(awards: Tally, _around: Around) -> SingleBidders:
    """Return the number and share of awards with one bidder, for a month and category."""
    single = sum(member.events for member in awards.members if member.amount == 1)
    return SingleBidders(
        awards=awards.count,
        single_bidder=single,
        single_bidder_share=rounded(Fraction(single, awards.count)),
    )


SINGLE_BIDDER_SHARE = Panel(
    key="single-bidder-share",
    version=2,
    title="Share of awards with a single bidder, by category",
    purpose="Shows where competition is missing: a common warning sign of procurement risk.",
    method="Counts first awards of contracting processes in the month they became known, where it is stated "
    "that at least one bidder tendered. Awards without a category are left out. `awards` is their number, "
    "`single_bidder` the number of those with exactly one bidder, and `single_bidder_share` the second "
    "divided by the first.",
    breakdown="category",
    figures=SingleBidders,
    compute=single_bidder_share,
)
