"""What counts as an identifier, a jurisdiction and a name, whichever document writes it.

An identifier is taken only where its check digit is right: one wrong letter would name somebody else.
A name keeps its spelling; only its form is made one, so that two sources that write it alike are equal.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

import pycountry
from stdnum import figi as _figi
from stdnum import isin as _isin
from stdnum.br import cnpj as _cnpj

from sankofa.core.countries import by_name

NAME_CHARACTERS = 1_000  # twice what the formats of the LEI allow

_LEI = re.compile(r"[0-9A-Z]{18}[0-9]{2}")
_LEI_DIGITS = {ord("A") + place: str(10 + place) for place in range(26)}
_ISIN = re.compile(r"[A-Z]{2}[0-9A-Z]{9}[0-9]")
_FIGI = re.compile(r"[B-DF-HJ-NP-TV-Z]{2}G[0-9B-DF-HJ-NP-TV-Z]{8}[0-9]")
_MIC = re.compile(r"[0-9A-Z]{4}")
_TICKER = re.compile(r"[0-9A-Z][0-9A-Z.&/-]{0,31}")
_CIK = re.compile(r"[0-9]{1,10}")
_CVM_CODE = re.compile(r"[0-9]{1,6}")
_CNPJ = re.compile(r"[0-9]{2}\.?[0-9]{3}\.?[0-9]{3}/?[0-9]{4}-?[0-9]{2}")
_ALPHA_2 = 2
_JURISDICTION = re.compile(r"([A-Z]{2})(?:-[0-9A-Z]{1,3})?")

# Letters that are never seen but change what is: controls other than tab and line end, marks and overrides
# of direction, byte-order marks, annotations, tags, and halves of letters.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\ufffe\uffff\U000e0000-\U000e007f]"
)


def lei(text: str) -> str | None:
    """Return a legal entity identifier in its one form, or None where this is none (ISO 17442, mod 97)."""
    number = text.strip().upper()
    if not _LEI.fullmatch(number) or int(number.translate(_LEI_DIGITS)) % 97 != 1:
        return None
    return number


def isin(text: str) -> str | None:
    """Return an ISIN in its one form, or None where this is none (ISO 6166)."""
    number = _formed(text, _ISIN)
    return number if number and _isin.is_valid(number) else None


def figi(text: str) -> str | None:
    """Return a FIGI in its one form, or None where this is none."""
    number = _formed(text, _FIGI)
    return number if number and _figi.is_valid(number) else None


def mic(text: str) -> str | None:
    """Return a market identifier code in its one form, or None where this cannot be one (ISO 10383)."""
    return _formed(text, _MIC)


def ticker(text: str) -> str | None:
    """Return a ticker in its one form, or None where this cannot be one."""
    return _formed(text, _TICKER)


def _formed(text: str, form: re.Pattern[str]) -> str | None:
    code = text.strip().upper()
    return code if form.fullmatch(code) else None


def cik(value: int | str) -> str | None:
    """Return a central index key in ten digits, or None where this is none."""
    digits = str(value)
    return f"{int(digits):010d}" if _CIK.fullmatch(digits) else None


def cvm_code(text: str) -> str | None:
    """Return the code of a company at Brazil's CVM in six digits, or None where this is none."""
    return f"{int(text):06d}" if _CVM_CODE.fullmatch(text) else None


def cnpj(text: str) -> str | None:
    """Return the fourteen digits of a Brazilian taxpayer that is no person, or None where this is none."""
    number = _formed(text, _CNPJ)
    return _cnpj.compact(number) if number and _cnpj.is_valid(number) else None


@lru_cache(1 << 12)
def jurisdiction(code: str) -> str | None:
    """Return a code of ISO 3166-1 or 3166-2, the country of one with an unknown part, or None."""
    written = _JURISDICTION.fullmatch(code)
    if not written:
        return None
    if code in _codes():
        return code
    return written[1] if written[1] in _codes() else None


def country(value: object) -> str | None:
    """Return the alpha-2 code of a country that is given by it or by its exact name in ISO 3166-1."""
    written = value.strip() if isinstance(value, str) else ""
    if known := by_name().get(written):
        return known.alpha2
    return jurisdiction(written) if len(written) == _ALPHA_2 else None


def clean_name(text: str) -> str | None:
    """Return a name in NFC with single spaces, or None where it is too long or holds unseen letters.

    An empty text is an empty name.
    """
    if len(text) > NAME_CHARACTERS:
        return None
    if text.isascii():
        if text.isprintable():
            return " ".join(text.split()) if "  " in text or text[:1] == " " or text[-1:] == " " else text
        return None if _INVISIBLE.search(text) else " ".join(text.split())
    if _INVISIBLE.search(text):
        return None
    return unicodedata.normalize("NFC", " ".join(text.split()))


@cache
def _codes() -> frozenset[str]:
    countries = {country.alpha_2 for country in pycountry.countries}
    return frozenset(countries | {part.code for part in pycountry.subdivisions})
