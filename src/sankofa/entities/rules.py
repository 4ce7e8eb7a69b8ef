"""The rules of the organisation check: legal forms, registers and words, read from `rules/`.

`common.toml` holds for every country; each other file for the countries that it names, besides the common
one. A change of any file changes the version, and so does `LOGIC`, which counts changes of the code.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib import import_module, resources
from typing import Any, Literal, NamedTuple

from sankofa.entities.folding import fold, words

# Raised with every change of organisations.py, folding.py or resolve.sql that can change a decision or a
# merge: the next publish then re-evaluates all subjects.
LOGIC = 3

Words = tuple[str, ...]
Position = Literal["any", "first", "last", "edge", "inside"]
NOTHING = re.compile(r"(?!)")
_spelled = cache(words)  # the common rules are part of every country's


class Phrase(NamedTuple):
    """Words that are evidence about a party, and their required position in its name."""

    words: Words
    kind: str
    grade: str
    position: Position


class Form(NamedTuple):
    """One spelling of a legal form at the end of a name."""

    words: Words
    canonical: str
    is_strong: bool


class Scheme(NamedTuple):
    """A register, and what its numbers prove: a company, a person, possibly a company, or nothing."""

    issuer: str
    companies: re.Pattern[str] = NOTHING
    persons: re.Pattern[str] = NOTHING
    unverified: re.Pattern[str] = NOTHING
    is_valid: Callable[[str], bool] = bool  # the check digit of a company's number
    countries: frozenset[str] = frozenset()  # of the parties it covers; empty: all

    def covers(self, countries: Iterable[str]) -> bool:
        """Return whether its numbers are evidence for a party of these countries."""
        return not self.countries or self.countries.issuperset(countries)


@dataclass(frozen=True)
class CountryRules:
    """The rules for names of one country: its own and the common ones."""

    phrases: Mapping[str, tuple[Phrase, ...]] = field(default_factory=dict)  # by first word
    forms: Mapping[str, tuple[Form, ...]] = field(default_factory=dict)  # by last word, longest first
    public_bodies: frozenset[Words] = frozenset()
    person_numbers: tuple[Scheme, ...] = ()  # pattern of a person's number without a scheme


@dataclass(frozen=True)
class Rules:
    """All rules of the check."""

    version: str
    common: CountryRules
    countries: Mapping[str, CountryRules]
    schemes: Mapping[str, Scheme]  # by issuer, in capitals
    person_issuers: re.Pattern[str]
    lei_categories: frozenset[str]
    person_categories: frozenset[str]
    person_forms: frozenset[str]  # codes of ISO 20275
    unlisted_forms: frozenset[str]
    person_scales: frozenset[str]
    exchanges: frozenset[str]
    regulators: frozenset[str]
    state_portals: frozenset[str]
    buyer_roles: frozenset[str]
    person_names: frozenset[str]
    name_particles: frozenset[str]
    leading_words: frozenset[str]
    patronymic: re.Pattern[str]

    def of(self, country: str) -> CountryRules:
        """Return the rules for a name of this country."""
        return self.countries.get(country, self.common)


def read(files: Mapping[str, str]) -> Rules:
    """Return the rules of these files, given by file name."""
    parts = {name: tomllib.loads(text) for name, text in files.items() if name.endswith(".toml")}
    common = parts.pop("common.toml")
    everywhere = name_rules(common)
    by_country: dict[str, list[Part]] = defaultdict(list)
    for part in parts.values():
        of_part = name_rules(part)
        for country in part["countries"]:
            by_country[country].append(of_part)
    names = {name for text in files if text.endswith(".txt") for name in listed_names(files[text])}
    return Rules(
        version=version(files),
        common=country_rules([everywhere]),
        countries={country: country_rules([everywhere, *own]) for country, own in by_country.items()},
        schemes={scheme.issuer: scheme for part in (common, *parts.values()) for scheme in schemes(part)},
        person_issuers=re.compile("|".join(common["person_issuers"])),
        person_names=frozenset(names),
        name_particles=frozenset(common["name_particles"]),
        leading_words=frozenset(common["leading_words"]),
        patronymic=re.compile(common["patronymic"]),
        **{name: frozenset(common["marks"][name]) for name in common["marks"]},
    )


def version(files: Mapping[str, str]) -> str:
    """Return the version of the rules: a hash of these files and of `LOGIC`."""
    digest = sha256(str(LOGIC).encode())
    for name in sorted(files):
        digest.update(f"\0{name}\0{files[name]}".encode())
    return f"org-1.{digest.hexdigest()[:8]}"


@cache
def load() -> Rules:
    """Return the rules that ship with the package, read once for a process."""
    return read(shipped())


def shipped() -> dict[str, str]:
    """Return the files of rules that ship with the package, by name."""
    folder = resources.files(__package__).joinpath("rules")
    return {entry.name: entry.read_text(encoding="utf-8") for entry in folder.iterdir() if entry.is_file()}


def listed_names(text: str) -> Iterable[str]:
    """Return the folded names of a list: one country a line, `ZA: Thabo Sipho …`; `#` begins a comment."""
    for line in text.splitlines():
        _, _, listed = line.partition("#")[0].partition(":")
        yield from (word for name in listed.split() for word in words(name))


class Part(NamedTuple):
    """The rules for names in one file. Those of the common file are part of every country's."""

    phrases: tuple[Phrase, ...]
    spellings: Mapping[Words, Form]
    public_bodies: frozenset[Words]
    person_numbers: tuple[Scheme, ...]


