"""The parties of a release: each once, found where they stand, and never confused."""

from __future__ import annotations

import pytest
from test_ocds import one

from sankofa.tenders.model import Identifier, Party


def party(**stated):
    known = {"local_id": None, "name": None, "identifiers": (), "roles": (), "scale": None, "country": None}
    return Party(**(known | stated))


def test_a_listed_party_is_referred_to_by_its_place():
    taken, repaired = one(
        parties=[
            {"id": "S", "name": "Acme", "roles": ["supplier"]},
            {
                "id": "B",
                "name": "Ministry  of Works",
                "roles": ["buyer"],
                "identifier": {"scheme": "ZA-X", "id": 12, "legalName": "Other"},
                "additionalIdentifiers": [{"scheme": "ZA-Y", "id": "13"}, {"id": ""}],
                "address": {"countryName": "South Africa", "streetAddress": "1 Road"},
                "details": {"scale": "Self-Employed"},
            },
        ],
        buyer={"id": "B", "name": "Ministry of Works"},
        tender={"procuringEntity": {"id": "B"}, "tenderers": [{"id": "S", "name": "Acme"}, {"id": "S"}]},
        awards=[{"suppliers": [{"id": "S", "name": "ACME"}]}],
    )
    assert taken.parties == (
        party(local_id="S", name="Acme", roles=("supplier", "tenderer")),
        party(
            local_id="B",
            name="Ministry of Works",
            identifiers=(Identifier("ZA-X", "12"), Identifier("ZA-Y", "13")),
            roles=("buyer", "procuringEntity"),
            scale="selfEmployed",
            country="ZA",
        ),
    )
    assert (taken.buyer, taken.tender.procuring_entity, taken.tender.tenderers) == (1, 1, (0,))
    assert taken.awards[0].suppliers == (0,)
    assert repaired == {"code_spelling": 1}


def test_parties_written_out_where_they_act_are_lifted_and_merged():
    number = {"identifier": {"scheme": "KE-RC", "id": "9"}}
    taken, _ = one(
        buyer={"name": "County of Kisumu"},
        tender={
            "procuringEntity": {"name": "COUNTY OF KISUMU"},
            "tenderers": [{"name": "Acme Ltd", **number}],
        },
        awards=[{"suppliers": [{"name": "Acme Ltd."}]}, {"suppliers": [number]}],
    )
    assert [(held.name, held.roles) for held in taken.parties] == [
        ("County of Kisumu", ("buyer", "procuringEntity")),
        ("Acme Ltd", ("supplier", "tenderer")),
    ]
    assert [award.suppliers for award in taken.awards] == [(1,), (1,)]


@pytest.mark.parametrize("listed", [True, False])
def test_one_id_for_two_names_is_two_parties(listed):
    names = [{"id": "1", "name": "Department of Works"}, {"id": "1", "name": "J Moyo"}]
    stated = {"parties": names} if listed else {}
    taken, repaired = one(**stated, buyer=names[0], awards=[{"suppliers": names[1:]}])
    assert [held.name for held in taken.parties] == ["Department of Works", "J Moyo"]
    assert (taken.buyer, taken.awards[0].suppliers) == (0, (1,))
    assert repaired == {"party_id_reused": 1}


def test_a_reference_by_a_shared_id_alone_is_dropped():
    names = [{"id": "1", "name": "Department of Works"}, {"id": "1", "name": "J Moyo"}]
    taken, repaired = one(parties=names, buyer={"id": "1"})
    assert (taken.buyer, repaired) == (None, {"party_id_reused": 1, "reference_to_nobody": 1})


def test_a_shorter_name_under_the_same_id_is_the_same_party():
    taken, repaired = one(
        parties=[{"id": "1", "name": "Balfour Beatty plc"}],
        awards=[{"suppliers": [{"id": "1", "name": "Balfour Beatty"}]}],
    )
    assert (len(taken.parties), taken.awards[0].suppliers, repaired) == (1, (0,), {})


