"""What invented issuers are called, and where they live.

A name is a coined four-syllable word, a trade and a company form ("Nolevimara Foods PLC"): never
a personal name, never a known company. The first 2.5 million issuers of a world have different words.
"""

from __future__ import annotations

from typing import NamedTuple

from demo.lines import BANK, GENERAL, INSURER, Sector


class Country(NamedTuple):
    """A country of the world, the money its issuers report in and the forms its companies take."""

    code: str
    currency: str
    forms: tuple[str, ...]


COUNTRIES = (
    Country("ZA", "ZAR", ("Holdings Limited", "(Pty) Ltd", "Group Limited")),
    Country("NG", "NGN", ("PLC", "Holdings PLC")),
    Country("KE", "KES", ("PLC", "Group PLC", "Limited")),
    Country("GH", "GHS", ("PLC", "Limited")),
    Country("EG", "EGP", ("S.A.E.", "Holding S.A.E.")),
    Country("MA", "MAD", ("S.A.", "Holding S.A.")),
    Country("CI", "XOF", ("S.A.", "Group S.A.")),
    Country("TZ", "TZS", ("PLC", "Limited")),
    Country("UG", "UGX", ("Limited", "Holdings Limited")),
    Country("ZM", "ZMW", ("PLC", "Holdings PLC")),
    Country("BW", "BWP", ("Limited", "Holdings Limited")),
    Country("MU", "MUR", ("Ltd", "Group Ltd")),
)
COUNTRY = {country.code: country for country in COUNTRIES}

TRADES: dict[str, tuple[str, ...]] = {
    GENERAL.name: ("Foods", "Cement", "Telecoms", "Energy", "Mining", "Retail", "Logistics", "Textiles"),
    BANK.name: ("Bank", "Commercial Bank", "Savings Bank"),
    INSURER.name: ("Insurance", "Assurance", "Reinsurance"),
}

SYLLABLES = (
    *("ba", "be", "bo", "da", "di", "du", "fa", "fe", "ga", "go"),
    *("ka", "ke", "ki", "ko", "la", "le", "lu", "ma", "mi", "mo"),
    *("na", "ne", "no", "nu", "pa", "pe", "ra", "ri", "ru", "sa"),
    *("se", "so", "ta", "te", "ti", "va", "vi", "wa", "ya", "zu"),
)
WORDS = len(SYLLABLES) ** 4
# A multiplier without a factor in common with WORDS visits every word once.
STRIDE = 1_618_033


def word(seed: int, index: int) -> str:
    """Coin the word of issuer `index`."""
    number = (index * STRIDE + seed * 7_919) % WORDS
    sounds = []
    for _ in range(4):
        number, sound = divmod(number, len(SYLLABLES))
        sounds.append(SYLLABLES[sound])
    return "".join(sounds).capitalize()


def legal_name(coined: str, sector: Sector, country: Country, variety: int) -> str:
    """Join a coined word, a trade of the sector and a company form of the country."""
    trades = TRADES[sector.name]
    return f"{coined} {trades[variety % len(trades)]} {country.forms[variety % len(country.forms)]}"
