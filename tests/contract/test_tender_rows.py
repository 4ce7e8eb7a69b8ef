"""TEN-4: a row holds what may be served of a release, and nothing else, in any form."""

from __future__ import annotations

import copy
from decimal import Decimal

import pytest

from support.ocds_standard import OURS, faults
from support.stated_tenders import (
    CITY,
    PERSON,
    ROADS,
    SOURCE,
    WORKS,
    award,
    id_of_party,
    package,
    portal,
    release,
    strings,
    tender,
    tenders,
)

PATH = "/v1/tenders"
FORMS = ("application/json", "text/csv", "application/x-ndjson", "application/vnd.apache.arrow.stream")
SECRET = "qzsecret"
EXACT = "12345678901234567.89"
OPENED, CLOSED = "2024-03-02T00:00:00Z", "2024-04-02T10:00:00Z"
PERIOD = {"startDate": OPENED, "endDate": CLOSED}
PARTIES = [
    {"id": "B", "name": CITY, "roles": ["buyer"]},
    {"id": "S", "name": WORKS, "roles": ["supplier"]},
    {"id": "P", "name": PERSON, "roles": ["tenderer"]},
]
WHOLE = release(
    "owhole",
    "r-1",
    tag=["tender", "award", "contract"],
    language="en",
    parties=PARTIES,
    buyer={"id": "B", "name": CITY},
    planning={"budget": {"amount": {"amount": EXACT, "currency": "ZAR"}}},
    tender={
        "id": "T-9",
        "title": "Fence",
        "description": "A fence of steel",
        "status": "complete",
        "procuringEntity": {"id": "B", "name": CITY},
        "value": {"amount": 900.10, "currency": "ZAR"},
        "minValue": {"amount": 10, "currency": "USD"},
        "procurementMethod": "open",
        "procurementMethodDetails": "Request for quotations",
        "mainProcurementCategory": "works",
        "additionalProcurementCategories": ["goods"],
        "tenderPeriod": PERIOD,
        "enquiryPeriod": PERIOD,
        "awardPeriod": PERIOD,
        "contractPeriod": PERIOD,
        "numberOfTenderers": 2,
        "items": [{"id": "7", "classification": {"scheme": "CPV", "id": "45", "description": "Building"}}],
        "tenderers": [{"id": "S", "name": WORKS}, {"id": "P", "name": PERSON}],
    },
    awards=[
        award(
            "A-1",
            800,
            {"id": "S", "name": WORKS},
            {"id": "P", "name": PERSON},
            title="To the best",
            date=CLOSED,
        )
        | {"contractPeriod": PERIOD}
    ],
    contracts=[
        {
            "id": "C-1",
            "awardID": "A-1",
            "title": "Fence, signed",
            "status": "active",
            "period": PERIOD,
            "value": {"amount": 800, "currency": "ZAR"},
            "dateSigned": CLOSED,
        }
    ],
)


def planted():
    """Return the release with a secret in every field that a row does not have."""
    told = copy.deepcopy(WHOLE)
    person = {"name": f"Ann {SECRET}", "email": f"{SECRET}@example.org", "telephone": "+27 21 555 0199"}
    paper = {"id": f"{SECRET}-d", "title": SECRET, "description": SECRET, "url": f"https://{SECRET}.example"}
    place = {"streetAddress": SECRET, "locality": SECRET, "postalCode": SECRET, "countryName": "South Africa"}
    other = {"unknown": SECRET, SECRET: {SECRET: [SECRET]}, "x_note": {"deep": [{"deeper": SECRET}]}}
    for party in told["parties"]:
        party.update(
            other | {"contactPoint": person, "address": place, "persons": [person], "memberOf": [SECRET]}
        )
        party.update({"details": other, "beneficialOwners": [person], "identifier": {"uri": SECRET}})
        party.update({"additionalContactPoints": [person]})
    told |= other | {"relatedProcesses": [{"id": SECRET, "title": SECRET}], "links": [SECRET]}
    told["buyer"] |= {"contactPoint": person, "address": place}
    told["planning"] |= {"rationale": SECRET, "documents": [paper], "milestones": [paper]}
    told["planning"]["budget"] |= {
        "description": SECRET,
        "project": SECRET,
        "projectID": SECRET,
        "uri": SECRET,
    }
    told["tender"] |= other | {
        "documents": [paper],
        "milestones": [paper],
        "amendments": [{"rationale": SECRET}],
        "eligibilityCriteria": SECRET,
        "procurementMethodRationale": SECRET,
        "awardCriteriaDetails": SECRET,
        "submissionMethodDetails": SECRET,
        "contactPerson": person,
        "deliveryLocation": SECRET,
        "briefingSession": {"venue": SECRET},
    }
    told["tender"]["items"][0] |= {"description": SECRET, "deliveryAddress": place, "unit": {"name": SECRET}}
    for part in (*told["awards"], *told["contracts"]):
        part.update(other | {"documents": [paper], "items": [paper], "amendments": [{"description": SECRET}]})
        part.update({"signatories": [person], "implementation": {"transactions": [{"payee": person}]}})
    for supplier in told["awards"][0]["suppliers"]:
        supplier.update({"contactPoint": person, "address": place})
    return told


