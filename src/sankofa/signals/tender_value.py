"""Tender value: the value of published tenders."""

from __future__ import annotations

import msgspec

from sankofa.core.exact import rounded
from sankofa.signals.arithmetic import median, total
from sankofa.signals.panel import Amount, Around, Panel, Tally


class Value(msgspec.Struct, frozen=True):
    """The figures of tenders valued in one currency."""

    tenders: int
    total_value: Amount
    median_value: Amount


def tender_value(tenders: Tally, _around: Around) -> Value:
    """Return the value of the tenders of a month and currency."""
    return Value(
        tenders=tenders.count,
        total_value=rounded(total(member.events * member.amount for member in tenders.members)),
        median_value=rounded(median(tenders.members)),
    )


TENDER_VALUE = Panel(
    key="tender-value",
    version=1,
    title="Value of tenders by currency",
    purpose="Shows how much public money is put out to tender, and how large the usual tender is.",
    method="Counts contracting processes whose tender states a value, once, in the month in which a tender "
    "with a value first became known, with the value that was known at the end of that month. `tenders` is "
    "their number, `total_value` the sum of their values and `median_value` the middle one, or the mean of "
    "the two in the middle. Amounts in different currencies are never added up.",
    breakdown="currency",
    figures=Value,
    compute=tender_value,
)
