"""KEY-3, KEY-7, KEY-8: the tiers' numbers, their order, and how many rows a page holds."""

from __future__ import annotations

import pytest

from sankofa.access.tiers import TIER_NAMES, Tiers
from sankofa.core.errors import BadParameter, PaymentRequired, Refused


def test_the_defaults_are_those_of_the_contract():
    tiers = Tiers()
    table = {
        name: (tiers.named(name).rows, tiers.named(name).per_minute, tiers.named(name).per_month)
        for name in TIER_NAMES
    }
    assert table == {
        "sample": (25, 60, 5_000),
        "starter": (1_000, 300, 250_000),
        "professional": (10_000, 1_200, 5_000_000),
    }
    assert TIER_NAMES == ("sample", "starter", "professional")


def test_numbers_are_configuration():
    tiers = Tiers.changed({"sample": {"per_minute": 120}, "professional": {"rows": 20_000}})
    assert tiers.sample.per_minute == 120
    assert tiers.sample.rows == 25
    assert tiers.professional.rows == 20_000
    assert tiers.starter == Tiers().starter
    assert Tiers.changed({}) == Tiers()


@pytest.mark.parametrize(
    "changes",
    [
        {"sample": {"rows": 1_001}},
        {"starter": {"per_minute": 59}},
        {"professional": {"per_month": 249_999}},
        {"sample": {"rows": 0}},
        {"sample": {"per_minute": -1}},
        {"sample": {"per_minute": "many"}},
        {"sample": {"per_hour": 3}},
        {"sample": {"name": 3}},
        {"gold": {"rows": 3}},
    ],
)
def test_a_table_that_makes_no_sense_is_refused(changes):
    with pytest.raises(Refused, match="tiers"):
        Tiers.changed(changes)


def test_the_sample_page_is_its_cap():
    sample = Tiers().sample
    assert [sample.page(limit) for limit in (None, 1, 25)] == [25, 1, 25]
    with pytest.raises(PaymentRequired) as refusal:
        sample.page(26)
    assert (refusal.value.parameter, refusal.value.limit_max) == ("limit", 25)


def test_a_paid_page_is_a_hundred_rows_unless_asked():
    starter = Tiers().starter
    assert [starter.page(limit) for limit in (None, 1, 1_000)] == [100, 1, 1_000]
    with pytest.raises(BadParameter, match="1000") as refusal:
        starter.page(1_001)
    assert refusal.value.parameter == "limit"


def test_the_default_page_never_exceeds_a_small_cap():
    assert Tiers.changed({"starter": {"rows": 30}}).starter.page(None) == 30
