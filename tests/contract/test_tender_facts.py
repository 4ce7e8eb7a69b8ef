"""SHF-1, SHF-2 and SHF-5 for tenders: values of a country's tenders, and awards that an issuer won."""

from __future__ import annotations

from decimal import Decimal

import pytest

from contract.keyed import key
from support.stated_tenders import (
    CITY,
    PERSON,
    ROADS,
    SOURCE,
    WORKS,
    award,
    fetched,
    id_of_party,
    package,
    portal,
    release,
    tender,
)

PATH = "/v1/shared/facts"
COUNTRY = {"country": "ZAF", "dataset": "AF-TENDER"}


def rows(service, **asked):
    response = service.get(PATH, **asked)
    assert response.status_code == 200, response.text
    return response.exact["data"]


def won(service, name, **asked):
    return rows(service, entity_id=id_of_party(service, name), dataset="AF-TENDER", **asked)


def told(found):
    return [(row["value"], row["unit"], row["period_end"], row["vintage"]) for row in found]


def load(service, *documents):
    """Ingest releases, each as a document of its own with the day it was fetched, and publish."""
    bodies = [fetched(package(stated), day) for stated, day in documents]
    assert {batch.outcome for batch in service.ingest(*bodies, source_name=SOURCE)} == {"accepted"}
    service.publish()


@pytest.fixture(scope="module")
def valued(module_service):
    """Tenders of a known buyer, of a person and of nobody, and what was awarded; one of Kenya."""
    service = module_service
    load(
        service,
        (
            release(
                "ocity",
                "r",
                "2024-03-01T23:30:00-05:00",
                buyer={"name": CITY},
                tender=tender(900.5),
                awards=[award("A", 800, WORKS), award("B", 700, WORKS, ROADS, currency="USD")],
            ),
            "2024-03-09",
        ),
        (
            release("operson", date="2024-02-02T00:00:00Z", buyer={"name": PERSON}, tender=tender(50)),
            "2024-03-09",
        ),
        (release("onobody", date="2024-04-02", tender=tender(60, "EUR")), "2024-04-09"),
        (release("onothing", date="2024-04-03", tender=tender(0)), "2024-04-09"),
        (release("opending", tag=["award"], awards=[award("P", 5, ROADS, status="pending")]), "2024-04-09"),
    )
    kenyan = package(
        release("okenya", tender=tender(70, "KES"), awards=[award("K", 71, WORKS, currency="KES")])
    )
    service.ingest(kenyan, source_name=portal("kenyan-portal", "KE"))
    service.await_edition(service.publish().edition)
    service.tiers = {tier: service.issue(tier) for tier in ("sample", "starter", "professional")}
    return service


@pytest.mark.proves("SHF-1", "ENV-4", "ENV-15")
def test_a_tender_value_belongs_to_its_buyer_and_has_every_field(valued):
    row = next(row for row in rows(valued, **COUNTRY) if row["value"] == Decimal("900.5"))
    ((sha256, at),) = valued.rows(
        "SELECT encode(document.sha256, 'hex'), document.fetched_at FROM ops.document AS document"
        " ORDER BY document.document_id LIMIT 1"
    )
    assert at.date().isoformat() == "2024-03-09"
    assert row == {
        "fact_id": row["fact_id"],
        "entity_id": id_of_party(valued, CITY),
        "entity_name": CITY,
        "name_as_of": None,
        "country_iso3": "ZAF",
        "dataset": "AF-TENDER",
        "measure": "tender_value",
        "value": Decimal("900.5"),
        "unit": "ZAR",
        "period_end": "2024-03-02",  # the instant's day in UTC
        "period_type": None,
        "available_at": "2024-03-02",
        "available_at_basis": "publisher",
        "vintage": 1,
        "provenance_id": row["provenance_id"],
        "source_ref": f"{SOURCE}@sha256:{sha256}#ocity/r",
        "license_class": "synthetic",
        "extraction_confidence": None,
        "observed_at": "2024-03-09T12:00:00Z",
        "method": "ocds",
        "joint": None,
    }