def test_one_name_with_two_numbers_of_one_register_is_two_parties():
    first, second = ({"name": "Acme", "identifier": {"scheme": "X", "id": number}} for number in "12")
    taken, repaired = one(awards=[{"suppliers": [first, second, first]}])
    assert (len(taken.parties), taken.awards[0].suppliers) == (2, (0, 1))
    assert repaired == {"party_name_reused": 1}


def test_one_number_for_two_names_is_two_parties():
    first, second = ({"name": name, "identifier": {"scheme": "X", "id": "1"}} for name in ("Acme", "Zenith"))
    taken, repaired = one(awards=[{"suppliers": [first, second]}])
    assert (len(taken.parties), repaired) == (2, {"identifier_shared": 1})


@pytest.mark.parametrize(
    ("reference", "reason"),
    [
        ({}, "reference_to_nobody"),
        ({"id": "9"}, "reference_to_nobody"),
        ({"id": "9", "name": " "}, "reference_to_nobody"),
        ({"name": "--"}, "reference_to_nobody"),
        ("Acme", "reference_expected"),
        (["Acme"], "reference_expected"),
    ],
)
def test_a_reference_that_names_nobody_is_dropped(reference, reason):
    taken, repaired = one(buyer=reference)
    assert (taken.buyer, taken.parties, repaired) == (None, (), {reason: 1})


def test_a_party_with_neither_name_nor_number_is_dropped_and_so_is_who_points_at_it():
    taken, repaired = one(parties=[{"id": "1", "name": ""}], buyer={"id": "1", "name": ""})
    assert (taken.buyer, taken.parties) == (None, ())
    assert repaired == {"party_nameless": 1, "reference_to_nobody": 1}


@pytest.mark.parametrize(
    ("written", "roles"),
    [
        (["Buyer", "PROCURING ENTITY", "procuringEntity"], ("buyer", "procuringEntity")),
        (["Proveedor o contratista", "Participante"], ("supplier", "tenderer")),
        ("supplier", ("supplier",)),
        (["friend", 5, None], ()),
    ],
)
def test_roles_are_codes_in_whatever_spelling(written, roles):
    assert one(parties=[{"name": "Acme", "roles": written}])[0].parties[0].roles == roles


@pytest.mark.parametrize(
    ("address", "country"),
    [
        ({"countryName": " Kenya "}, "KE"),
        ({"countryName": "MX"}, "MX"),
        ({"country": "GB"}, "GB"),
        ({"countryName": "Tanzania, United Republic of"}, "TZ"),
        ({"countryName": "Kenia"}, None),
        ({"countryName": "ZZ"}, None),
        ({"countryName": 5}, None),
        ("Kenya", None),
    ],
)
def test_of_an_address_only_the_country_is_taken(address, country):
    assert one(parties=[{"name": "Acme", "address": address}])[0].parties[0].country == country


@pytest.mark.parametrize(
    "identifier",
    [
        {"scheme": "Insurgentes Sur 3211", "id": "Coyoacán"},
        {"scheme": "X", "id": "a" * 101},
        {"scheme": "X", "id": "me@example.org"},
        {"scheme": ["X"], "id": "1"},
        {"scheme": "X", "id": ""},
    ],
)
def test_what_is_no_number_of_a_register_is_dropped(identifier):
    assert one(parties=[{"name": "Acme", "identifier": identifier}])[0].parties[0].identifiers == ()


@pytest.mark.parametrize(
    "name", ["Acme, call 021 930 1134", "Jo <jo@example.org>", "A\u202ecme", "x" * 1_001]
)
def test_a_name_that_is_more_than_a_name_is_dropped(name):
    taken, repaired = one(parties=[{"name": name}])
    assert (taken.parties, repaired) == ((), {"name_unfit": 1, "party_nameless": 1})
