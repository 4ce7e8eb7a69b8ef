"""The bounds on the changes of a document; beyond them it is held for review.

A source is compared from the first edition that holds one of its documents. Documents ingested before that
are its first load, which cannot be compared with anything. The numbers were chosen by running them over real
files and over seeded poisonings; `tests/real/test_real_drift.py` and `tests/audit/test_drift.py` repeat both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal, NamedTuple

FUND, TENDER, MACRO, ORGANISATIONS = "AF-FUND", "AF-TENDER", "AF-MACRO", "organisations"

Movement = Literal["zeroed", "leapt", "restated", "gone"]

LEAP = 1_000  # thousands stated as units, or units as thousands: the most common error of scale
SIZE_FACTOR = (
    10  # real sources vary by less between their ordinary documents; archives belong to the first load
)
SIZE_DOCUMENTS = 3  # with fewer documents, the largest is no guide to the next


class Bound(NamedTuple):
    """A document is held if `least` rows or more, and more than `share` of the known rows, moved so."""

    least: int
    share: Fraction
    why: str

    def is_exceeded(self, rows: int, known: int) -> bool:
        """Return whether the number of moved rows exceeds the bound."""
        return rows >= self.least and rows > self.share * known


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The bounds for documents of a dataset."""

    tolerance: Decimal  # a known value that changes by a smaller share counts as confirmed
    movements: Mapping[Movement, Bound]
    fewest_rows: int  # a document with fewer new rows is never too large


BOUNDS: Mapping[str, Bounds] = {
    FUND: Bounds(
        tolerance=Decimal("0.01"),  # repeated comparatives are rounded
        movements={
            "zeroed": Bound(1, Fraction(1, 100), "a reported line item does not become 0"),
            "leapt": Bound(1, Fraction(1, 100), "a restatement does not change a value a thousandfold"),
            "restated": Bound(20, Fraction(1, 4), "real filers restate 1 in 25 comparatives in five years"),
            "gone": Bound(5, Fraction(1, 5), "filers seldom take back what they reported"),
        },
        fewest_rows=10_000,
    ),
    TENDER: Bounds(
        tolerance=Decimal("0.01"),
        movements={
            "leapt": Bound(1, Fraction(1, 100), "an amendment does not change a value a thousandfold"),
            "restated": Bound(10, Fraction(1, 2), "portals amend single tenders, not most of a page"),
            "gone": Bound(2, Fraction(1, 5), "portals write 0 for none; of two real values one may go"),
        },
        fewest_rows=1_000,
    ),
    MACRO: Bounds(
        tolerance=Decimal("0.10"),  # smaller revisions are routine
        movements={
            "zeroed": Bound(1, Fraction(1, 100), "real tables: up to 0.3%, a currency that was replaced"),
            "leapt": Bound(1, Fraction(1, 100), "real tables: up to 0.02%, rates of change near 0"),
            "restated": Bound(10, Fraction(1, 4), "real tables move by up to 9%, new bases apart"),
            "gone": Bound(10, Fraction(1, 5), "real tables lose up to 8%, when periods end"),
        },
        fewest_rows=50_000,
    ),
    ORGANISATIONS: Bounds(
        tolerance=Decimal(0),
        movements={
            "restated": Bound(20, Fraction(1, 2), "a register renames a few per cent of its records a year"),
            "gone": Bound(20, Fraction(1, 2), "a register ends a few per cent of its records a year"),
        },
        fewest_rows=10_000,
    ),
}
