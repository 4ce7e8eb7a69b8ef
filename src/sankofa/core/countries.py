"""Countries by ISO 3166-1, as pycountry holds it, and the codes that it no longer holds."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from typing import NamedTuple

import pycountry


class Country(NamedTuple):
    """The two codes of a country."""

    alpha2: str
    alpha3: str


# Kosovo has no code of its own in the standard. These two are from the range that the standard leaves to
# its users, and the World Bank, the IMF and the European Union all use them.
_USER_ASSIGNED = (Country("XK", "XKX"),)
_THEIR_NAMES = {"XKX": "Kosovo"}
_LONGEST_NAME = 60
_LIKENESS = 0.8  # of a name that is taken for another

# Withdrawn codes of countries that went on under another name. States that split or merged are not here:
# data of Yugoslavia belongs to no present country. ZAR is Zaire; the rand is a currency.
RENAMED = {
    "AFI": "DJI",
    "BUR": "MMR",
    "BYS": "BLR",
    "DHY": "BEN",
    "HVO": "BFA",
    "NHB": "VUT",
    "RHO": "ZWE",
    "ROM": "ROU",
    "TMP": "TLS",
    "ZAR": "COD",
}


def country(code: str) -> Country | None:
    """Return the country of an alpha-2 or alpha-3 code in any case; None for withdrawn codes."""
    return _countries().get(code.upper())


def countries() -> frozenset[Country]:
    """Return all countries."""
    return frozenset(_countries().values())


def country_name(alpha3: str) -> str | None:
    """Return a country's name in the standard's spelling."""
    entry = pycountry.countries.get(alpha_3=alpha3)
    return entry.name if entry else _THEIR_NAMES.get(alpha3)


def meant(text: str) -> Country | None:
    """Return the country that a text may mean: by its code, by its name, or by a name that is spelt alike."""
    if len(text) > _LONGEST_NAME:
        return None
    if known := country(text):
        return known
    near = get_close_matches(text.strip().casefold(), _in_small_letters(), n=1, cutoff=_LIKENESS)
    return _in_small_letters()[near[0]] if near else None


def issuer(currency: str) -> Country | None:
    """Return the country of a currency: an ISO 4217 code begins with its country's alpha-2 code.

    The euro and the CFA francs belong to no single country and begin with none.
    """
    return _countries().get(currency[:2])


@cache
def by_name() -> dict[str, Country]:
    """Return all countries by their names in the standard's spelling, short ones and official ones."""
    return {
        name: Country(entry.alpha_2, entry.alpha_3)
        for entry in pycountry.countries
        for kind in ("name", "official_name", "common_name")
        if (name := getattr(entry, kind, None))
    }


@cache
def _in_small_letters() -> dict[str, Country]:
    return {name.casefold(): one for name, one in by_name().items()}


@cache
def _countries() -> dict[str, Country]:
    listed = (Country(entry.alpha_2, entry.alpha_3) for entry in pycountry.countries)
    return {code: entry for entry in (*listed, *_USER_ASSIGNED) for code in entry}
