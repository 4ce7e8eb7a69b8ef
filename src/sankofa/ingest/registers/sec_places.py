"""The home jurisdiction and the industry of a filer at the U.S. Securities and Exchange Commission.

Submissions name places by the codes of EDGAR (`sec_places.csv`), in which two letters are an American state
and `DE` is Delaware. Data sets name countries by ISO 3166-1 and their parts apart. Both become one code of
ISO 3166. A filer is at home where it was incorporated. If it does not say where, the country of its business
address counts.
"""

from __future__ import annotations

import csv
import re
from functools import cache
from importlib import resources

from sankofa.ingest.identifiers import jurisdiction

_STATE = re.compile(r"[A-Z]{2}")
_SIC = re.compile(r"[0-9]{3,4}")


def home_by_code(incorporated: str, business: str) -> str | None:
    """Return the home of a filer whose places are written in the codes of EDGAR."""
    address = _place(business)
    return _place(incorporated) or (address[:2] if address else None)


def home_by_country(incorporated: str, part: str, business: str) -> str | None:
    """Return the home of a filer whose places are countries, one with its part."""
    place = jurisdiction(f"{incorporated}-{part}") if part else None
    return place or jurisdiction(incorporated) or jurisdiction(business)


def industry(code: str) -> str | None:
    """Return a code of the Standard Industrial Classification in four digits; 0 names none."""
    return f"{int(code):04d}" if _SIC.fullmatch(code) and int(code) else None


def industry_marks(code: str | None) -> tuple[str, ...]:
    """Return the marks of an industry."""
    return (f"sic:{code}",) if code else ()


def _place(code: str) -> str | None:
    if _STATE.fullmatch(code):
        state = jurisdiction(f"US-{code}")
        return state if state == f"US-{code}" else None
    return _places().get(code)


@cache
def _places() -> dict[str, str]:
    text = resources.files(__package__).joinpath("sec_places.csv").read_text(encoding="utf-8")
    return {row["code"]: row["place"] for row in csv.DictReader(text.splitlines(), strict=True)}
