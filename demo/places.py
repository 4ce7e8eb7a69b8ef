"""Where organisations live: the register that numbers them, the exchange that lists them, an address.

Authorities are RA9000xx: GLEIF's list of registers counts in hundreds. Legal forms are codes of ISO 20275,
or 8888 where that list has none for the country.
"""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """What a country adds to an organisation's record."""

    authority: str
    number: str  # how the register writes a number; {year} and {number} are filled in
    exchange: str  # MIC of ISO 10383
    legal_form: str  # of a public company
    language: str
    city: str
    postcode: str


UNLISTED_FORM = "8888"

PLACES = {
    "ZA": Place("RA900001", "{year}/{number:06}/06", "XJSE", "XE4Z", "en", "Johannesburg", "2196"),
    "NG": Place("RA900002", "RC {number}", "XNSA", "PKBG", "en", "Lagos", "101241"),
    "KE": Place("RA900003", "CPR/{year}/{number}", "XNAI", UNLISTED_FORM, "en", "Nairobi", "00100"),
    "GH": Place("RA900004", "CS{number:09}", "XGHA", "VBJW", "en", "Accra", "GA-183"),
    "EG": Place("RA900005", "{number}", "XCAI", UNLISTED_FORM, "en", "Cairo", "11511"),
    "MA": Place("RA900006", "{number}", "XCAS", UNLISTED_FORM, "fr", "Casablanca", "20250"),
    "CI": Place("RA900007", "CI-ABJ-{year}-B-{number}", "XBRV", UNLISTED_FORM, "fr", "Abidjan", "01 BP"),
    "TZ": Place("RA900008", "{number}", "XDAR", "JZED", "en", "Dar es Salaam", "11101"),
    "UG": Place("RA900009", "{number}", "XUGA", UNLISTED_FORM, "en", "Kampala", "00256"),
    "ZM": Place("RA900010", "1{year}{number:07}", "XLUS", UNLISTED_FORM, "en", "Lusaka", "10101"),
    "BW": Place("RA900011", "BW{number:011}", "XBOT", "QK1F", "en", "Gaborone", "00267"),
    "MU": Place("RA900012", "C{number:08}", "XMAU", "XXCZ", "en", "Port Louis", "11328"),
}
