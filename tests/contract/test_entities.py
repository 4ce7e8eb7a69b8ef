"""ENT and PAR: one organisation by its id, what an id goes on to answer, and who is not served."""

from __future__ import annotations

import json
import re
import time
from datetime import UTC, datetime

import pytest

from sankofa.entities.organisations import RULES_VERSION
from support.filings import Filer
from support.lei_documents import an_lei
from support.organisations import company, id_of_lei, list_shares, person, register
from support.waiting import until

PATH = "/v1/entities/"
FIRM, OTHER, PERSON = 1, 2, 3


@pytest.fixture(scope="module")
def known(module_service):
    """A service that knows two companies, one filer, one listed company and one person."""
    service = module_service
    register(
        service,
        company(FIRM, "Acmé Holdings Ltd", jurisdiction="ZA-GP"),
        company(OTHER, "Zebra Mining Ltd", status="INACTIVE"),
        person(PERSON, "Thabo Mokoena Trading"),
    )
    list_shares(service, ("XNAI", "SAFI", "Safiri Group", "KE"))
    service.ingest(Filer(7, "Filed Foods PLC").says(100, filed="2024-02-01").document())
    service.publish()
    service.firm, service.other = id_of_lei(service, FIRM), id_of_lei(service, OTHER)
    service.person = id_of_lei(service, PERSON)
    service.listed = service.id_of("ticker:XNAI:SAFI")
    service.filer = service.id_of("cik:0000000007")
    return service


def entity(service, service_id, **params):
    response = service.get(PATH + service_id, **params)
    assert response.status_code == 200, response.text
    (row,) = response.exact["data"]
    return row


@pytest.mark.proves("ENT-1", "ENV-4", "PAR-3")
def test_a_row_has_every_field_and_its_provenance(known):
    row = entity(known, known.firm)
    ((sha256,),) = known.rows(
        "SELECT encode(sha256, 'hex') FROM ops.document WHERE source = %s", "demo-gleif"
    )
    assert row == {
        "service_id": known.firm,
        "legal_name": "Acmé Holdings Ltd",
        "name_as_of": "2024-05-04",
        "former_names": [],
        "industries": [],
        "jurisdiction": "ZA-GP",
        "lei": an_lei(FIRM),
        "lei_status": "current",
        "status": "active",
        "established_by": row["established_by"],
        "rule_version": RULES_VERSION,
        "source_ref": f"demo-gleif@sha256:{sha256}#lei:{an_lei(FIRM)}",
        "license_class": "synthetic",
        "observed_at": "2026-01-05T06:00:00Z",
        "provenance_id": row["provenance_id"],
    }
    assert "lei" in row["established_by"]


@pytest.mark.proves("ENT-1")
def test_what_no_source_states_is_null(known):
    listed = entity(known, known.listed)
    assert (listed["lei"], listed["lei_status"]) == (None, None)
    assert (listed["status"], listed["jurisdiction"]) == ("unknown", "KE")
    assert entity(known, known.filer)["jurisdiction"] is None
    assert entity(known, known.other)["status"] == "inactive"


@pytest.mark.proves("PAR-3")
def test_the_kinds_of_evidence_are_those_that_the_sources_gave(known):
    assert entity(known, known.listed)["established_by"] == ["listing"]
    assert "filer" in entity(known, known.filer)["established_by"]
    for service_id in (known.firm, known.other, known.listed, known.filer):
        assert re.fullmatch(r"\S+", entity(known, service_id)["rule_version"])


@pytest.mark.proves("ENT-1", "ERR-4")
@pytest.mark.parametrize(
    "asked", ["DC0000000000000", "DC-1", "DC1%0A", "DC%C3%A9", "DC%001", "%20", "x" * 900]
)
def test_an_id_that_is_unknown_or_malformed_is_404(known, asked):
    for path in (PATH, "/v1/crosswalk/"):
        response = known.client.get(path + asked, headers=known.headers)
        assert (response.status_code, response.json()["code"]) == (404, "not-found")


@pytest.mark.proves("ENT-1", "ERR-3")
def test_a_wrong_parameter_is_refused_before_an_unknown_id(known):
    for name in ("as_of", "name", "q"):
        response = known.get(PATH + "DC-1", **{name: "2024-01-01"})
        assert (response.status_code, response.exact["parameter"]) == (400, name)


@pytest.mark.proves("ENT-1")
def test_a_name_is_searched_for_under_its_own_path_only(known):
    for path in ("/v1/entities", "/v1/entities/", "/v1/entities/search/acme"):
        assert known.get(path, name="Acme").status_code == 404


