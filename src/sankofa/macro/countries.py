"""Countries by ISO 3166-1, as pycountry holds it, and the codes that it no longer holds."""

from __future__ import annotations

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


def issuer(currency: str) -> Country | None:
    """Return the country of a currency: an ISO 4217 code begins with its country's alpha-2 code.

    The euro and the CFA francs belong to no single country and begin with none.
    """
    return _countries().get(currency[:2])


@cache
def _countries() -> dict[str, Country]:
    listed = (Country(entry.alpha_2, entry.alpha_3) for entry in pycountry.countries)
    return {code: entry for entry in (*listed, *_USER_ASSIGNED) for code in entry}
