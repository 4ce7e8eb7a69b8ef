"""The organisation check: whether evidence establishes that a party is one. In doubt, it is withheld.

Pure functions from statements about a party to a decision with reasons. The reasons name rules, never the
party. The grades are defined in `docs/organisation-check.md`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from stdnum import luhn
from stdnum.iso7064 import mod_97_10

from sankofa.entities.folding import fold, oddity, split
from sankofa.entities.rules import CountryRules, Form, Phrase, Rules, Scheme, Words, load

RULES = load()
RULES_VERSION = RULES.version

PROOF = frozenset({"A1", "A2", "A3", "A4", "A6"})  # kinds of proof that outweigh a soft veto
VETOES = frozenset({"N_HARD", "N_SOFT"})
READ_OFF_THE_NAME = frozenset({"weak_form", "public_body_words"})

_LEI = re.compile(r"[0-9A-Z]{18}[0-9]{2}")
# Thirteen digits, grouped or not: year, month and day of birth, then seven more.
_IDENTITY = re.compile(
    r"(?<!\d)\d\d[ -]?(?:0[1-9]|1[0-2])[ -]?(?:0[1-9]|[12]\d|3[01])(?:[ -]?\d){7}(?!\d)", re.ASCII
)
_PARTS = re.compile(r"[,;:|()\[\]]|\s[-/\u2013\u2014]+\s")
_CLOSING = " .,;:)]}\"'\u00bb\u201d\u2019"
SHORT = 3  # letters of a form that could be a person's initials
SURNAME_WORDS, GIVEN_WORDS = 2, 3

MarkValues = defaultdict[str, set[str]]  # values of the marks, by word


class Profile(NamedTuple):
    """All statements about one organisation when it is judged."""

    names: tuple[tuple[str, str], ...]  # name as written, ISO 3166-1 alpha-2 country or ""
    identifiers: tuple[tuple[str, str, str], ...]  # type, issuer, value
    marks: frozenset[str]  # statements of sources, as word:value


class Evidence(NamedTuple):
    """One reason for or against, with its rule."""

    kind: str
    grade: str
    detail: str


class Decision(NamedTuple):
    """Whether a party may be served, with all evidence for and against it.

    A soft veto that was outweighed by proof stays in `vetoes`: the name reads like a person's.
    """

    established: bool
    evidence: tuple[Evidence, ...]
    vetoes: tuple[Evidence, ...]

    @property
    def established_by(self) -> tuple[str, ...]:
        """The kinds of the evidence that counted, sorted."""
        if not self.established:
            return ()
        counted = [found for found in self.evidence if found.grade in PROOF]
        if not self.vetoes:
            counted = [found for found in self.evidence if found.grade != "B"] or list(self.evidence)
        return tuple(sorted({found.kind for found in counted}))


def decide(profile: Profile, rules: Rules = RULES) -> Decision:
    """Return whether the evidence establishes an organisation."""
    marks = _by_word(profile.marks)
    found = [
        *of_identifiers(profile, marks, rules),
        *of_marks(marks, rules),
        *(each for name, country in profile.names for each in of_name(name, rules.of(country), rules)),
    ]
    evidence = tuple(each for each in found if each.grade not in VETOES)
    vetoes = tuple(each for each in found if each.grade in VETOES)
    return Decision(is_established(evidence, vetoes), evidence, vetoes)


def is_established(evidence: tuple[Evidence, ...], vetoes: tuple[Evidence, ...]) -> bool:
    """Return the verdict: proof, a strong legal form, or two kinds of weak evidence, and no veto."""
    grades = {each.grade for each in evidence}
    if any(each.grade == "N_HARD" for each in vetoes):
        return False
    if grades & PROOF:
        return True
    if vetoes:
        return False
    weak = {each.kind for each in evidence}
    # Two kinds of evidence from the same name are not independent, so they count once.
    return "A5" in grades or (len(weak) > 1 and not weak <= READ_OFF_THE_NAME)


def may_serve_as_former_name(decision: Decision) -> bool:
    """Return whether a former name of an organisation may be served, judged on its own statements.

    A sole trader who became a company had a person's name. So proof, which belongs to the company, does not
    outweigh a veto here: the name itself has to end in a legal form.
    """
    has_form = any(each.kind == "legal_form" for each in decision.evidence)
    return decision.established and (not decision.vetoes or has_form)


def of_identifiers(profile: Profile, marks: MarkValues, rules: Rules) -> Iterator[Evidence]:
    """Yield the evidence of the party's identifiers."""
    for id_type, issuer, written in profile.identifiers:
        if id_type == "lei":
            yield from _of_lei(written, marks, rules)
            continue
        if _has_identity_number(fold(written)):
            yield Evidence("identity_number", "N_HARD", "ZA identity number as identifier")
        value, name = "".join(written.split()).upper(), fold(issuer)
        if _is_found(rules.person_issuers, name):
            yield Evidence("identity_document", "N_HARD", "issuer of persons' documents")
        scheme = rules.schemes.get(name.upper())
        if scheme and scheme.covers(country for _, country in profile.names):
            yield from _of_register(value, scheme)
        elif any(
            number.persons.fullmatch(value) and number.is_valid(value)
            for _, country in profile.names
            for number in rules.of(country).person_numbers
        ):
            yield Evidence("identity_document", "N_HARD", "shape of a person's number")