@pytest.mark.proves("KEY-8", "ENT-1")
def test_every_tier_gets_the_same_row(known):
    bodies = [
        known.get(PATH + known.firm, {"X-API-Key": known.issue(tier).key}).content
        for tier in ("sample", "starter", "professional")
    ]
    assert len(set(bodies)) == 1


@pytest.mark.proves("ENT-2")
def test_a_merged_id_gives_the_survivor_s_row_and_earlier_editions_as_then(service):
    register(service, company(1, "Acme Ltd"), company(2, "Acme Trading Ltd"))
    service.publish()
    one, two = id_of_lei(service, 1), id_of_lei(service, 2)
    assert all(re.fullmatch("DC[0-9A-Z]{12,}", issued) for issued in (one, two))
    then = {asked: service.get(PATH + asked, edition=1).content for asked in (one, two)}
    service.merge(one, two)
    service.await_edition(service.publish().edition)
    for path in (PATH, "/v1/crosswalk/"):
        body = service.get(path + one).exact
        assert body["resolved_from"] == one
        assert {row["service_id"] for row in body["data"]} == {two}
        survivor = service.get(path + two).exact
        assert survivor["data"] == body["data"]
        assert "resolved_from" not in survivor
    held = {row["id_value"] for row in service.get(f"/v1/crosswalk/{two}").exact["data"]}
    assert {an_lei(1), an_lei(2)} <= held
    assert {asked: service.get(PATH + asked, edition=1).content for asked in (one, two)} == then
    service.merge(one, one, "they are two after all")
    service.await_edition(service.publish().edition)
    assert [entity(service, asked)["lei"] for asked in (one, two)] == [an_lei(1), an_lei(2)]
    assert service.get(PATH + one, edition=2).exact["resolved_from"] == one


@pytest.mark.proves("ENT-2")
def test_ids_are_compared_exactly(known):
    for path in (PATH, "/v1/crosswalk/"):
        for altered in (known.firm.lower(), known.firm[:-1], known.firm + "0"):
            assert known.get(path + altered).status_code == 404


@pytest.mark.proves("PAR-2")
def test_a_person_is_served_nowhere_and_like_somebody_unknown(known):
    request_id = {"X-Request-Id": "one"}
    for path in (PATH, "/v1/crosswalk/", "/v1/fundamentals/"):
        bodies = {known.get(path + asked, request_id).content for asked in (known.person, "DC0000000000000")}
        assert len(bodies) == 1
        assert known.get(path + known.person).status_code == 404


@pytest.mark.proves("PAR-2", "EDN-7")
def test_who_turns_out_to_be_a_person_is_gone_from_every_edition_within_a_minute(service):
    register(service, company(1, "Mokoena Trading Ltd"), company(2, "Zebra Mining Ltd"))
    service.publish()
    register(service, company(2, "Zebra Mines Ltd", updated="2024-07-01T00:00:00Z"))
    service.await_edition(service.publish().edition)
    gone, stays = id_of_lei(service, 1), id_of_lei(service, 2)
    lookup = {"id_type": "lei", "id_value": an_lei(1)}
    etags = {
        (path, edition): service.get(path, edition=edition).headers["etag"]
        for path in (PATH + gone, f"/v1/crosswalk/{gone}")
        for edition in (1, 2)
    }
    found = service.get("/v1/crosswalk", **lookup)
    assert found.exact["count"] == 1
    before = {edition: service.get(PATH + stays, edition=edition).content for edition in (1, 2)}
    register(service, person(1, "Mokoena Trading Ltd", updated="2024-08-01T00:00:00Z"))
    started = time.monotonic()
    service.publish()
    until(lambda: service.get(PATH + gone).status_code == 404)
    assert time.monotonic() - started < 60
    for (path, edition), etag in etags.items():
        for headers in ({}, {"If-None-Match": etag}, {"If-None-Match": "*"}):
            assert service.get(path, headers, edition=edition).status_code == 404
    for edition in (1, 2):
        headers = {"If-None-Match": found.headers["etag"]}
        again = service.get("/v1/crosswalk", headers, edition=edition, **lookup)
        assert (again.status_code, again.exact["data"]) == (200, [])
        assert service.get(PATH + stays, edition=edition).content == before[edition]
    ((edition, changes),) = service.rows(
        "SELECT edition, changes FROM serving.edition ORDER BY edition DESC LIMIT 1"
    )
    assert edition == 3
    assert "Mokoena" not in json.dumps(changes)
    service.await_edition(edition)  # the takedown was seen, perhaps before the edition that followed it
    (told,) = service.get("/v1/editions").exact["data"][1]["takedowns"]
    assert told["rows_removed"] > 0
    assert datetime.fromisoformat(told["taken_down_at"]) <= datetime.now(UTC)
