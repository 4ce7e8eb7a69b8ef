"""Exact arithmetic: derived values are fractions until they are served, and are rounded once."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

PLACES = 10  # of a derived value, after the point
_SCALE = 10**PLACES


def rounded(exact: Fraction) -> Decimal:
    """Return the nearest decimal of ten places, without zeros at its end; of two equally near, the even one.

    Written digit by digit: arithmetic of decimals would round to the digits of its context.
    """
    steps = round(exact * _SCALE)
    whole, rest = divmod(abs(steps), _SCALE)
    digits = f"{whole}.{rest:0{PLACES}}".rstrip("0").rstrip(".")
    return Decimal(f"-{digits}" if steps < 0 else digits)
