"""Invented values, and what later filings make of them: repeated, rounded, rescaled or replaced."""

from __future__ import annotations

from decimal import Decimal
from random import Random

from oracle.revisions import rounded_to, significant

DIGITS_BEFORE_THE_POINT = 26
DIGITS_AFTER_THE_POINT = 12


def number(rng: Random) -> str:
    """The text of a JSON number with at most 26 digits before and 12 after the point."""
    sign = rng.choice(["", "", "", "-"])
    shapes = [
        "0",
        f"{sign}{rng.randrange(2**53 + 1, 10**26)}",  # beyond what a binary float can hold
        f"{sign}{rng.randrange(10**14)}.{rng.randrange(10**12):012d}",
        f"{sign}{rng.randrange(1, 1000)}.{rng.randrange(100):02d}",
        f"{sign}{rng.randrange(1, 1000)}E{rng.randrange(1, 9)}",
        f"{sign}{rng.randrange(10**5, 10**11)}",  # stated in full, so that a later filing can round it
        f"{sign}{rng.randrange(1, 1000)}000",
    ]
    return rng.choices(shapes, [1, 1, 1, 1, 1, 2, 3])[0]


def rounded(rng: Random, text: str) -> str:
    """A value to its first few digits; fewer than three are no rounding by the rules."""
    value = Decimal(text)
    _, digits, exponent = significant(value)
    surplus = len(digits) - rng.choice([2, 3, 3, 4, 5])
    return text if surplus <= 0 else _written(rounded_to(value, exponent + surplus), text)


def rescaled(rng: Random, text: str) -> str:
    """A value times a power of ten, as if a filing had mistaken thousands for units."""
    return _written(Decimal(text).scaleb(rng.choice([-6, -3, -1, 2, 3, 3, 6])), text)


def _written(value: Decimal, otherwise: str) -> str:
    """The digits of a value, or the other text if there would be too many."""
    text = f"{value:f}"
    before, _, after = text.lstrip("-").partition(".")
    fits = len(before) <= DIGITS_BEFORE_THE_POINT and len(after) <= DIGITS_AFTER_THE_POINT
    return text if fits else otherwise
