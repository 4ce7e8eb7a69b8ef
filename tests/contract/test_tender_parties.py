"""PAR: which organisations play which part in tenders, where, since when and how often."""

from __future__ import annotations

import pytest

from sankofa.entities.organisations import RULES_VERSION
from support.organisations import company, id_of_lei, register
from support.stated_tenders import (
    CITY,
    PERSON,
    ROADS,
    SOURCE,
    WORKS,
    award,
    fetched,
    holder,
    id_of_party,
    package,
    portal,
    release,
    tender,
)

PATH = "/v1/tender-parties"
NAMESAKES = "Lukhanovari Energy Limited"  # of a tender, of an LEI, and of its duplicate


def rows(service, **asked):
    response = service.get(PATH, **asked)
    assert response.status_code == 200, response.text
    return response.exact["data"]


def told(found):
    return sorted(
        (row["name"], row["role"], row["country"], row["first_release"], row["last_release"], row["releases"])
        for row in found
    )


@pytest.fixture(scope="module")
def played(module_service):
    """Four organisations in two countries, a person, and one who has an LEI."""
    service = module_service
    register(service, company(4, "Listed Cables Ltd"))
    documents = [
        release("o-1", "1", "2024-01-10T23:30:00-05:00", buyer={"name": CITY}, tender=tender(1)),
        release(
            "o-1",
            "2",
            "2024-02-10",
            buyer={"name": CITY},
            tender=tender(1, tenderers=[{"name": WORKS}, {"name": PERSON}]),
            awards=[award("A", 1, WORKS, PERSON)],
        ),
        release("o-2", "1", "2024-03-10", buyer={"name": CITY}, awards=[award("A", 2, holder("Cables", 4))]),
    ]
    for stated in documents:
        service.ingest(fetched(package(stated), "2024-04-01"), source_name=SOURCE)
    # Seen again with another content, a release is one release still.
    again = documents[0] | {"tender": tender(3)}
    service.ingest(fetched(package(again), "2024-04-02"), source_name=SOURCE)
    kenyan = release("o-3", "1", "2024-04-10", buyer={"name": ROADS}, awards=[award("A", 3, ROADS)])
    service.ingest(fetched(package(kenyan), "2024-04-11"), source_name=portal("kenyan-portal", "KE"))
    service.publish()
    return service


PARTS = [
    (CITY, "buyer", "ZA", "2024-01-11", "2024-03-10", 3),
    (ROADS, "buyer", "KE", "2024-04-10", "2024-04-10", 1),
    (ROADS, "supplier", "KE", "2024-04-10", "2024-04-10", 1),
    ("Listed Cables Ltd", "supplier", "ZA", "2024-03-10", "2024-03-10", 1),
    (WORKS, "supplier", "ZA", "2024-02-10", "2024-02-10", 1),
    (WORKS, "tenderer", "ZA", "2024-02-10", "2024-02-10", 1),
]


@pytest.mark.proves("PAR-1")
def test_rows_are_the_parts_that_organisations_play(played):
    assert told(rows(played)) == sorted(PARTS)


@pytest.mark.proves("PAR-1", "PAR-3", "ENV-4")
def test_a_row_has_every_field_and_cites_the_newest_release(played):
    (row,) = rows(played, service_id=id_of_party(played, CITY))
    ((reference,),) = played.rows(
        "SELECT source || '@sha256:' || encode(sha256, 'hex') FROM ops.document WHERE document_id ="
        " (SELECT max(document_id) - 2 FROM ops.document)"
    )
    assert row == {
        "service_id": id_of_party(played, CITY),
        "name": CITY,
        "role": "buyer",
        "country": "ZA",
        "first_release": "2024-01-11",
        "last_release": "2024-03-10",
        "releases": 3,
        "established_by": ["public_body"],
        "rule_version": RULES_VERSION,
        "source_ref": f"{reference}#o-2/1",
        "license_class": "synthetic",
        "observed_at": "2024-04-01T12:00:00Z",
        "provenance_id": row["provenance_id"],
    }


@pytest.mark.proves("PAR-3", "PAR-1")
def test_what_establishes_a_party_is_told(played):
    by_name = {row["name"]: row["established_by"] for row in rows(played)}
    assert by_name[WORKS] == ["legal_form"]
    assert "lei" in by_name["Listed Cables Ltd"]
    found = rows(played, service_id=id_of_lei(played, 4))
    assert [row["name"] for row in found] == ["Listed Cables Ltd"]


@pytest.mark.proves("PAR-2")
def test_a_person_plays_no_part(played):
    person = id_of_party(played, PERSON)
    unknown = played.get(PATH, service_id="DC0000000000000").content
    assert played.get(PATH, service_id=person).content == unknown
    assert PERSON not in str(rows(played))
    assert person not in str(rows(played))


