"""FED-2, ENT-5: ISINs without a FIGI are sent to OpenFIGI, and what it answers joins nobody by itself."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from msgspec import structs

from demo.identifiers import figi, isin
from publisher.protocols import OpenFigi
from sankofa.ingest.asking import ids_to_ask
from sankofa.ingest.sources import source
from support.answering import Portal
from support.organisations import company, id_of_lei, list_shares, register
from support.restoring import run

pytestmark = pytest.mark.proves("FED-2", "ENT-5")
ACME, ZEBRA, NAMESAKE, LISTED, UNKNOWN = (isin("ZA", number) for number in range(1, 6))
SHARES = {
    ACME: ("ACME HOLDINGS LIMITED", figi(1)),
    ZEBRA: ("ZEBRA MINING LTD", figi(2)),
    NAMESAKE: ("SOMEBODY ELSE INC", figi(3)),
}
OWN = """
[portal]
address = "{url}/v3/mapping"
pause_seconds = 0
retry_seconds = 0.01
post = {{ ids_of = ["demo-listings"], batch = 2 }}
"""


@pytest.fixture
def world(service, tmp_path):
    """A service with five listed companies, of which one has a FIGI, and a runner of commands."""
    names = (
        "Acme Holdings Ltd",
        "Zebra Mining Ltd",
        "Baobab Foods Ltd",
        "Kilima Cement PLC",
        "Gone Group Ltd",
    )
    register(service, *(company(place, name) for place, name in enumerate(names, 1)))
    rows = zip(names, (ACME, ZEBRA, NAMESAKE, LISTED, UNKNOWN), strict=True)
    known = {LISTED: figi(4)}
    list_shares(
        service, *(("XJSE", f"S{code[-2:]}", name, "ZA", code, known.get(code, "")) for name, code in rows)
    )
    service.publish()

    def operate(portal, *arguments, **environment):
        (tmp_path / "openfigi.toml").write_text(OWN.format(url=portal.url))
        own = {"SANKOFA_SOURCES": str(tmp_path), "SANKOFA_CONTACT": "data@example.org"}
        return run(service, *arguments, **own | environment)

    service.operate = operate
    return service


def fetched(service, portal, **environment):
    done = service.operate(portal, "feeds", "run", "openfigi", **environment)
    assert done.exit_code == 0, done.output
    return done.output


def asked(portal, first=0):
    return [[one["idValue"] for one in json.loads(each.body)] for each in portal.requests[first:]]


def figis(service, number, **params):
    response = service.get(f"/v1/crosswalk/{id_of_lei(service, number)}", **params)
    assert response.status_code == 200, response.text
    rows = [row for row in response.exact["data"] if row["id_type"] == "figi"]
    return [(row["id_value"], row["evidence"], row["license_class"], row["available_at"]) for row in rows]


def test_isins_without_a_figi_are_asked_for_in_batches_and_answers_are_served(world):
    with Portal(OpenFigi(SHARES)) as portal:
        assert "good; 2 documents" in fetched(world, portal)
        assert asked(portal) == [sorted([ACME, ZEBRA]), sorted([NAMESAKE, UNKNOWN])]
    world.await_edition(world.publish().edition)
    today = str(datetime.now(UTC).date())
    assert figis(world, 1) == [(figi(1), "register", "MIT", today)]
    assert figis(world, 2) == [(figi(2), "register", "MIT", today)]
    assert figis(world, 3) == [], "it is said of somebody with another name"
    assert figis(world, 4) == [(figi(4), "register", "synthetic", figis(world, 4)[0][3])]
    assert figis(world, 5) == []


def test_nobody_is_found_by_a_figi_on_a_day_before_it_was_known(world):
    with Portal(OpenFigi(SHARES)) as portal:
        fetched(world, portal)
    world.await_edition(world.publish().edition)
    today = datetime.now(UTC).date()

    def found(day):
        rows = world.get("/v1/search", q=figi(1), as_of=str(day)).exact["data"]
        return [row["service_id"] for row in rows]

    assert found(today) == [id_of_lei(world, 1)]
    assert found(today - timedelta(days=1)) == []


def test_the_next_run_asks_only_for_what_has_no_answer(world):
    shares = {ACME: SHARES[ACME]}
    with Portal(OpenFigi(shares)) as portal:
        fetched(world, portal)
        assert "good; 2 documents, 2 new" in fetched(world, portal)
        assert asked(portal, 2) == [sorted([ZEBRA, NAMESAKE]), [UNKNOWN]]
        shares |= SHARES
        fetched(world, portal)
        fetched(world, portal)
        assert asked(portal, 6) == [[UNKNOWN]]


def test_a_document_is_the_request_and_the_answer_byte_for_byte(world):
    with Portal(OpenFigi({})) as portal:
        fetched(world, portal)
        bodies = [each.body for each in portal.requests]
    (rows,) = {
        tuple(world.rows("SELECT url, sha256 FROM ops.document WHERE source = 'openfigi' ORDER BY url"))
    }
    assert len(rows) == 2, "the answers are the same, and the requests are not"
    answer = json.dumps([{"warning": "No identifier found."}] * 2).encode()
    kept = [world.objects.fetch(f"documents/{sha.hex()[:2]}/{sha.hex()}") for _, sha in rows]
    assert kept == [b'{"request":' + body + b',"answer":' + answer + b"}" for body in bodies]


@pytest.mark.parametrize("fault", ["busy_seconds", "unavailable", "truncated", "reset", "truncated_unsized"])
def test_a_request_that_fails_is_sent_again_whole(world, fault):
    with Portal(OpenFigi(SHARES, fault)) as portal:
        output = fetched(world, portal)
        if fault == "truncated_unsized":  # only the parser sees that JSON has no end
            assert "held" in output
            assert "malformed_json" in output
            return
        assert "good; 2 documents" in output
        assert asked(portal)[0] == asked(portal)[1]
        assert not any({"Range", "If-Range"} & set(each.headers) for each in portal.requests)


@pytest.mark.parametrize("fault", ["html", "redirect_elsewhere"])
def test_what_is_no_answer_is_not_published(world, fault):
    with Portal(OpenFigi(SHARES, fault)) as portal:
        done = world.operate(portal, "feeds", "run", "openfigi")
    assert ("held" if fault == "html" else "follows none") in done.output
    world.publish()
    assert figis(world, 1) == []


def test_the_answer_to_another_request_joins_nobody(world):
    class Confused(OpenFigi):
        def answer(self, request):
            self.first = getattr(self, "first", None) or super().answer(request)
            return self.first

    with Portal(Confused(SHARES)) as portal:
        fetched(world, portal)
    world.await_edition(world.publish().edition)
    assert [figis(world, number) for number in (3, 5)] == [[], []], "the names are of others"


@pytest.mark.parametrize("keys", ["{}", '{"openfigi": "a-key-of-mine"}'])
def test_the_key_is_sent_if_there_is_one(world, keys):
    with Portal(OpenFigi(SHARES)) as portal:
        fetched(world, portal, SANKOFA_PORTAL_KEYS=keys)
        sent = {each.headers.get("X-OPENFIGI-APIKEY") for each in portal.requests}
    assert sent == {json.loads(keys).get("openfigi")}


def test_more_ids_than_a_run_may_ask_take_turns(world):
    known = source("openfigi")
    post = structs.replace(known.portal.post, ids_of=("demo-listings",), most=2)
    few = replace(known, portal=structs.replace(known.portal, post=post))
    with world.connect("ingest") as connection:
        days = [ids_to_ask(connection, few, date(2024, 1, day)) for day in range(1, 5)]
    assert days[:2] == days[2:], "four ids have two turns"
    assert sorted(days[0] + days[1]) == sorted([ACME, ZEBRA, NAMESAKE, UNKNOWN])
