"""The exchanges of `exchanges.csv`: African ones, those of the larger emerging markets, and American ones.

`codes` are names that other sources use in place of the MIC, `suffix` is what follows the dot of a symbol
(`SOL.JO`), `figi_codes` are the exchange codes of OpenFIGI, those of segments included. Codes of both
kinds point to one exchange only. A code that several exchanges go by, such as NSE (Nairobi, Nigeria, India),
is ambiguous and points to none.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from importlib import resources

_MIC = re.compile(r"[A-Z0-9]{4}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One exchange."""

    mic: str
    country: str
    name: str
    codes: tuple[str, ...]
    suffix: str
    figi_codes: tuple[str, ...]


@cache
def exchanges() -> dict[str, Exchange]:
    """Return all exchanges by MIC."""
    text = resources.files(__package__).joinpath("exchanges.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines(), strict=True)
    return {
        row["mic"]: Exchange(
            mic=row["mic"],
            country=row["country"],
            name=row["name"],
            codes=tuple(row["codes"].split()),
            suffix=row["suffix"],
            figi_codes=tuple(row["figi_codes"].split()),
        )
        for row in rows
    }


def exchange(mic: str, code: str = "") -> Exchange | None:
    """Return an exchange by its MIC or, where a source gives none, by the source's own code."""
    return exchanges().get(mic) if mic else _by_code().get(code)


def exchange_of_figi_code(code: str) -> Exchange | None:
    """Return an exchange by its code at OpenFIGI; codes of whole countries, such as US, name none."""
    return _by_figi_code().get(code)


def mic_of(text: str) -> str | None:
    """Return the MIC for a caller's code: a listed code, or any well-formed MIC."""
    if text in _by_code() and text not in exchanges():
        return _by_code()[text].mic
    return text if _MIC.fullmatch(text) else None


def aliases_of(mic: str) -> list[str]:
    """Return the codes that are accepted in place of a MIC."""
    return sorted(code for code in exchanges()[mic].codes if code != mic and code in _by_code())


def mics_of_ambiguous_code(code: str) -> list[str]:
    """Return the MICs of the exchanges that share a code; none if the code is unknown or not shared."""
    mics = sorted(exchange.mic for exchange in exchanges().values() if code in exchange.codes)
    return mics if len(mics) > 1 else []


@cache
def _by_code() -> dict[str, Exchange]:
    shared = Counter(code for exchange in exchanges().values() for code in exchange.codes)
    return {
        code: exchange for exchange in exchanges().values() for code in exchange.codes if shared[code] == 1
    }


@cache
def _by_figi_code() -> dict[str, Exchange]:
    return {code: exchange for exchange in exchanges().values() for code in exchange.figi_codes}