@pytest.mark.proves("PAR-1", "ERR-9", "ERR-8")
def test_filters_are_country_role_and_service_id(played):
    works = id_of_party(played, WORKS)
    for asked, expected in (
        ({"country": "ke"}, [part for part in PARTS if part[2] == "KE"]),
        ({"country": "ZA", "role": "supplier"}, [PARTS[3], PARTS[4]]),
        ({"role": "buyer"}, PARTS[:2]),
        ({"role": "Buyer"}, PARTS[:2]),
        ({"role": "BUYER"}, PARTS[:2]),
        ({"country": "ZA", "role": "SuppLier"}, [PARTS[3], PARTS[4]]),
        ({"role": "no such role"}, []),
        ({"service_id": works}, PARTS[4:]),
        ({"service_id": works, "role": "tenderer"}, PARTS[5:]),
        ({"service_id": works, "country": "KE"}, []),
        ({"service_id": works.lower()}, []),
        ({"country": "GH"}, []),
    ):
        assert told(rows(played, **asked)) == sorted(expected), asked
    for name, values in (("country", ("ZAF", "Z", "")), ("service_id", ("DC-1", "", "é")), ("role", ("",))):
        for value in values:
            response = played.get(PATH, **{name: value})
            assert (response.status_code, response.exact["parameter"]) == (400, name)


@pytest.mark.proves("PAR-1", "ENV-13", "ENV-17")
@pytest.mark.parametrize("limit", [1, 2, 5, 6])
def test_pages_go_by_service_id_role_and_country(played, limit):
    for asked in ({}, {"country": "ZA"}, {"role": "supplier"}, {"service_id": id_of_party(played, WORKS)}):
        body = played.get(PATH, limit=limit, **asked).exact
        walked = body["data"]
        while body["next_cursor"]:
            assert body["count"] == limit
            body = played.get(PATH, limit=limit, cursor=body["next_cursor"]).exact
            walked += body["data"]
        assert walked == rows(played, **asked)
        places = [(row["service_id"], row["role"], row["country"]) for row in walked]
        assert places == sorted(set(places))


@pytest.mark.proves("PAR-4", "ENV-13", "ENV-17")
@pytest.mark.parametrize("limit", [1, 2, 6])
def test_those_of_the_most_releases_come_first_if_asked(played, limit):
    for asked in ({}, {"country": "ZA"}, {"role": "supplier"}, {"country": "za", "role": "buyer"}):
        body = played.get(PATH, order="releases", limit=limit, **asked).exact
        walked = body["data"]
        while body["next_cursor"]:
            body = played.get(PATH, limit=limit, cursor=body["next_cursor"]).exact
            walked += body["data"]
        expected = sorted(
            rows(played, **asked),
            key=lambda row: (-row["releases"], row["service_id"], row["role"], row["country"]),
        )
        assert walked == expected
        assert walked
    assert played.get(PATH, order="service_id").exact["data"] == rows(played)
    for asked in ({"order": "name"}, {"order": "releases", "service_id": "DC1"}):
        response = played.get(PATH, **asked)
        assert (response.status_code, response.exact["parameter"]) == (400, "order")


@pytest.mark.proves("PAR-1", "ENT-2")
def test_a_party_joins_its_namesake_although_the_register_holds_a_duplicate_of_it(demo):
    lookup = demo.get("/v1/crosswalk", id_type="lei", id_value="9999DEMO000000000652").exact["data"]
    (survivor,) = {row["service_id"] for row in lookup}
    assert demo.get(f"/v1/entities/{survivor}").exact["data"][0]["legal_name"] == NAMESAKES
    namesakes = {row["service_id"] for row in rows(demo, limit=1000) if row["name"] == NAMESAKES}
    assert namesakes == {survivor}


@pytest.mark.proves("PAR-1", "ENT-2")
def test_duplicates_that_are_merged_play_their_parts_together(service):
    service.ingest(
        package(
            release("o-1", date="2024-01-10", awards=[award("A", 1, WORKS)]),
            release("o-2", date="2024-02-10", awards=[award("A", 1, ROADS)]),
            release("o-3", date="2024-03-10", awards=[award("A", 1, WORKS, ROADS)]),
        ),
        source_name=SOURCE,
    )
    service.publish()
    one, two = id_of_party(service, WORKS), id_of_party(service, ROADS)
    before = service.get(PATH, edition=1).content
    service.merge(one, two)
    service.await_edition(service.publish().edition)
    body = service.get(PATH, service_id=one).exact
    assert body["resolved_from"] == one
    assert told(body["data"]) == [(ROADS, "supplier", "ZA", "2024-01-10", "2024-03-10", 3)]
    assert body["data"] == rows(service) == rows(service, service_id=two)
    # In the release that both won, the one organisation stands once.
    (row,) = [row for row in service.get("/v1/tenders").exact["data"] if row["ocid"] == "o-3"]
    assert [party["service_id"] for party in row["parties"]] == [two]
    assert [party["service_id"] for party in row["awards"][0]["suppliers"]] == [two]
    assert row["withheld_parties"] == 0
    assert service.get(PATH, edition=1).content == before