def _of_register(value: str, scheme: Scheme) -> Iterator[Evidence]:
    """Yield the evidence of a number of a known register."""
    if scheme.persons.fullmatch(value):
        yield Evidence("registry", "N_HARD", f"{scheme.issuer}: a person's number")
    elif scheme.companies.fullmatch(value) and scheme.is_valid(value):
        yield Evidence("registry", "A1", scheme.issuer)
    elif scheme.unverified.fullmatch(value):
        yield Evidence("unverified_registry", "B", scheme.issuer)


def _of_lei(value: str, marks: MarkValues, rules: Rules) -> Iterator[Evidence]:
    """Yield the evidence of an LEI and its record: a category that persons do not have, and a legal form.

    An unlisted form does not decide what the holder is, so the name is checked too.
    """
    categories, forms = marks["lei_record"], marks["legal_form"]
    if (
        categories
        and categories <= rules.lei_categories
        and forms
        and _LEI.fullmatch(value)
        and mod_97_10.is_valid(value)
    ):
        grade = "A5" if forms <= rules.unlisted_forms else "A2"
        yield Evidence("lei", grade, f"LEI record of category {min(categories)}")


def of_marks(marks: MarkValues, rules: Rules) -> Iterator[Evidence]:
    """Yield the evidence of the sources' own statements."""
    for category in sorted(marks["lei_record"] & rules.person_categories):
        yield Evidence("lei", "N_HARD", f"LEI record of category {category}")
    for code in sorted(marks["legal_form"] & rules.person_forms):
        yield Evidence("legal_form", "N_HARD", f"ISO 20275 {code}: a sole trader or an estate")
    for scale in sorted(marks["scale"] & rules.person_scales):
        yield Evidence("scale", "N_HARD", scale)
    for exchange in sorted(marks["listed"] & rules.exchanges):
        yield Evidence("listing", "A3", exchange)
    for regulator in sorted(marks["files_accounts"] & rules.regulators):
        yield Evidence("filer", "A6", regulator)
    if marks["portal"] & rules.state_portals:
        for role in sorted(marks["role"] & rules.buyer_roles):
            yield Evidence("buyer_role", "B", role)


def of_name(name: str, local: CountryRules, rules: Rules) -> Iterator[Evidence]:
    """Yield the evidence of a name, for and against."""
    folded = fold(name)
    spelled = split(folded)
    while spelled and spelled[0] in rules.leading_words:
        spelled = spelled[1:]
    if _has_identity_number(folded):
        yield Evidence("identity_number", "N_HARD", "ZA identity number in a name")
    if odd := oddity(name):
        yield Evidence("spelling", "N_SOFT", odd)
    if spelled in local.public_bodies:
        yield Evidence("public_body", "A4", "register of public bodies")
    if _is_surname_first(folded, local):
        yield Evidence("surname_first", "N_SOFT", "surname, comma, given names")
    yield from _of_words(spelled, local, rules)
    form = legal_form(spelled, local)
    stem = spelled[: len(spelled) - len(form.words)] if form else spelled
    if form and stem:
        is_strong = form.is_strong and _is_written_as_a_form(form, folded)
        kind, grade = ("legal_form", "A5") if is_strong else ("weak_form", "B")
        yield Evidence(kind, grade, form.canonical)
    if _reads_like_a_person(stem, rules) or _names_a_person_apart(folded, local, rules):
        yield Evidence("person_name", "N_SOFT", "names of persons, and nothing beside them")


