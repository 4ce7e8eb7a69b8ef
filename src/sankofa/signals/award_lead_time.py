"""Award lead time: how long buyers take to decide."""

from __future__ import annotations

from decimal import Decimal

import msgspec

from sankofa.core.exact import rounded
from sankofa.signals.arithmetic import median, percentile
from sankofa.signals.panel import Around, Panel, Tally

_SLOW = 90  # percent of the awards that are faster, or as fast


class LeadTime(msgspec.Struct, frozen=True):
    """The figures of a category's awards."""

    awards: int
    median_days: Decimal
    p90_days: int


def lead_time(awards: Tally, _around: Around) -> LeadTime:
    """Return how many days the awards of a month and category took."""
    return LeadTime(
        awards=awards.count,
        median_days=rounded(median(awards.members)),
        p90_days=int(percentile(awards.members, _SLOW)),
    )


AWARD_LEAD_TIME = Panel(
    key="award-lead-time",
    version=2,
    title="Time from deadline to award by category",
    purpose="Shows how long bidders wait for a decision, as a rule and in slow cases: what a supplier plans "
    "its working capital by, and a sign of how well buyers work.",
    method="Counts first awards of contracting processes in the month they became known, where both the "
    "deadline of the tender and the date of the award are stated. An award dated before its deadline says "
    "nothing about waiting and is left out, and so are awards without a category. `awards` is their number. "
    "`median_days` is the middle number of days from deadline to award, or the mean of the two in the "
    "middle. "
    "`p90_days` is the smallest number of days that at least 90 percent of the awards did not exceed.",
    breakdown="category",
    figures=LeadTime,
    compute=lead_time,
)
