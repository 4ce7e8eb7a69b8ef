"""Invented identifiers with the right check digits, in ranges that nobody else gives numbers from.

LEIs begin with the prefix 9999, which no issuer of LEIs has; ISINs go on with DM after the country, FIGIs
begin with ZZG.
"""

from __future__ import annotations

from stdnum import figi as _figi
from stdnum import isin as _isin
from stdnum.iso7064 import mod_97_10

LEI_PREFIX = "9999DEMO"
# The check digits of ISO 7064 make the whole number 1 modulo 97; the prefix counts the same every time.
_PREFIX = mod_97_10.checksum(LEI_PREFIX + "0" * 12)


def lei(number: int) -> str:
    """Return the LEI of a number of at most ten digits."""
    return f"{LEI_PREFIX}{number:010}{98 - (_PREFIX + number * 100) % 97:02}"


def isin(country: str, number: int) -> str:
    """Return the ISIN of a number of at most seven digits."""
    body = f"{country}DM{number:07}"
    return f"{body}{_isin.calc_check_digit(body)}"


def figi(number: int) -> str:
    """Return the FIGI of a number of at most eight digits."""
    body = f"ZZG{number:08}"
    return f"{body}{_figi.calc_check_digit(body)}"