@pytest.mark.proves("SHF-1")
def test_without_an_established_buyer_it_belongs_to_the_country(valued):
    by_value = {row["value"]: row for row in rows(valued, **COUNTRY)}
    for value in (50, 60):
        row = by_value[value]
        assert (row["entity_id"], row["entity_name"], row["country_iso3"]) == ("ZAF", "South Africa", "ZAF")


@pytest.mark.proves("SHF-2", "SHF-1", "ENV-5", "ENV-17")
def test_a_country_has_its_tender_values_newest_release_first(valued):
    expected = [
        (60, "EUR", "2024-04-02", 1),
        (Decimal("900.5"), "ZAR", "2024-03-02", 1),
        (50, "ZAR", "2024-02-02", 1),
    ]  # a value of zero is one that was not disclosed
    assert told(rows(valued, **COUNTRY)) == expected
    assert {row["measure"] for row in rows(valued, **COUNTRY)} == {"tender_value"}
    assert told(rows(valued, country="zaf", dataset="AF-TENDER")) == expected
    assert told(rows(valued, country="Ken", dataset="AF-TENDER")) == [(70, "KES", "2024-03-01", 1)]
    assert rows(valued, country="GHA", dataset="AF-TENDER") == []
    assert rows(valued, country="XXX", dataset="AF-TENDER") == []


@pytest.mark.proves("SHF-2", "SHF-5")
def test_an_issuer_has_the_awards_it_won_and_a_joint_one_counts_for_each(valued):
    assert sorted(told(won(valued, WORKS))) == [
        (700, "USD", "2024-03-02", 1),
        (800, "ZAR", "2024-03-02", 1),
    ]
    assert told(won(valued, ROADS)) == [(700, "USD", "2024-03-02", 1)]  # a pending award is not won
    for row in (*won(valued, WORKS), *won(valued, ROADS)):
        assert (row["measure"], row["dataset"], row["period_type"]) == ("award_value", "AF-TENDER", None)
        assert row["country_iso3"] == "ZAF"
    # A name alone is not the same organisation in another country.
    namesake = rows(valued, entity_id=id_of_party(valued, WORKS, "KE"), dataset="AF-TENDER")
    assert [(row["value"], row["country_iso3"]) for row in namesake] == [(71, "KEN")]
    assert won(valued, CITY) == []  # it buys, and won nothing


@pytest.mark.proves("TEN-5", "SHF-1")
def test_a_joint_award_is_one_award_and_each_row_says_so(valued):
    """Award B is worth 700 in all: both rows state it whole, cite the same place and are marked."""
    of_works = {row["value"]: row for row in won(valued, WORKS)}
    (of_roads,) = won(valued, ROADS)
    assert {value: row["joint"] for value, row in of_works.items()} == {800: False, 700: True}
    assert of_roads["joint"] is True
    assert of_roads["source_ref"] == of_works[700]["source_ref"] != of_works[800]["source_ref"]
    changed = valued.get("/v1/changes", dataset="AF-TENDER", limit=1000).exact["data"]
    flags = {(row["measure"], row["value"], row["joint"]) for row in changed if row["country_iso3"] == "ZAF"}
    assert {flag for flag in flags if flag[0] == "award_value"} == {
        ("award_value", 800, False),
        ("award_value", 700, True),
    }
    assert {joint for measure, _, joint in flags if measure == "tender_value"} == {None}
    (row,) = (row for row in valued.get("/v1/tenders").exact["data"] if row["ocid"] == "ocity")
    assert {one["id"]: one["joint"] for one in row["awards"]} == {"A": False, "B": True}


