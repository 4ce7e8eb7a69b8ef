"""Who is named in the tenders of the demo world, as parties and in texts."""

from __future__ import annotations

import json
from collections import Counter, defaultdict

import pytest

from demo.organisations import withheld as withheld_of_registers
from demo.tenders_suppliers import bidders, spelled_otherwise, withheld
from demo.tenders_texts import Wording
from sankofa.entities.names import resolution_key
from sankofa.entities.organisations import Profile, decide
from support.demo_tenders import PORTALS, WORLD, WRITTEN, documents, every, processes, read, stated

FLAGS = {
    Wording.INNOCENT: (),
    Wording.CONTACT: ("contact_name",),
    Wording.EMAIL: ("email",),
    Wording.TELEPHONE: ("telephone",),
    Wording.IDENTITY: ("identity_number",),
    Wording.BIDDER: (),
}


def test_a_tenth_of_the_texts_gives_away_a_contact_and_the_others_nothing():
    for written, portal in PORTALS.items():
        expected = {process.description: FLAGS[process.wording] for process in processes(portal)}
        assert set(expected.values()) == set(FLAGS.values())
        for document in documents(written):
            for one, release in zip(read(document)[0], stated(document.content), strict=True):
                said = release.get("tender", {}).get("description")
                assert one.text_flags == (expected[said] if said else ()), release["id"]


def texts(value):
    """All that is written freely in a release."""
    if isinstance(value, list):
        return [text for item in value for text in texts(item)]
    if not isinstance(value, dict):
        return []
    own = [value[key] for key in ("title", "description") if value.get(key)]
    return own + [text for item in value.values() for text in texts(item)]


def test_a_person_is_named_only_where_she_is_a_party():
    registered = {record.name for record in withheld_of_registers(WORLD)}
    naming = Counter()
    for written, portal in PORTALS.items():
        persons = {*withheld(WORLD.seed, portal), *registered}
        for release in every(written):
            said = " ".join(texts(release))
            parties = json.dumps([release["parties"], release.get("tender"), release.get("awards")])
            for person in persons:
                if person in said:
                    naming[portal.country] += 1
                    assert f'"name": "{person}"' in parties
    assert min(naming[portal.country] for portal in PORTALS.values()) >= 3


def profiles(written):
    """Every party as the check would judge it if nothing else were known."""
    country = PORTALS[written].country
    for document in documents(written):
        for one in read(document)[0]:
            for party in one.parties:
                marks = {f"portal:{written.SOURCE}", *(f"role:{role}" for role in party.roles)}
                numbers = tuple(
                    ("lei", "", number.value)
                    if number.scheme == "XI-LEI"
                    else ("registry", number.scheme, number.value)
                    for number in party.identifiers
                )
                yield party, Profile(((party.name, party.country or country),), numbers, frozenset(marks))


@pytest.mark.parametrize("written", WRITTEN)
def test_buyers_and_companies_are_established_and_no_person_is(written):
    portal = PORTALS[written]
    persons = set(withheld(WORLD.seed, portal))
    companies = {
        one.name for one in bidders(WORLD.seed, portal).organisations if one.country == portal.country
    }
    bodies = {body.name for body in portal.bodies}
    judged = defaultdict(set)
    for party, profile in profiles(written):
        judged[party.name].add(decide(profile).established)
    assert {name: judged[name] for name in bodies} == {name: {True} for name in bodies}
    met = persons & judged.keys()
    assert len(met) > 10
    assert {name: judged[name] for name in met} == {name: {False} for name in met}
    assert len(companies & judged.keys()) > 20
    assert {name for name in companies & judged.keys() if judged[name] != {True}} == set()
    assert not persons & (companies | bodies)


def test_suppliers_state_an_lei_or_a_register_or_nothing_and_one_is_spelled_in_two_ways():
    schemes, names = Counter(), set()
    for written in WRITTEN:
        for party, _ in profiles(written):
            schemes.update(number.scheme for number in party.identifiers)
            schemes[None] += not party.identifiers
            names.add(party.name)
    assert schemes["XI-LEI"] > 100
    assert schemes["RA900001"] > 20
    assert schemes[None] > 1_000
    name = "Kwezolira Telecoms Holdings Limited"
    assert {name, "KWEZOLIRA TELECOMS HOLDINGS LTD"} <= names
    for portal in PORTALS.values():
        for one in bidders(WORLD.seed, portal).organisations:
            other = spelled_otherwise(one.name)
            assert resolution_key(other, one.country) == resolution_key(one.name, one.country)
