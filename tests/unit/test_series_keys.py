"""The names of series."""

from __future__ import annotations

import pytest

from sankofa.macro import series


def test_keys_follow_the_grammar():
    assert series.fx("USD", "KES") == "FX.USD.KES"
    assert series.fx("USD", "KES", "FX_BUY") == "FX_BUY.USD.KES"
    assert series.cpi("KEN") == "CPI.KEN"
    assert series.cpi("KEN", "CPI_YOY") == "CPI_YOY.KEN"
    assert series.world_bank("NY.GDP.MKTP.CD", "KEN", "A") == "WB.NY.GDP.MKTP.CD.KEN"
    assert series.world_bank("CPTOTNSXN", "KEN", "M") == "WB.CPTOTNSXN.KEN.M"
    assert series.fred("GDP") == "FRED.GDP"


def test_the_keys_of_an_indicator_begin_alike_and_no_other_s_do():
    assert series.world_bank("NY.GDP", "KEN", "A").startswith(series.world_bank_areas("NY.GDP"))
    assert not series.world_bank("NY.GDPX", "KEN", "A").startswith(series.world_bank_areas("NY.GDP"))


@pytest.mark.parametrize("text", ["", ".", "A.", ".A", "A..B", "A B", "A/B", "É", "A\n", "A." * 40])
def test_what_cannot_name_an_indicator_does_not(text):
    assert not series.is_indicator(text)


@pytest.mark.parametrize(
    "text", ["NY.GDP.MKTP.CD", "CPTOTNSXN", "per_si_allsi.adq_pop_tot", "1.0.HCount.1.90usd"]
)
def test_what_can_name_an_indicator_does(text):
    assert series.is_indicator(text)


@pytest.mark.parametrize(("text", "is_one"), [("ROL", True), ("usd", False), ("US", False), ("USDX", False)])
def test_a_currency_has_three_capitals(text, is_one):
    assert series.is_currency(text) is is_one