@pytest.mark.proves("TEN-5", "SHF-3", "ENV-5")
def test_an_award_belongs_to_the_suppliers_that_were_last_named(service):
    """Works alone, then with Roads, then Roads alone; a release that names no supplier says nothing."""
    load(
        service,
        (release("o-1", "1", "2024-01-10", awards=[award("A", 50, WORKS)]), "2024-01-11"),
        (release("o-1", "2", "2024-02-10", awards=[award("A", 50, WORKS, ROADS)]), "2024-02-11"),
        (release("o-1", "3", "2024-03-10", awards=[award("A", 50, ROADS)]), "2024-03-11"),
        (release("o-1", "4", "2024-04-10", awards=[award("A", 50)]), "2024-04-11"),
    )
    expected = {
        "2024-01-10": ([(50, False, 1)], []),
        "2024-02-09": ([(50, False, 1)], []),
        "2024-02-10": ([(50, True, 2)], [(50, True, 1)]),
        "2024-03-10": ([], [(50, False, 2)]),
        "2024-04-10": ([], [(50, False, 2)]),
    }
    for as_of, (of_works, of_roads) in expected.items():
        for name, known in ((WORKS, of_works), (ROADS, of_roads)):
            found = won(service, name, as_of=as_of)
            assert [(row["value"], row["joint"], row["vintage"]) for row in found] == known, (as_of, name)


@pytest.mark.proves("TEN-5", "PAR-2")
def test_blocks_of_one_id_and_value_are_one_award_and_withheld_suppliers_count(service):
    load(
        service,
        (
            release(
                "o-1",
                "1",
                "2024-01-10",
                awards=[award("A", 50, WORKS), award("A", 50, ROADS), award("B", 7, WORKS, PERSON)],
            ),
            "2024-01-11",
        ),
        (
            release("o-2", "1", "2024-01-10", awards=[award("A", 5, WORKS), award("A", 5, WORKS)]),
            "2024-01-11",
        ),
        (
            release("o-3", "1", "2024-01-10", awards=[award("A", 8, WORKS), award("A", 9, ROADS)]),
            "2024-01-11",
        ),
    )
    flags = sorted((row["value"], row["joint"]) for row in won(service, WORKS))
    assert flags == [(5, False), (7, True), (8, False), (50, True)]
    assert sorted((row["value"], row["joint"]) for row in won(service, ROADS)) == [(9, False), (50, True)]
    for row in service.get("/v1/tenders").exact["data"]:
        for one in row["awards"]:
            assert one["joint"] is (one["value"]["amount"] in (50, 7))
            assert PERSON not in str(one)


@pytest.mark.proves("TEN-5", "ENV-5")
def test_a_cancelled_award_is_nobody_s_even_if_no_supplier_is_named(service):
    load(
        service,
        (release("o-1", "1", "2024-01-10", awards=[award("A", 50, WORKS, ROADS)]), "2024-01-11"),
        (release("o-1", "2", "2024-02-10", awards=[award("A", None, status="cancelled")]), "2024-02-11"),
    )
    for name in (WORKS, ROADS):
        assert [row["value"] for row in won(service, name, as_of="2024-02-09")] == [50]
        assert won(service, name) == []


@pytest.mark.proves("SHF-5")
def test_awards_of_a_country_are_not_served(valued):
    assert rows(valued, measure="award_value", **COUNTRY) == []


@pytest.mark.proves("SHF-4")
def test_a_measure_selects_one(valued):
    assert rows(valued, measure="tender_value", **COUNTRY) == rows(valued, **COUNTRY)
    assert won(valued, ROADS, measure="award_value") == won(valued, ROADS)
    assert won(valued, ROADS, measure="tender_value") == []
    assert won(valued, ROADS, measure="revenue") == []
    assert rows(valued, entity_id="DC0000000000000", dataset="AF-TENDER") == []