def _of_words(spelled: Words, local: CountryRules, rules: Rules) -> Iterator[Evidence]:
    """Yield the evidence of single words and phrases."""
    for place, word in enumerate(spelled):
        for phrase in local.phrases.get(word, ()):
            if _occurs(phrase, place, spelled):
                yield Evidence(phrase.kind, phrase.grade, " ".join(phrase.words))
        if rules.patronymic.search(word):
            yield Evidence("patronymic", "N_SOFT", "a word that ends like a patronymic")


def legal_form(spelled: Words, local: CountryRules) -> Form | None:
    """Return the longest legal form at the end of a name; separate letters are weak evidence."""
    if not spelled:
        return None
    for form in local.forms.get(spelled[-1], ()):
        if spelled[-len(form.words) :] == form.words:
            return form
    start = len(spelled)
    while start and len(spelled[start - 1]) == 1:
        start -= 1
    for first in range(start, len(spelled) - 1):
        joined = "".join(spelled[first:])
        for form in local.forms.get(joined, ()):
            if form.words == (joined,):
                return Form(spelled[first:], form.canonical, is_strong=False)
    return None


def _is_written_as_a_form(form: Form, folded: str) -> bool:
    """Return True for "Acme PLC", and False for "Acme P.L.C.", whose letters could be initials."""
    last = form.words[-1]
    if len(form.words) > 1 or len(last) > SHORT or not last.isascii():
        return True
    return folded.rstrip(_CLOSING).endswith(last)


def _occurs(phrase: Phrase, place: int, spelled: Words) -> bool:
    end = place + len(phrase.words)
    if spelled[place:end] != phrase.words:
        return False
    is_first, is_last = place == 0, end == len(spelled)
    return {
        "any": True,
        "first": is_first,
        "last": is_last,
        "edge": is_first or is_last,
        "inside": not is_first and not is_last,
    }[phrase.position]


def _reads_like_a_person(stem: Words, rules: Rules) -> bool:
    """Return whether a name without its form consists of names of persons."""
    names, particles = rules.person_names, rules.name_particles
    return any(word in names for word in stem) and all(
        len(word) == 1 or word in names or word in particles for word in stem
    )


def _names_a_person_apart(folded: str, local: CountryRules, rules: Rules) -> bool:
    """Return whether a separated part, as in "Kwame Mensah - Acme Ltd", is a person's full name."""
    parts = (split(part) for part in _PARTS.split(folded))
    return any(
        len(part) > 1 and not legal_form(part, local) and _reads_like_a_person(part, rules) for part in parts
    )


def _is_surname_first(folded: str, local: CountryRules) -> bool:
    """Return True for "Mokoena, Thabo", and False for "Acme, Ltd" and longer texts."""
    surname, _, rest = folded.partition(",")
    given = split(rest)
    return (
        0 < len(given) <= GIVEN_WORDS
        and 0 < len(split(surname)) <= SURNAME_WORDS
        and not legal_form(given, local)
    )


def _has_identity_number(text: str) -> bool:
    """Return whether a text contains a South African identity number: a date of birth and a Luhn digit."""
    return any(
        luhn.is_valid("".join(letter for letter in found if letter.isdigit()))
        for found in _IDENTITY.findall(text)
    )


@lru_cache(maxsize=1_024)  # few issuers, each with very many numbers
def _is_found(pattern: re.Pattern[str], text: str) -> bool:
    return pattern.search(text) is not None


def _by_word(marks: frozenset[str]) -> MarkValues:
    values: MarkValues = defaultdict(set)
    for mark in marks:
        word, _, value = mark.partition(":")
        values[word].add(value)
    return values
