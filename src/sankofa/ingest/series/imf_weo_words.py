"""Vocabulary of the World Economic Outlook: countries, subjects and units."""

from __future__ import annotations

import csv
import re
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple

import pycountry

from sankofa.core.countries import country

# Names that the standard does not have, of today and of earlier editions.
_COUNTRIES = {
    "Democratic Republic of the Congo": "COD",
    "FYR Macedonia": "MKD",
    "Hong Kong SAR": "HKG",
    "Islamic Republic of Iran": "IRN",
    "Korea": "KOR",
    "Kosovo": "XKX",
    "Lao P.D.R.": "LAO",
    "Macao SAR": "MAC",
    "Micronesia": "FSM",
    "Republic of Congo": "COG",
    "Russia": "RUS",
    "St. Kitts and Nevis": "KNA",
    "St. Lucia": "LCA",
    "St. Vincent and the Grenadines": "VCT",
    "Swaziland": "SWZ",
    "São Tomé and Príncipe": "STP",
    "Taiwan Province of China": "TWN",
    "The Bahamas": "BHS",
    "The Gambia": "GMB",
    "Turkey": "TUR",
    "West Bank and Gaza": "PSE",
}
_CODES = {"UVK": "XKX", "WBG": "PSE"}  # of the IMF's own
_SCALES = {"": "", "units": "", "thousands": "thousands", "millions": "millions", "billions": "billions"}
_BASE_YEAR = re.compile(r"\b(?:19|20)[0-9]{2}\b")


class Subject(NamedTuple):
    """One line of the outlook: the IMF's code, and the unit with its scale."""

    code: str
    unit: str


@lru_cache(1 << 10)
def area(code: str | None, name: str) -> str | None:
    """Return the alpha-3 code of a country by the IMF's code or name; None for groups and the unknown."""
    if code:
        found = country(_CODES.get(code, code))
        return found.alpha3 if found else None
    if name in _COUNTRIES:
        return _COUNTRIES[name]
    listed = pycountry.countries
    named = listed.get(name=name) or listed.get(common_name=name) or listed.get(official_name=name)
    return named.alpha_3 if named else None


@lru_cache(1 << 8)
def subject(code: str | None, descriptor: str, units: str, scale: str) -> Subject | None:
    """Return the subject of a line; None if its code is unknown or its words are ambiguous."""
    measure = _measure(units)
    if measure is None or scale.casefold() not in _SCALES:
        return None
    known = _codes().get((descriptor.casefold(), measure))
    if known is None or code not in (None, known):
        return None
    base = _BASE_YEAR.search(units) if measure == "international dollars" else None
    words = (base[0] if base else "", measure, _SCALES[scale.casefold()])
    return Subject(known, " ".join(word for word in words if word))


def _measure(units: str) -> str | None:
    """Return the unit, independent of its name in the edition."""
    words = units.casefold()
    if words.startswith("national currency per"):
        return "national currency per international dollar"
    if "international dollar" in words:
        return "international dollars"
    for start, measure in (
        ("u.s. dollars", "USD"),
        ("national currency", "national currency"),
        ("percent", "percent"),
        ("index", "index"),
        ("persons", "persons"),
    ):
        if words.startswith(start):
            return measure
    return None


@cache
def _codes() -> dict[tuple[str, str], str]:
    text = resources.files(__package__).joinpath("imf_weo_subjects.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines())
    return {(row["descriptor"].casefold(), row["measure"]): row["code"] for row in rows}