@pytest.fixture(scope="module")
def served(module_service):
    service = module_service
    quoted, written = f'"{EXACT}"'.encode(), EXACT.encode()
    service.ingest(package(WHOLE).replace(quoted, written), source_name=SOURCE)
    service.ingest(package(planted()).replace(quoted, written), source_name=portal("kenyan-portal", "KE"))
    service.publish()
    return service


@pytest.mark.proves("TEN-4", "ENV-4", "ENV-6")
def test_a_row_has_every_field_that_is_allowed(served):
    city, works = id_of_party(served, CITY), id_of_party(served, WORKS)
    buyer = {"id": city, "name": CITY, "service_id": city}
    supplier = {"id": works, "name": WORKS, "service_id": works}
    (row,) = tenders(served)
    ((sha256,),) = served.rows("SELECT encode(sha256, 'hex') FROM ops.document WHERE source = %s", SOURCE)
    assert row == {
        "ocid": "owhole",
        "id": "r-1",
        "date": "2024-03-01T12:00:00Z",
        "tag": ["tender", "award", "contract"],
        "initiationType": "tender",
        "language": "en",
        "parties": [
            buyer | {"roles": ["buyer", "procuringEntity"], "name_as_of": None},
            supplier | {"roles": ["supplier", "tenderer"], "name_as_of": None},
        ],
        "buyer": buyer,
        "planning": {"budget": {"amount": {"amount": Decimal(EXACT), "currency": "ZAR"}}},
        "tender": {
            "id": "T-9",
            "title": "Fence",
            "description": "A fence of steel",
            "status": "complete",
            "procuringEntity": buyer,
            "items": [
                {"id": "1", "classification": {"scheme": "CPV", "id": "45", "description": "Building"}}
            ],
            "value": {"amount": Decimal("900.1"), "currency": "ZAR"},
            "minValue": {"amount": 10, "currency": "USD"},
            "procurementMethod": "open",
            "procurementMethodDetails": "Request for quotations",
            "mainProcurementCategory": "works",
            "additionalProcurementCategories": ["goods"],
            "category": "works",
            "tenderPeriod": PERIOD,
            "enquiryPeriod": PERIOD,
            "awardPeriod": PERIOD,
            "contractPeriod": PERIOD,
            "numberOfTenderers": 2,
            "tenderers": [supplier],
        },
        "awards": [
            {
                "id": "A-1",
                "title": "To the best",
                "status": "active",
                "date": CLOSED,
                "value": {"amount": 800, "currency": "ZAR"},
                "suppliers": [supplier],
                "contractPeriod": PERIOD,
                "joint": True,  # the withheld supplier counts
            }
        ],
        "contracts": [
            {
                "id": "C-1",
                "awardID": "A-1",
                "title": "Fence, signed",
                "status": "active",
                "period": PERIOD,
                "value": {"amount": 800, "currency": "ZAR"},
                "dateSigned": CLOSED,
            }
        ],
        "country": "ZA",
        "process_title": row["tender"]["title"],
        "withheld_parties": 1,
        "text_withheld": False,
        "vintage": 1,
        "available_at": "2024-03-01",
        "available_at_basis": "publisher",
        "source_ref": f"{SOURCE}@sha256:{sha256}#owhole/r-1",
        "license_class": "synthetic",
        "observed_at": "2026-01-05T06:00:00Z",
        "provenance_id": row["provenance_id"],
        "fact_id": row["fact_id"],
    }


