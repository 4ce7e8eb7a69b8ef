"""How a vintage differs from the one before it (FUN-7), and when two values agree (FUN-3)."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Literal

Revision = Literal["rescaled", "rounded", "reclassified", "corrected", "restated"]

LEAST_DIGITS = 3
EXACT = Context(prec=100)


def agree(one: Decimal, other: Decimal, decimals: int | None, other_decimals: int | None) -> bool:
    """Whether two values are equal, or are at the coarser of their stated precisions."""
    if one == other:
        return True
    if decimals is None or other_decimals is None:
        return False
    coarser = min(decimals, other_decimals)
    return rounded_to(one, -coarser) == rounded_to(other, -coarser)


def is_rescaled(one: Decimal, other: Decimal) -> bool:
    """Whether one value is the other times a power of ten."""
    if one == other or not one or not other:
        return False
    return significant(one)[:2] == significant(other)[:2]


def is_rounding_of(short: Decimal, precise: Decimal, decimals: int | None) -> bool:
    """Whether a value is another rounded to its own trailing zeros, or to the precision stated for it."""
    if short == precise:
        return False
    if decimals is not None and rounded_to(precise, -decimals) == short:
        return True
    _, digits, exponent = significant(short)
    unit = Decimal((0, (1,), exponent))  # a half may have been rounded either way
    is_near = abs(EXACT.subtract(short, precise)) * 2 <= unit
    return len(digits) >= LEAST_DIGITS and is_near and significant(precise)[2] < exponent


def significant(value: Decimal) -> tuple[int, tuple[int, ...], int]:
    """Sign, digits without zeros at either end, and the exponent of the last digit; zero has no digits."""
    sign, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)
    while digits and not digits[-1]:
        digits, exponent = digits[:-1], exponent + 1
    while digits and not digits[0]:
        digits = digits[1:]
    return sign, digits, exponent


def rounded_to(value: Decimal, exponent: int) -> Decimal:
    """A value rounded to a power of ten, half away from zero."""
    return value.quantize(Decimal((0, (1,), exponent)), ROUND_HALF_UP, EXACT)