@pytest.mark.proves("SHF-2", "ERR-9")
def test_every_other_combination_is_refused_and_named(valued):
    issuer = id_of_party(valued, WORKS)
    for asked, parameters in (
        ({}, ["entity_id", "country"]),
        ({"dataset": "AF-TENDER"}, ["entity_id", "country"]),
        ({"entity_id": issuer, **COUNTRY}, ["entity_id", "country"]),
        ({"entity_id": "ZAF", **COUNTRY}, ["entity_id", "country"]),
    ):
        response = valued.get(PATH, **asked)
        assert (response.status_code, response.exact["parameters"]) == (400, parameters)
    wrong = [({"country": "ZAF"}, dataset) for dataset in (None, "AF-FUND", "AF-NONE", "af-tender", "")]
    wrong += [({"entity_id": issuer}, dataset) for dataset in ("AF-MACRO", "AF-NONE", "")]
    wrong += [({"entity_id": "ZAF"}, dataset) for dataset in ("AF-FUND", "AF-TENDER", "AF-NONE")]
    for asked, dataset in wrong:
        response = valued.get(PATH, **asked, **({} if dataset is None else {"dataset": dataset}))
        assert (response.status_code, response.exact["parameter"]) == (400, "dataset")
    assert rows(valued, entity_id=issuer) == []  # AF-FUND, of which it has nothing
    assert rows(valued, entity_id="ZAF") == []  # AF-MACRO


@pytest.mark.proves("SHF-2", "SHF-3")
def test_a_value_that_is_repeated_confirms_and_one_that_changed_is_a_vintage(service):
    """One process, release by release: 100, again 100, then 90, then 100 again, then in another currency."""
    load(
        service,
        (release("o-1", "1", "2024-01-10", tender=tender(100)), "2024-01-11"),
        (release("o-1", "2", "2024-02-10", tender=tender(100)), "2024-02-11"),
        (release("o-1", "3", "2024-03-10", tender=tender(90)), "2024-03-11"),
        (release("o-1", "4", "2024-04-10", tender=tender(title="silent")), "2024-04-11"),
        (release("o-1", "5", "2024-05-10", tender=tender(100)), "2024-05-11"),
        (release("o-1", "6", "2024-06-10", tender=tender(100, "USD")), "2024-06-11"),
        (release("o-2", "1", "2024-01-20", tender=tender(7)), "2024-01-21"),
    )
    other = (7, "ZAR", "2024-01-20", 1)
    for as_of, expected in {
        "2024-01-09": [],
        "2024-01-10": [(100, "ZAR", "2024-01-10", 1)],
        "2024-02-20": [other, (100, "ZAR", "2024-01-10", 1)],
        "2024-03-10": [(90, "ZAR", "2024-03-10", 2), other],
        "2024-04-20": [(90, "ZAR", "2024-03-10", 2), other],
        "2024-05-10": [(100, "ZAR", "2024-05-10", 3), other],
        "2024-06-10": [(100, "USD", "2024-06-10", 4), other],
    }.items():
        assert told(rows(service, as_of=as_of, **COUNTRY)) == expected, as_of
    assert told(rows(service, **COUNTRY)) == [(100, "USD", "2024-06-10", 4), other]


@pytest.mark.proves("SHF-2", "ENV-5")
def test_a_release_that_is_refilled_changes_its_value_from_the_day_it_was_seen(service):
    load(
        service,
        (release("o-1", "1", "2024-01-10", tender=tender(100)), "2024-01-11"),
        (release("o-1", "1", "2024-01-10", tender=tender(120)), "2024-02-11"),
    )
    assert told(rows(service, as_of="2024-02-10", **COUNTRY)) == [(100, "ZAR", "2024-01-10", 1)]
    assert told(rows(service, as_of="2024-02-11", **COUNTRY)) == [(120, "ZAR", "2024-01-10", 2)]
    assert rows(service, **COUNTRY)[0]["available_at_basis"] == "first_seen"


