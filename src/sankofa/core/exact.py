"""Exact arithmetic: derived values are fractions until they are served, and rounded only once."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

PLACES = 10  # of a derived value, after the point
_SCALE = 10**PLACES


def rounded(exact: Fraction) -> Decimal:
    """Return the value rounded half to even at ten decimal places, without trailing zeros."""
    return Decimal(rounded_text(exact))


def rounded_text(exact: Fraction) -> str:
    """Return the same as text.

    Computed on integers, because decimal arithmetic would round to the precision of its context.
    """
    steps, rest = divmod(abs(exact.numerator) * _SCALE, exact.denominator)
    steps += 2 * rest > exact.denominator or (2 * rest == exact.denominator and steps % 2)
    whole, places = divmod(steps, _SCALE)
    digits = f"{whole}.{places:0{PLACES}}".rstrip("0").rstrip(".")
    return f"-{digits}" if exact.numerator < 0 < steps else digits
