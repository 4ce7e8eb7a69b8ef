"""The organisation check, case by case: who is shown, by which evidence, and who is not."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from sankofa.entities.folding import words
from sankofa.entities.organisations import RULES, RULES_VERSION, Decision, Evidence, Profile, decide
from sankofa.entities.rules import read, shipped, version
from support.organisation_cases import CASES, HARD_CASES
from support.party_case import BUYER, CIPC
from support.persons import UNLISTED

PLACED = {"any": "Kgotla {} Motla", "first": "{} Kgotla", "last": "Kgotla {}", "inside": "Kgotla {} Motla"}
EMPTY = Profile((), (), frozenset())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_verdict_is_the_one_that_the_rules_state(case):
    decision = decide(case.profile)
    assert case.is_met_by(decision), decision


def test_of_the_hard_cases_only_those_with_proof_are_shown():
    shown = [case for case in HARD_CASES if decide(case.profile).established]
    assert shown
    assert all(decide(case.profile).established_by == ("registry",) for case in shown)


def test_nothing_known_is_nothing_shown():
    assert decide(EMPTY) == Decision(established=False, evidence=(), vetoes=())


def test_a_number_speaks_for_a_party_without_a_name():
    assert decide(EMPTY._replace(identifiers=(CIPC,))).established_by == ("registry",)


def test_a_veto_of_one_name_is_a_veto_of_the_party():
    names = (("Kgotla Limited", "GH"), ("Estate Late Kgotla", "ZA"))
    assert not decide(Profile(names, (CIPC,), frozenset(BUYER))).established


def test_reasons_name_rules_and_never_the_party():
    for case in CASES:
        for found in (*(decision := decide(case.profile)).evidence, *decision.vetoes):
            said = set(words(found.detail))
            assert not said & {"kgotla", "temart", "mokoena", "moyo", "motla", "banda", "thabo", "smith"}
            assert not any(value in found.detail for _, _, value in case.profile.identifiers)


def test_a_decision_is_the_same_whatever_the_order_of_what_is_known():
    identifiers = (CIPC, ("registry", "KE-RCO", "BN-ABC123"))
    names = (("Kgotla Limited", "GH"), ("Kgotla School", "ZA"))
    one = decide(Profile(names, identifiers, frozenset(BUYER)))
    other = decide(Profile(names[::-1], identifiers[::-1], frozenset(BUYER)))
    assert (one.established, one.established_by) == (other.established, other.established_by)
    assert sorted(one.evidence) == sorted(other.evidence)
    assert sorted(one.vetoes) == sorted(other.vetoes)


@pytest.mark.parametrize("country", sorted(RULES.countries))
def test_every_phrase_speaks_where_it_should(country):
    for group in RULES.countries[country].phrases.values():
        for phrase in group:
            text = " ".join(phrase.words)
            places = ("first", "last") if phrase.position == "edge" else (phrase.position,)
            for place in places:
                found = decide(Profile(((PLACED[place].format(text), country),), (), frozenset()))
                assert Evidence(phrase.kind, phrase.grade, text) in (*found.evidence, *found.vetoes), text


def test_every_form_ends_a_name_and_strong_ones_establish_it():
    for country, local in RULES.countries.items():
        for form in (form for group in local.forms.values() for form in group):
            found = decide(Profile(((f"Kgotlane {' '.join(form.words)}", country),), (), frozenset()))
            expected = Evidence("legal_form", "A5", form.canonical)
            weak = Evidence("weak_form", "B", form.canonical)
            assert (expected if form.is_strong else weak) in found.evidence, (country, form)


def test_no_word_alone_is_a_strong_form_of_two_letters():
    spellings = [
        form for local in RULES.countries.values() for group in local.forms.values() for form in group
    ]
    assert [form for form in spellings if form.is_strong and len("".join(form.words)) < 3] == []


def test_no_form_of_sole_traders_partnerships_or_trusts_is_strong():
    never = {"ets", "ei", "est", "trust", "partnership", "llp", "lp", "kg", "ohg", "gbr", "snc", "vof", "hb"}
    never |= {"enterprise", "enterprises", "trading", "ventures", "holdings", "group", "bros", "sons"}
    spellings = [
        form for local in RULES.countries.values() for group in local.forms.values() for form in group
    ]
    assert [form for form in spellings if form.is_strong and never & set(form.words)] == []


def test_the_names_that_the_generator_holds_back_are_on_no_list():
    held_back = {
        word for both in UNLISTED.values() for names in both for name in names for word in words(name)
    }
    assert held_back & RULES.person_names == set()


def test_the_version_follows_every_file():
    files = shipped()
    versions = {version(files | {name: text + "\n# changed"}) for name, text in files.items()}
    assert re.fullmatch(r"org-1\.[0-9a-f]{8}", RULES_VERSION)
    assert read(files).version == RULES_VERSION == RULES.version
    assert RULES_VERSION not in versions
    assert len(versions) == len(files)


def test_the_version_follows_the_code(monkeypatch):
    monkeypatch.setattr("sankofa.entities.rules.LOGIC", 0)
    assert read(shipped()).version != RULES_VERSION


def test_rules_can_be_replaced_for_one_decision():
    without = replace(RULES, exchanges=frozenset())
    listed = Profile((("Kgotla", "KE"),), (), frozenset({"listed:XNAI"}))
    assert decide(listed).established
    assert not decide(listed, without).established
