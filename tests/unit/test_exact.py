"""Rounding of derived values: once, half to even, to ten places, whatever the size of the number."""

from __future__ import annotations

from fractions import Fraction

import pytest

from sankofa.core.exact import rounded
from sankofa.core.licences import most_restrictive


@pytest.mark.parametrize(
    ("exact", "expected"),
    [
        (Fraction(1, 2), "0.5"),
        (Fraction(1, 3), "0.3333333333"),
        (Fraction(-2, 3), "-0.6666666667"),
        (Fraction(0), "0"),
        (Fraction(-1, 10**11), "0"),
        (Fraction(120), "120"),
        # Half of the last place goes to the even neighbour: …5 down to …4 and up to …6.
        (Fraction(5, 10**11), "0"),
        (Fraction(15, 10**11), "0.0000000002"),
        (Fraction(25, 10**11), "0.0000000002"),
        (Fraction(-35, 10**11), "-0.0000000004"),
        (Fraction(25, 10**11) + Fraction(1, 10**40), "0.0000000003"),
        # More digits than a decimal's usual context of 28 holds.
        (Fraction(10**40 + 1, 3), "3333333333333333333333333333333333333333.6666666667"),
    ],
)
def test_a_fraction_is_rounded_once_half_to_even(exact, expected):
    assert f"{rounded(exact):f}" == expected


def test_the_most_restrictive_licence_is_the_one_that_asks_for_most():
    assert most_restrictive(["public-domain", "CC-BY-4.0", "CC0-1.0"]) == "CC-BY-4.0"
    assert most_restrictive(["operator", "a class that nobody listed"]) == "a class that nobody listed"
    assert most_restrictive(["synthetic"]) == "synthetic"