def name_rules(part: dict[str, Any]) -> Part:
    """Return the rules for names of a file. A strong form wins over a weak one of the same spelling."""
    spellings: dict[Words, Form] = {}
    for strength in ("weak", "strong"):
        for canonical, others in part.get(f"{strength}_forms", {}).items():
            for text in (canonical, *others):
                spelled = _spelled(text)
                spellings[spelled] = Form(spelled, " ".join(_spelled(canonical)), strength == "strong")
    return Part(
        phrases=tuple(
            Phrase(_spelled(text), group["kind"], group["grade"], group["position"])
            for group in part.get("phrases", ())
            for text in group["words"]
        ),
        spellings=spellings,
        public_bodies=frozenset(map(_spelled, public_bodies(part))),
        person_numbers=tuple(
            Scheme("", persons=re.compile(number["persons"], re.ASCII), is_valid=check(number))
            for number in part.get("person_numbers", ())
        ),
    )


def country_rules(parts: list[Part]) -> CountryRules:
    """Return the merged rules of some parts; the last part wins if they name the same form."""
    phrases: dict[str, dict[Phrase, None]] = defaultdict(dict)
    spellings: dict[Words, Form] = {}
    for part in parts:
        for phrase in part.phrases:
            phrases[phrase.words[0]][phrase] = None
        spellings.update(part.spellings)
    forms: dict[str, list[Form]] = defaultdict(list)
    for form in sorted(spellings.values(), key=lambda form: (-len(form.words), form.words)):
        forms[form.words[-1]].append(form)
    return CountryRules(
        phrases={first: tuple(group) for first, group in phrases.items()},
        forms={last: tuple(group) for last, group in forms.items()},
        public_bodies=frozenset().union(*(part.public_bodies for part in parts)),
        person_numbers=tuple(number for part in parts for number in part.person_numbers),
    )


def public_bodies(part: dict[str, Any]) -> Iterable[str]:
    """Return the names of the public bodies of a part, with and without their text in brackets."""
    for name in part.get("public_bodies", ()):
        yield name
        yield name.partition("(")[0]
    for group in part.get("departments", ()):
        yield from (name.format(portfolio) for name in group["names"] for portfolio in group["portfolios"])


def schemes(part: dict[str, Any]) -> Iterable[Scheme]:
    """Return the registers of a part, one for each name that a register goes by."""
    for scheme in part.get("schemes", ()):
        for issuer in scheme["issuers"]:
            yield Scheme(
                fold(issuer).upper(),
                companies=_pattern(scheme.get("companies")),
                persons=_pattern(scheme.get("persons")),
                unverified=_pattern(scheme.get("unverified")),
                is_valid=check(scheme),
                countries=frozenset(scheme.get("within", ())),
            )


def _pattern(text: str | None) -> re.Pattern[str]:
    return NOTHING if text is None else re.compile(text, re.ASCII)


def check(scheme: dict[str, Any]) -> Callable[[str], bool]:
    """Return the check of a number by the name of a python-stdnum module, or one that accepts all."""
    name = scheme.get("check")
    if name is None:
        return bool
    is_valid: Callable[[str], bool] = import_module(f"stdnum.{name}").is_valid
    return is_valid
