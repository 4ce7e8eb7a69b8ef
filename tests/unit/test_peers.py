"""The comparison of a peer's answers with ours, before they are timed."""

from __future__ import annotations

from decimal import Decimal

import pytest

from bench.peers.equality import differences

OURS = {
    "fact_id": "f1",
    "line_item": "revenue",
    "period_type": "FY",
    "value_reported": Decimal("1.50"),
    "previous_value": None,
    "observed_at": "2024-03-01T00:00:00Z",
    "known_until": None,
}
THEIRS = {
    **{name: value for name, value in OURS.items() if name != "known_until"},
    "value_reported": "1.5",
    "observed_at": "2024-03-01T01:00:00+01:00",
    "id": 7,
}


def test_values_are_compared_and_not_the_way_in_which_they_are_written():
    assert differences([OURS], [THEIRS]) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("value_reported", "1.51"),
        ("previous_value", 0),
        ("observed_at", "2024-03-01T00:00:01Z"),
        ("line_item", "net_income"),
    ],
)
def test_a_value_that_differs_is_found(name, value):
    assert len(differences([OURS], [{**THEIRS, name: value}])) == 1


def test_a_field_or_fact_that_is_missing_is_found():
    without = {name: value for name, value in THEIRS.items() if name != "previous_value"}
    assert len(differences([OURS], [without])) == 1
    assert len(differences([OURS], [])) == 1
    assert len(differences([OURS], [THEIRS, THEIRS])) == 1