@pytest.mark.proves("TEN-4", "ENV-14")
@pytest.mark.parametrize("form", FORMS)
def test_no_other_field_of_a_release_ever_appears(served, form):
    headers = {"Accept": form, "Accept-Encoding": "identity"}
    for path in (PATH, "/v1/tender-parties"):
        response = served.get(path, headers, country="KE")
        assert response.headers["content-type"].startswith(form)
        assert b"Umoya Works" in response.content
        for secret in (SECRET, "555 0199", "5550199", "Qhobela", "contactPoint", "streetAddress"):
            assert secret.lower().encode() not in response.content.lower()


@pytest.mark.proves("TEN-4")
def test_what_is_planted_changes_nothing_else(served):
    """The planted release is served as the plain one is, apart from who published it."""
    (plain,), (full,) = tenders(served), tenders(served, country="KE")
    assert {key: value for key, value in full.items() if key not in OURS} == {
        key: value for key, value in plain.items() if key not in OURS
    }
    assert full["withheld_parties"] == 1


@pytest.mark.proves("TEN-4")
def test_a_row_is_valid_ocds_with_and_without_our_own_fields(served):
    for row in (*tenders(served), *tenders(served, country="KE")):
        assert faults(row) == []
        assert faults({key: value for key, value in row.items() if key not in OURS}) == []


SPARSE = {
    "nothing": release("o-1", tag=None, initiationType=None),
    "unknown words": release(
        "o-2",
        tag=["invented"],
        initiationType="invented",
        language=5,
        tender={
            "status": "invented",
            "mainProcurementCategory": "Invented",
            "items": [{}],
            "value": {"amount": 0},
        },
    ),
    "no ids": release("o-3", tender={"title": "x"}, awards=[{"title": "y"}], contracts=[{"title": "z"}]),
    "contracts of nothing": release("o-4", contracts=[{"id": "C"}]),
    "numbers": release("o-5", 7, tender={"id": 12, "numberOfTenderers": "3"}, awards=[{"id": 3.5}]),
    "only persons": release(
        "o-6",
        buyer={"name": PERSON},
        tender={"tenderers": [{"name": PERSON}]},
        awards=[award("A", 1, PERSON)],
    ),
}


@pytest.mark.proves("TEN-4")
def test_whatever_a_portal_leaves_out_or_invents_a_row_is_valid_ocds(service):
    service.ingest(package(*SPARSE.values()), source_name=SOURCE)
    service.publish()
    found = {row["ocid"]: row for row in tenders(service)}
    assert sorted(found) == [f"o-{number}" for number in range(1, 7)]
    for row in found.values():
        assert faults(row) == [], row
        assert {"ocid", "id", "date", "tag", "initiationType"} <= row.keys()
        assert row["tag"]
        assert all(strings(row))
    assert found["o-5"]["id"] == "7"
    only = found["o-6"]
    assert (only["parties"], only["withheld_parties"]) == ([], 1)
    assert "buyer" not in only
    assert "tenderers" not in only["tender"]
    assert "suppliers" not in only["awards"][0]


@pytest.mark.proves("TEN-4", "PAR-2")
def test_a_withheld_party_is_removed_wherever_it_is_referred_to_and_counted_once(service):
    person, other = {"id": "P", "name": PERSON}, {"id": "Q", "name": "Thandi Nxumalo"}
    service.ingest(
        package(
            release(
                "o-1",
                parties=[person | {"roles": ["buyer"]}, {"id": "S", "name": ROADS, "roles": ["supplier"]}],
                buyer=person,
                tender=tender(procuringEntity=person, tenderers=[person, other, {"id": "S", "name": ROADS}]),
                awards=[award("A", 5, person, other), award("B", 6, {"id": "S", "name": ROADS})],
            )
        ),
        source_name=SOURCE,
    )
    service.publish()
    (row,) = tenders(service)
    roads = id_of_party(service, ROADS)
    reference = {"id": roads, "name": ROADS, "service_id": roads}
    assert row["parties"] == [reference | {"roles": ["supplier", "tenderer"], "name_as_of": None}]
    assert row["withheld_parties"] == 2
    assert "buyer" not in row
    assert "procuringEntity" not in row["tender"]
    assert row["tender"]["tenderers"] == [reference]
    assert [part.get("suppliers") for part in row["awards"]] == [None, [reference]]
    assert not [text for text in strings(row) if "Sipho" in text or "Thandi" in text]
