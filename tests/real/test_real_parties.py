"""Real parties before the organisation check: no person is shown, and the docs say who is withheld."""

from __future__ import annotations

import csv
import json
from xml.etree import ElementTree as ET

import pytest

from sankofa.entities.organisations import Profile, decide
from support.withholding import (
    DATA,
    LEI_RECORDS,
    PARTIES,
    REPOSITORY,
    lei_records,
    organisations_withheld,
    parties_shown,
    tender_parties,
)

CORPORA = DATA / "names" / "corpora"
PAGE = REPOSITORY / "docs" / "organisation-check.md"
# Persons of that list are tried with a company's form behind their names; one family name is on no list.
WITH_A_FORM = {"Nicolás Maduro LLC"}

pytestmark = pytest.mark.skipif(
    not (PARTIES.is_file() and LEI_RECORDS.is_file()),
    reason=f"no real files at {DATA}; see SANKOFA_REAL_DATA",
)


def shown(parties):
    return [party for party in parties if decide(party.profile).established]


def test_no_labelled_person_of_a_tender_is_shown():
    persons = [party for party in tender_parties() if party.label == "person"]
    assert len(persons) == 8
    assert shown(persons) == []


def test_no_labelled_person_is_shown_by_name_alone():
    persons = [party for party in tender_parties() if party.label == "person"]
    assert shown(party._replace(profile=party.profile._replace(identifiers=())) for party in persons) == []


def test_no_sole_proprietor_with_an_lei_is_shown():
    persons = [party for party in lei_records() if party.label == "person"]
    assert len(persons) == 28
    assert shown(persons) == []


def test_a_sole_trader_by_legal_form_is_withheld_though_its_category_says_otherwise():
    traders = [
        party for party in lei_records() if {"lei_record:GENERAL", "legal_form:4QIE"} <= party.profile.marks
    ]
    assert len(traders) == 7
    assert shown(traders) == []


def test_fewer_than_3_percent_of_known_organisations_are_withheld():
    labelled = [party for party in tender_parties() if party.label == "org"]
    buyers = [
        party
        for party in tender_parties()
        if party.country == "ZA" and {"role:buyer", "role:procuringEntity"} & party.profile.marks
    ]
    for parties, count in ((labelled, 84), (buyers, 294)):
        withheld = count - len(shown(parties))
        print(f"{withheld} of {count} are withheld")
        assert len(parties) == count
        assert withheld < count * 0.03


def names_of_persons():
    labelled = ET.parse(CORPORA / "probablepeople_person_labeled.xml").getroot()
    yield from (" ".join("".join(name.itertext()).split()) for name in labelled)
    with (CORPORA / "nomenklatura_name_bench_cases.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            if row["schema"] == "Person":
                yield from (row["name1"], row["name2"])
    for line in (CORPORA / "nomenklatura_donations.ijson").read_text(encoding="utf-8").splitlines():
        entity = json.loads(line)
        if entity["schema"] == "Person":
            yield from entity["properties"]["name"]


@pytest.mark.skipif(not CORPORA.is_dir(), reason=f"no lists of names at {CORPORA}")
@pytest.mark.parametrize("country", ["", "ZA", "NG", "US", "DE"])
def test_no_person_of_public_lists_is_shown_by_name(country):
    names = set(names_of_persons())
    marks = frozenset({"role:supplier", "portal:za-etenders"})
    found = {name for name in names if decide(Profile(((name, country),), (), marks)).established}
    print(f"{len(names):,} names of persons, country {country or 'unknown'}: {len(found)} shown")
    assert found <= WITH_A_FORM


def test_the_docs_hold_the_table_of_a_fresh_run():
    page = PAGE.read_text(encoding="utf-8")
    missing = [line for line in (*organisations_withheld(), *parties_shown()) if line not in page]
    assert missing == [], "run: python -m tests.support.withholding"
