"""The formulas that panels share, on exact fractions; nothing is rounded here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction

from sankofa.signals.panel import Member


def concentration(parts: Iterable[Decimal | int]) -> Fraction | None:
    """Return the Herfindahl index, the sum of the squared shares; None if there is nothing to share."""
    sizes = [Fraction(part) for part in parts]
    total = sum(sizes)
    return sum(size * size for size in sizes) / (total * total) if total else None


def median(members: Sequence[Member]) -> Fraction:
    """Return the middle amount, or the mean of the two in the middle."""
    count = sum(member.events for member in members)
    return (_at(members, (count + 1) // 2) + _at(members, count // 2 + 1)) / 2


def percentile(members: Sequence[Member], percent: int) -> Fraction:
    """Return the smallest amount that at least so many percent of the events do not exceed."""
    count = sum(member.events for member in members)
    return _at(members, -(-percent * count // 100))


def _at(members: Sequence[Member], place: int) -> Fraction:
    """Return the amount at a place in ascending order, counted from 1."""
    passed = 0
    for member in sorted(members, key=lambda member: member.amount):
        passed += member.events
        if passed >= place:
            return Fraction(member.amount)
    raise IndexError(place)
