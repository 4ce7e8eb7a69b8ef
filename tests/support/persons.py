"""Persons as tenders and registers write them, invented by a seeded generator: none may ever be shown.

Names come from the lists of the check, from names that are on no list, and from syllables, so that the
check cannot lean on its lists alone. A person is a Profile: a name, perhaps numbers as persons have them,
and roles. Shapes and words are in `persons.toml`.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple

from stdnum import luhn
from stdnum.iso7064 import mod_97_10

from sankofa.entities.organisations import Profile
from sankofa.entities.rules import shipped

TEXTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
WORDS, MARKS = TEXTS["words"], TEXTS["marks"]
SHAPES = list(TEXTS["shapes"].items())
LISTED_SHAPES = SHAPES + list(TEXTS["listed_shapes"].items())
UNLISTED = {country: [names.split() for names in both] for country, both in TEXTS["unlisted"].items()}
LETTERS = "ABCDEFGHJKLMNPRSTVWZ"


class Name(NamedTuple):
    """A person's names, the country, and whether the check lists them."""

    country: str
    given: str
    second: str
    family: str
    is_listed: bool


def listed():
    """Return the given and family names of the check's own lists, by country."""
    found = {}
    for position, file in enumerate(("given_names.txt", "family_names.txt")):
        for line in shipped()[file].splitlines():
            country, colon, names = line.partition("#")[0].partition(":")
            if colon:
                found.setdefault(country, ([], []))[position].extend(names.split())
    return {country: names for country, names in found.items() if all(names)}


LISTED = listed()


def drawn(rng, table, *, is_listed):
    country = rng.choice(list(table))
    given, family = table[country]
    return Name(country, rng.choice(given), rng.choice(given), rng.choice(family), is_listed)


def listed_name(rng):
    return drawn(rng, LISTED, is_listed=True)


def unlisted_name(rng):
    return drawn(rng, UNLISTED, is_listed=False)


def made_up_name(rng):
    syllables = TEXTS["made_up"]["syllables"]
    names = ("".join(rng.choices(syllables, k=rng.randrange(2, 5))).capitalize() for _ in range(3))
    return Name(rng.choice(TEXTS["made_up"]["countries"]), *names, is_listed=False)


class Drawing(dict):
    """The words of a template: a person's names, and words that are drawn when they are asked for."""

    def __init__(self, rng, name):
        super().__init__(name._asdict())
        self.rng = rng

    def __missing__(self, word):
        if word == "initials":
            return self.rng.choice((" ", ". ", ".", "")).join(self.rng.choices(LETTERS, k=2))
        if word == "three_initials":
            return self.rng.choice((" ", ".", ". ")).join(self.rng.choices(LETTERS, k=3)) + "."
        return self.rng.choice(WORDS[word])


def as_written(rng, text):
    """Return the text with the noise of tender lists."""
    text = rng.choice((str, str, str.upper, str.lower, str.title))(text)
    noise = rng.random()
    if noise < 0.05:
        return f"{text} (ID {identity_number(rng)})"
    if noise < 0.10:
        return f"{text} - {digits(rng, 10)}"
    if noise < 0.15:
        return f"{text}, P.O. Box {digits(rng, 4)}, Lusaka"
    if noise < 0.20:
        spaced = (text.replace(" ", "  "), text.replace(" ", "\u00a0"))
        return rng.choice((f" {text} ", f"{text}.", f'"{text}"', *spaced))
    return text


def digits(rng, count):
    return "".join(rng.choices("0123456789", k=count))


def identity_number(rng):
    """Return a South African identity number that is valid."""
    born = f"{rng.randrange(100):02}{rng.randrange(1, 13):02}{rng.randrange(1, 29):02}"
    body = f"{born}{digits(rng, 4)}08"
    return body + luhn.calc_check_digit(body)


def lei(rng):
    body = "".join(rng.choices("0123456789" + LETTERS, k=18))
    return body + mod_97_10.calc_check_digits(body)


NUMBERS = (
    lambda r: ("registry", "ZAF-IDCARD", identity_number(r)),
    lambda r: ("registry", "ZA-CIPC", identity_number(r)),
    lambda r: ("registry", "", identity_number(r)),
    lambda r: ("registry", "NG-CAC", f"BN {digits(r, 7)}"),
    lambda r: ("registry", "NG-CAC", digits(r, 7)),
    lambda r: ("registry", "NGA-TAXID", digits(r, 10)),
    lambda r: ("registry", "KE-RCO", f"BN-{digits(r, 6)}"),
    lambda r: ("registry", "KE-KRA", f"A{digits(r, 9)}X"),
    lambda r: ("registry", "GH-ORC", f"BN{digits(r, 9)}"),
    lambda r: ("registry", "UA-EDR", "2" + digits(r, 9)),
    lambda r: ("registry", "RFC", f"ROGJ800101{digits(r, 3)}"),
    lambda r: ("registry", "PY-RUC", f"{r.randrange(1, 8)}{digits(r, 6)}-{digits(r, 1)}"),
    lambda r: ("registry", "PT-NIPPC", "2" + digits(r, 8)),
    lambda r: ("registry", "SN-RCCM", f"SN DKR {r.randrange(1990, 2026)} A {digits(r, 4)}"),
    lambda r: ("registry", "Cédula de Ciudadanía", digits(r, 8)),
    lambda r: ("registry", "", f"+27 {digits(r, 9)}"),
    lambda r: ("registry", "KEN-PASSPORT", f"A{digits(r, 7)}"),
    lambda r: ("registry", "IN-PAN", f"ABCP{r.choice('KLM')}{digits(r, 4)}X"),
    lambda r: ("lei", "", lei(r)),
)


def persons(rng, count, name=None):
    """Return as many persons, with the shape of each; name makes their names, if not the generator itself."""
    names = (name,) if name else (listed_name, unlisted_name, made_up_name)
    for _ in range(count):
        named = rng.choice(names)(rng)
        shape, template = rng.choice(LISTED_SHAPES if named.is_listed else SHAPES)
        written = as_written(rng, template.format_map(Drawing(rng, named)))
        numbers = (rng.choice(NUMBERS)(rng),) if rng.random() < 0.3 else ()
        marks = {rng.choice(MARKS["roles"]), rng.choice(MARKS["portals"])}
        if rng.random() < 0.1:
            marks.add(rng.choice(MARKS["others"]))
        yield shape, Profile(((written, named.country),), numbers, frozenset(marks))
