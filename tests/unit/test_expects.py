"""What a run falls short of, in words."""

from __future__ import annotations

from datetime import date

import msgspec
import pytest

from sankofa.ingest.expects import Brought, Expects

TODAY = date(2026, 3, 10)
ORDINARY = Brought(documents=2, new_documents=1, rows=100, keys=10, newest=date(2026, 3, 9))


@pytest.mark.parametrize(
    ("expects", "brought", "before", "told"),
    [
        ({}, ORDINARY, None, []),
        ({}, Brought(), None, []),
        ({"documents": (2, 2), "rows": (100, 100), "keys": (10, 10)}, ORDINARY, ORDINARY, []),
        ({"documents": (3, 9)}, ORDINARY, None, ["documents: 2 (expected: 3 to 9)"]),
        ({"rows": (1, 99)}, ORDINARY, None, ["rows: 100 (expected: 1 to 99)"]),
        ({"keys": (11, 2_000)}, ORDINARY, None, ["keys: 10 (expected: 11 to 2,000)"]),
        ({"fewer_percent": 10}, ORDINARY, Brought(rows=111), []),
        (
            {"fewer_percent": 10},
            ORDINARY,
            Brought(rows=112),
            ["rows: 100, in the good run before: 112 (at most 10% fewer)"],
        ),
        ({"fewer_percent": 0}, ORDINARY, None, []),
        ({"newest_days": 1}, ORDINARY, None, []),
        ({"newest_days": 0}, ORDINARY, None, ["newest period: 2026-03-09 (expected: 2026-03-10 or later)"]),
        (
            {"newest_days": 9},
            Brought(documents=1),
            None,
            ["newest period: none (expected: 2026-03-01 or later)"],
        ),
        ({}, Brought(documents=1, unreadable=1), None, ["unreadable documents: 1 (at most 0)"]),
        ({"unreadable": 1}, Brought(documents=1, unreadable=1), None, []),
        ({}, Brought(documents=1, rows=50, rejected=50), None, []),
        (
            {},
            Brought(documents=1, rows=49, rejected=51),
            None,
            ["rows not taken: 51, taken: 49 (at most 50% not taken)"],
        ),
        (
            {"rejected_percent": 0},
            Brought(documents=1, rows=49, rejected=1),
            None,
            ["rows not taken: 1, taken: 49 (at most 0% not taken)"],
        ),
    ],
)
def test_each_shortfall_is_a_sentence(expects, brought, before, told):
    assert Expects(**expects).shortfalls(brought, before, TODAY) == told


def test_bounds_that_nothing_is_within_are_refused():
    with pytest.raises(msgspec.ValidationError, match="the fewest, 9, are more than the most, 3"):
        msgspec.convert({"rows": [9, 3]}, Expects)
