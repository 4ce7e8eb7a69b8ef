"""Countries: ISO 3166-1, withdrawn codes, and the World Bank's own."""

from __future__ import annotations

import re

import pycountry
import pytest

from sankofa.ask.country import ALPHA_2, ALPHA_3, AS_ALPHA_2, AS_ALPHA_3
from sankofa.core.countries import RENAMED, country, issuer, meant
from sankofa.ingest.series import world_bank


@pytest.mark.parametrize("code", ["KE", "ke", "KEN", "ken", "Ken"])
def test_a_country_is_found_by_either_code_in_any_case(code):
    assert country(code) == ("KE", "KEN")


@pytest.mark.parametrize("code", ["", "K", "KENYA", "ZZ", "ARB", "1A", "ZAR", "EU", "XX"])
def test_what_is_no_country_is_none(code):
    assert country(code) is None


def test_kosovo_has_the_codes_that_its_users_gave_it():
    assert country("XK") == country("xkx") == ("XK", "XKX")


def test_a_withdrawn_code_was_one_and_its_successor_is_one():
    withdrawn = {entry.alpha_3 for entry in pycountry.historic_countries}
    assert RENAMED.keys() - withdrawn == {"ROM"}  # changed in 2002 without an entry in ISO 3166-3
    assert not any(country(code) for code in RENAMED)
    assert all(country(code) for code in RENAMED.values())


@pytest.mark.parametrize(
    ("text", "alpha2"),
    [
        ("Kenya", "KE"),
        (" kenya", "KE"),
        ("KEN", "KE"),
        ("Niger", "NE"),
        ("Nigera", "NG"),
        ("Cote d'Ivoire", "CI"),
        ("South Afrika", "ZA"),
        ("Guinea", "GN"),
        ("England", None),  # its nearest name is Greenland
        ("Swaziland", None),
        ("", None),
        ("Kenya" * 13, None),
    ],
)
def test_a_country_is_meant_by_its_code_or_a_name_spelt_alike(text, alpha2):
    found = meant(text)
    assert (found and found.alpha2) == alpha2


@pytest.mark.parametrize(
    ("code", "text", "parsed"),
    [
        (ALPHA_2, "ke", "KE"),
        (ALPHA_2, "zz", "ZZ"),
        (ALPHA_3, "ken", "KEN"),
        (AS_ALPHA_2, "ken", "KE"),
        (AS_ALPHA_2, "ssf", "SSF"),
        (AS_ALPHA_3, "ke", "KEN"),
        (AS_ALPHA_3, "ssf", "SSF"),
    ],
)
def test_a_code_has_one_spelling(code, text, parsed):
    assert code.parse(text) == parsed


@pytest.mark.parametrize(
    ("code", "text", "hint"),
    [
        (ALPHA_2, "Kenya", "an ISO 3166-1 alpha-2 code, such as KE; did you mean KE?"),
        (ALPHA_2, "ZAF", "an ISO 3166-1 alpha-2 code, such as KE; did you mean ZA?"),
        (ALPHA_2, "nowhere", "an ISO 3166-1 alpha-2 code, such as KE"),
        (ALPHA_3, "GH", "an ISO 3166-1 alpha-3 code, such as KEN; did you mean GHA?"),
        (AS_ALPHA_2, "Ghana", "an ISO 3166-1 code of 2 or 3 letters, such as KE; did you mean GH?"),
    ],
)
def test_what_is_no_code_gets_the_code_that_may_be_meant(code, text, hint):
    with pytest.raises(ValueError, match=f"^{re.escape(f'expected {hint}')}$"):
        code.parse(text)


@pytest.mark.parametrize(
    ("currency", "alpha3"), [("ZAR", "ZAF"), ("KES", "KEN"), ("ROL", "ROU"), ("EUR", None), ("XOF", None)]
)
def test_a_currency_is_of_the_country_that_its_code_begins_with(currency, alpha3):
    found = issuer(currency)
    assert (found and found.alpha3) == alpha3


@pytest.mark.parametrize(
    ("code", "area", "iso3"),
    [
        ("KEN", "KEN", "KEN"),
        ("KE", "KEN", "KEN"),
        ("ZAR", "COD", "COD"),
        ("ROM", "ROU", "ROU"),
        ("TMP", "TLS", "TLS"),
        ("WBG", "PSE", "PSE"),
        ("KSV", "XKX", "XKX"),
        ("XK", "XKX", "XKX"),
        ("ARB", "ARB", None),
        ("1A", "1A", None),
        ("XD", "HIC", None),
        ("CHI", "CHI", None),
        ("YUG", "YUG", None),
    ],
)
def test_a_world_bank_code_is_a_country_or_an_area_of_its_own(code, area, iso3):
    assert world_bank.area(code) == (area, iso3)


@pytest.mark.parametrize("code", ["", "K", "ken", "KENY", "K N", "../", "KEN\n", "Ké"])
def test_an_impossible_code_is_no_area(code):
    assert world_bank.area(code) is None


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("GDP (current US$)", "USD"),
        ("GDP (constant 2015 US$)", "USD"),
        ("Inflation, consumer prices (annual %)", "percent"),
        ("Consumer price index (2010 = 100)", "index"),
        ("GDP per capita, PPP (current international $)", None),
        ("GDP (current LCU)", None),
        ("Population, total", None),
        ("", None),
        (None, None),
    ],
)
def test_a_unit_is_what_the_name_says_or_unknown(name, unit):
    assert world_bank.unit_of(name) == unit
