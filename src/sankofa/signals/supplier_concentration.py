"""Supplier concentration: how much of the awarded value goes to few organisations."""

from __future__ import annotations

from decimal import Decimal

import msgspec

from sankofa.core.exact import rounded
from sankofa.signals.arithmetic import concentration, total
from sankofa.signals.panel import Amount, Around, Panel, Tally


class Concentration(msgspec.Struct, frozen=True):
    """The figures of awards in one currency."""

    awards: int
    joint_awards: int
    awards_in_concentration: int
    suppliers: int
    total_value: Amount
    concentration_by_value: Decimal | None
    concentration_by_count: Decimal | None


def supplier_concentration(awards: Tally, _around: Around) -> Concentration:
    """Return the concentration of the awards of a month and currency among suppliers."""
    suppliers = [member for member in awards.members if member.party is not None]
    by_value = concentration(supplier.amount for supplier in suppliers)
    by_count = concentration(supplier.events for supplier in suppliers)
    return Concentration(
        awards=awards.count,
        joint_awards=sum(member.events for member in awards.members if member.joint),
        awards_in_concentration=sum(supplier.events for supplier in suppliers),
        suppliers=len(suppliers),
        total_value=rounded(total(member.amount for member in awards.members)),
        concentration_by_value=None if by_value is None else rounded(by_value),
        concentration_by_count=None if by_count is None else rounded(by_count),
    )


SUPPLIER_CONCENTRATION = Panel(
    key="supplier-concentration",
    version=3,
    title="Supplier concentration by currency",
    purpose="Shows whether awards go to few suppliers or to many: a sign of competition, and of how much "
    "depends on single suppliers.",
    method="Counts awards with a value and a supplier, each once however many suppliers it has, in the month "
    "in which they first became known, with the value and the suppliers that were known at the end of that "
    "month. `awards` is their number and `total_value` the sum of their values, in one currency; amounts in "
    "different currencies are never added up. `joint_awards` is the number of awards that several suppliers "
    "won together: nothing says how they divide the value, so these are part of no concentration. "
    "`suppliers` is the number of established suppliers that won an award alone, and "
    "`awards_in_concentration` the number of awards that they won so. `concentration_by_value` and "
    "`concentration_by_count` are Herfindahl indices over these awards: the sum of the squares of the "
    "established suppliers' shares in what they won, by value and by number; null if no supplier is "
    "established.",
    breakdown="currency",
    figures=Concentration,
    compute=supplier_concentration,
)
