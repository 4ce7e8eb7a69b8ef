"""The formulas that panels share; nothing is rounded here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Context, Decimal, Inexact, localcontext
from fractions import Fraction

from sankofa.signals.panel import Member

# Amounts have 56 digits at most. A sum or product that would not fit is an error, and is never rounded.
_EXACT = Context(prec=400, traps=[Inexact])


def total(amounts: Iterable[Decimal]) -> Fraction:
    """Return the exact sum of amounts; lazily computed products are exact too."""
    with localcontext(_EXACT):
        return Fraction(sum(amounts, Decimal()))


def concentration(parts: Iterable[Decimal | int]) -> Fraction | None:
    """Return the Herfindahl index, the sum of the squared shares; None if there is nothing to share."""
    with localcontext(_EXACT):
        sizes = [Decimal(part) for part in parts]
        squares = sum((size * size for size in sizes), Decimal())
        whole = sum(sizes, Decimal())
    return Fraction(squares) / Fraction(whole) ** 2 if whole else None


def median(members: Sequence[Member]) -> Fraction:
    """Return the middle amount, or the mean of the two in the middle."""
    count = sum(member.events for member in members)
    return (_at(members, (count + 1) // 2) + _at(members, count // 2 + 1)) / 2


def percentile(members: Sequence[Member], percent: int) -> Fraction:
    """Return the smallest amount that at least `percent` of the events do not exceed."""
    count = sum(member.events for member in members)
    return _at(members, -(-percent * count // 100))


def _at(members: Sequence[Member], place: int) -> Fraction:
    """Return the amount at a position in ascending order, counted from 1."""
    passed = 0
    for member in sorted(members, key=lambda member: member.amount):
        passed += member.events
        if passed >= place:
            return Fraction(member.amount)
    raise IndexError(place)
