"""Exact arithmetic: derived values are fractions until they are served, and rounded only once."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

PLACES = 10  # of a derived value, after the point
_SCALE = 10**PLACES


def rounded(exact: Fraction) -> Decimal:
    """Return the value rounded half to even at ten decimal places, without trailing zeros.

    Computed on integers, because decimal arithmetic would round to the precision of its context.
    """
    steps = round(exact * _SCALE)
    whole, rest = divmod(abs(steps), _SCALE)
    digits = f"{whole}.{rest:0{PLACES}}".rstrip("0").rstrip(".")
    return Decimal(f"-{digits}" if steps < 0 else digits)