@pytest.mark.proves("SHF-2", "SHF-5", "ENV-5")
@pytest.mark.parametrize("status", ["cancelled", "unsuccessful"])
def test_an_award_that_was_cancelled_is_no_longer_shown(service, status):
    load(
        service,
        (
            release("o-1", "1", "2024-01-10", awards=[award("A", 10, WORKS), award("B", 20, WORKS, ROADS)]),
            "2024-01-11",
        ),
        (
            release("o-1", "2", "2024-02-10", awards=[award("B", None, WORKS, ROADS, status=status)]),
            "2024-02-11",
        ),
        (release("o-1", "3", "2024-03-10", awards=[award("B", 25, WORKS)]), "2024-03-11"),
    )
    for as_of, of_works, of_roads in (
        ("2024-02-09", [10, 20], [20]),
        ("2024-02-10", [10], []),
        ("2024-03-09", [10], []),
        ("2024-03-10", [10, 25], []),
    ):
        assert sorted(row["value"] for row in won(service, WORKS, as_of=as_of)) == of_works
        assert [row["value"] for row in won(service, ROADS, as_of=as_of)] == of_roads
    assert sorted((row["value"], row["vintage"]) for row in won(service, WORKS)) == [(10, 1), (25, 2)]


@pytest.mark.proves("SHF-2", "SHF-5")
def test_awards_of_merged_duplicates_are_one_issuer_s(service):
    load(
        service,
        (release("o-1", awards=[award("A", 10, WORKS)]), "2024-03-11"),
        (release("o-2", awards=[award("A", 20, ROADS)]), "2024-03-11"),
    )
    one, two = id_of_party(service, WORKS), id_of_party(service, ROADS)
    service.merge(one, two)
    service.await_edition(service.publish().edition)
    body = service.get(PATH, entity_id=one, dataset="AF-TENDER").exact
    assert body["resolved_from"] == one
    assert sorted(row["value"] for row in body["data"]) == [10, 20]
    assert {row["entity_id"] for row in body["data"]} == {two}
    assert told(rows(service, entity_id=one, dataset="AF-TENDER", edition=1)) == [
        (10, "ZAR", "2024-03-01", 1)
    ]


@pytest.mark.proves("ENV-13", "ENV-17")
@pytest.mark.parametrize("limit", [1, 3, 10, 20])
def test_pages_hold_each_value_once_newest_first(service, limit):
    """Twenty values of four days, and as many awards; the order within a day is the service's own."""
    load(
        service,
        *(
            (
                release(
                    f"o-{number}",
                    date=f"2024-03-0{number % 4 + 1}",
                    tender=tender(number + 1),
                    awards=[award("A", number + 1, WORKS)],
                ),
                "2024-04-01",
            )
            for number in range(20)
        ),
    )
    for asked in (COUNTRY, {"entity_id": id_of_party(service, WORKS), "dataset": "AF-TENDER"}):
        body = service.get(PATH, limit=limit, **asked).exact
        walked = body["data"]
        while body["next_cursor"]:
            assert body["count"] == limit
            body = service.get(PATH, limit=limit, cursor=body["next_cursor"]).exact
            walked += body["data"]
        assert sorted(row["value"] for row in walked) == list(range(1, 21))
        assert walked == sorted(walked, key=lambda row: row["period_end"], reverse=True)
        assert walked == rows(service, **asked)


@pytest.mark.proves("KEY-7", "TEN-3")
def test_limits_and_cursors_hold_here_too(valued):
    assert valued.get(PATH, key(valued, "sample"), limit=26, **COUNTRY).status_code == 402
    cursor = valued.get(PATH, limit=1, **COUNTRY).exact["next_cursor"]
    for other in ({"country": "KEN"}, {"dataset": "AF-MACRO"}, {"measure": "tender_value"}):
        response = valued.get(PATH, cursor=cursor, **other)
        assert (response.status_code, response.exact["parameter"]) == (400, "cursor")
