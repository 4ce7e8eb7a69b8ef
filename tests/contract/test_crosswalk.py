"""XWK: the identifiers of an organisation, and the organisation of an identifier, by tier."""

from __future__ import annotations

import csv
import io

import pytest

from demo.identifiers import figi, isin
from sankofa.entities.served import ID_TYPES
from support.filings import Filer
from support.lei_documents import an_lei, as_csv, stated
from support.organisations import company, id_of_lei, list_shares, register
from support.stated_organisations import SOURCE, document, record

LOOKUP = "/v1/crosswalk"
PATH = "/v1/crosswalk/"
ISIN, FIGI = isin("ZA", 1), figi(1)
PAID = ("registry", "aggregator", "isin", "figi")


@pytest.fixture(scope="module")
def known(module_service):
    """A service with a company of every type of identifier, and namesakes in several registries."""
    service = module_service
    register(
        service,
        company(1, "Acme Holdings Ltd", registered_as="1999/000001/07"),
        company(2, "Zebra Mining Ltd", registered_as="K 77-1", registered_at="RA000409", country="KE"),
        *(
            company(number, f"Branch {number} Ltd", registered_at=f"RA000{number}", registered_as="4711")
            for number in range(400, 425)
        ),
    )
    list_shares(
        service,
        ("XJSE", "ACME", "Acme Holdings Ltd", "ZA", ISIN, FIGI, "2008-04-01"),
        ("XNAI", "GONE", "Gone Group", "KE", "", "", "2001-01-01", "2019-06-28"),
        ("XNAI", "ACME", "Acme Kenya Group", "KE"),
    )
    service.ingest(Filer(7, "Filed Foods PLC").says(100, filed="2024-02-01").document())
    service.publish()
    service.acme = id_of_lei(service, 1)
    service.keys = {tier: {"X-API-Key": service.issue(tier).key} for tier in ("sample", "starter")}
    return service


def look_up(service, id_type, id_value, headers=None, **params):
    response = service.get(LOOKUP, headers, id_type=id_type, id_value=id_value, **params)
    assert response.status_code == 200, response.text
    return response.exact


@pytest.mark.proves("XWK-1", "ENV-4")
def test_a_paid_key_gets_every_identifier_with_issuer_and_provenance(known):
    body = known.get(PATH + known.acme, known.keys["starter"]).exact
    rows = [(row["id_type"], row["id_value"], row["issuer"]) for row in body["data"]]
    assert rows == [
        ("figi", FIGI, None),
        ("isin", ISIN, None),
        ("lei", an_lei(1), None),
        ("registry", "1999/000001/07", "RA000526"),
        ("ticker", "XJSE:ACME", "XJSE"),
    ]
    assert (body["withheld_id_types"], body["crosswalk_loaded"]) == ([], True)
    ticker = body["data"][-1]
    ((sha256,),) = known.rows(
        "SELECT encode(sha256, 'hex') FROM ops.document WHERE source = %s", "demo-listings"
    )
    assert ticker == {
        "service_id": known.acme,
        "id_type": "ticker",
        "id_value": "XJSE:ACME",
        "issuer": "XJSE",
        "evidence": "register",
        "available_at": "2026-01-05",
        "valid_from": "2008-04-01",
        "source_ref": f"demo-listings@sha256:{sha256}#ticker:XJSE:ACME",
        "license_class": "synthetic",
        "observed_at": "2026-01-05T06:01:00Z",
        "provenance_id": ticker["provenance_id"],
    }


@pytest.mark.proves("XWK-1", "KEY-8")
def test_a_sample_key_gets_lei_ticker_and_filer_number_and_is_told_what_else_there_is(known):
    body = known.get(PATH + known.acme, known.keys["sample"]).exact
    assert [row["id_type"] for row in body["data"]] == ["lei", "ticker"]
    assert body["withheld_id_types"] == ["figi", "isin", "registry"]
    assert body["truncated"] is False
    filer = known.get(PATH + known.id_of("cik:0000000007"), known.keys["sample"]).exact
    assert [(row["id_type"], row["issuer"], row["id_value"]) for row in filer["data"]] == [
        ("registry", "US-SEC", "0000000007")
    ]
    assert filer["withheld_id_types"] == []


@pytest.mark.proves("XWK-1")
def test_what_a_sample_key_does_not_see_is_in_no_form_of_the_answer(known):
    for accept in ("text/csv", "application/x-ndjson", "application/vnd.apache.arrow.stream"):
        content = known.get(PATH + known.acme, known.keys["sample"] | {"Accept": accept}).content
        assert an_lei(1).encode() in content
        for hidden in (ISIN, FIGI, "1999/000001/07"):
            assert hidden.encode() not in content
    paid = known.get(PATH + known.acme, known.keys["starter"] | {"Accept": "text/csv"}).text
    assert next(csv.DictReader(io.StringIO(paid)))["id_value"] == FIGI


@pytest.mark.proves("XWK-1", "ENV-11")
def test_no_etag_of_one_entitlement_answers_for_the_other(known):
    sample, paid = (known.get(PATH + known.acme, known.keys[tier]) for tier in ("sample", "starter"))
    assert sample.headers["etag"] != paid.headers["etag"]
    crossed = known.get(PATH + known.acme, known.keys["sample"] | {"If-None-Match": paid.headers["etag"]})
    assert (crossed.status_code, crossed.content) == (200, sample.content)


@pytest.mark.proves("XWK-1")
def test_an_identifier_that_was_retired_is_not_shown(known):
    gone = known.get(PATH + known.id_of("ticker:XNAI:GONE"))
    assert (gone.status_code, gone.exact["data"], gone.exact["withheld_id_types"]) == (200, [], [])
    assert look_up(known, "ticker", "XNAI:GONE")["data"] == []


@pytest.mark.proves("XWK-2")
@pytest.mark.parametrize("tier", ["sample", "starter"])
def test_a_former_identifier_names_who_had_it_and_until_when(known, tier):
    body = look_up(known, "ticker", "nbo:gone", known.keys[tier])
    assert (body["data"], body["count"], body["ambiguous"]) == ([], 0, False)
    assert body["former"] == [
        {
            "service_id": known.id_of("ticker:XNAI:GONE"),
            "id_type": "ticker",
            "id_value": "XNAI:GONE",
            "issuer": "XNAI",
            "valid_from": "2001-01-01",
            "valid_to": "2019-06-28",
        }
    ]
    for current in (("ticker", "XJSE:ACME"), ("lei", an_lei(1)), ("ticker", "XJSE:GONE")):
        assert look_up(known, *current, known.keys[tier])["former"] == []


@pytest.mark.proves("XWK-2", "EDN-2")
def test_former_holders_stand_beside_the_current_one_the_last_first_and_follow_editions(service):
    list_shares(
        service,
        ("XNAI", "ABC", "First Group", "KE", isin("KE", 1), "", "1990-01-01", "1999-12-31"),
        ("XNAI", "ABC", "Second Group", "KE", isin("KE", 2), "", "2001-01-01", "2010-12-31"),
        ("XNAI", "ABC", "Third Group", "KE", isin("KE", 3), "", "2012-01-01"),
    )
    service.publish()
    body = look_up(service, "ticker", "XNAI:ABC")
    names = {
        row[0]: row[1] for row in service.rows("SELECT service_id, legal_name FROM serving.organisation")
    }
    assert [row["legal_name"] for row in body["data"]] == ["Third Group"]
    assert [(names[row["service_id"]], row["valid_to"]) for row in body["former"]] == [
        ("Second Group", "2010-12-31"),
        ("First Group", "1999-12-31"),
    ]
    service.take_down(body["former"][0]["service_id"])
    service.await_edition(service.publish().edition)
    left = look_up(service, "ticker", "XNAI:ABC")["former"]
    assert [names[row["service_id"]] for row in left] == ["First Group"]
    then = look_up(service, "ticker", "XNAI:ABC", edition=1)
    assert then["former"] == left  # what is taken down is gone from every edition
    assert then["data"] == body["data"]


@pytest.mark.proves("XWK-1", "XWK-2", "ENT-1")
@pytest.mark.parametrize("order", [1, -1])
def test_a_table_that_names_a_retired_lei_does_not_revive_it(service, order):
    """Only the register that issues an LEI says whether it holds; others go on naming it."""
    register_of_leis = as_csv(stated(lei=an_lei(1), registration="RETIRED"))
    pairs = f"lei,cik\n{an_lei(1)},320193\n".encode()
    for source, content in [("demo-gleif", register_of_leis), ("demo-cik-lei", pairs)][::order]:
        service.ingest(content, source_name=source)
    service.publish()
    shown = service.get(PATH + service.id_of(f"lei:{an_lei(1)}")).exact["data"]
    assert ("registry", "US-SEC", "0000320193") in [
        (row["id_type"], row["issuer"], row["id_value"]) for row in shown
    ]
    assert "lei" not in {row["id_type"] for row in shown}
    body = look_up(service, "lei", an_lei(1))
    assert body["data"] == []
    (entity,) = service.get(f"/v1/entities/{service.id_of(f'lei:{an_lei(1)}')}").exact["data"]
    assert (entity["lei"], entity["lei_status"]) == (an_lei(1), "retired")
    assert [(row["service_id"], row["id_value"]) for row in body["former"]] == [
        (entity["service_id"], entity["lei"])
    ]


@pytest.mark.proves("XWK-1")
def test_the_crosswalk_says_whether_the_edition_has_any(service):
    unnumbered = record("stated:1", "Acme Holdings Limited", country="ZA")
    service.ingest(document(unnumbered), source_name=SOURCE)
    service.publish()
    path = PATH + service.id_of("stated:1")
    first = service.get(path).exact
    assert (first["data"], first["crosswalk_loaded"]) == ([], False)
    register(service, company(1, "Zebra Mining Ltd"))
    service.await_edition(service.publish().edition)
    assert service.get(path).exact["crosswalk_loaded"] is True
    assert service.get(path, edition=1).exact == first


@pytest.mark.proves("XWK-1", "ENV-17")
def test_pages_of_many_identifiers_follow_each_other_in_order(service):
    many = 8_100
    register(service, company(1, "Acme Ltd"))
    rows = "".join(f"{an_lei(1)},{isin('ZA', number)}\n" for number in range(many))
    service.ingest(f"LEI,ISIN\n{rows}".encode(), source_name="gleif-isins")
    service.publish()
    path = PATH + id_of_lei(service, 1)
    first = service.get(path).exact
    assert (first["truncated"], first["count"]) == (True, 8_000)
    second = service.get(path, cursor=first["next_cursor"]).exact
    assert (second["truncated"], second["count"]) == (False, many + 2 - 8_000)
    order = [(row["id_type"], row["id_value"], row["issuer"] or "") for row in first["data"] + second["data"]]
    assert order == sorted(set(order))
    sample = service.get(path, {"X-API-Key": service.issue("sample").key}).exact
    assert [row["id_type"] for row in sample["data"]] == ["lei"]


@pytest.mark.proves("XWK-2")
@pytest.mark.parametrize(
    ("id_type", "id_value", "shown"),
    [
        ("lei", an_lei(1), an_lei(1)),
        ("isin", ISIN, ISIN),
        ("figi", FIGI, FIGI),
        ("registry", "1999/000001/07", "1999/000001/07"),
        ("ticker", "XJSE:ACME", "XJSE:ACME"),
        ("ticker", "JSE:ACME", "XJSE:ACME"),
    ],
)
def test_each_type_finds_its_organisation(known, id_type, id_value, shown):
    body = look_up(known, id_type, id_value)
    (row,) = body["data"]
    assert (row["service_id"], row["legal_name"]) == (known.acme, "Acme Holdings Ltd")
    assert (row["id_type"], row["id_value"]) == (id_type, shown)
    assert row["issuer"] == {"registry": "RA000526", "ticker": "XJSE"}.get(id_type)
    assert (body["ambiguous"], body["truncated"], body["next_cursor"]) == (False, False, None)
    assert set(row) == {
        *("service_id", "legal_name", "id_type", "id_value", "issuer", "evidence", "available_at"),
        "provenance_id",
        *("source_ref", "license_class", "observed_at"),
    }


@pytest.mark.proves("XWK-3")
@pytest.mark.parametrize(
    ("id_type", "id_value"),
    [
        ("lei", an_lei(1).lower()),
        ("lei", f" {an_lei(1)[:4]} {an_lei(1)[4:]} "),
        ("isin", f"{ISIN[:2]}-{ISIN[2:]}".lower()),
        ("registry", "199900000107"),
        ("registry", "1999 / 000001 / 07"),
        ("registry", "1999\uff0f000001\uff0f07"),
        ("ticker", "xjse:acme"),
        ("ticker", " XJSE : ACME "),
    ],
)
def test_case_spaces_and_punctuation_do_not_matter(known, id_type, id_value):
    assert [row["service_id"] for row in look_up(known, id_type, id_value)["data"]] == [known.acme]


@pytest.mark.proves("XWK-3")
def test_ingest_takes_no_number_with_a_wrong_check_digit(service):
    wrong = {"LEI": an_lei(1)[:-1] + "0", "ISIN": ISIN[:-1] + "0", "FIGI": FIGI[:-1] + "0"}
    text = f"mic,ticker,name,country,isin,figi\nXJSE,ACME,Acme Group,ZA,{wrong['ISIN']},{wrong['FIGI']}\n"
    (batch,) = service.ingest(text.encode(), source_name="demo-listings")
    assert {"repaired_isin", "repaired_figi"} <= set(batch.rejected)
    service.publish()
    for id_type in ("lei", "isin", "figi"):
        assert look_up(service, id_type, wrong[id_type.upper()])["data"] == []


@pytest.mark.proves("XWK-2")
@pytest.mark.parametrize(
    ("id_type", "id_value"),
    [
        ("lei", an_lei(999)),
        ("lei", an_lei(1)[:-1] + "0"),
        ("registry", "no such number"),
        ("registry", "///"),
        ("registry", " "),
        ("aggregator", "za/1999"),
        ("ticker", "XXXX:ACME"),
        ("ticker", "KSE:ACME"),
        ("ticker", "NO-SUCH:ACME"),
        ("figi", "\u00e9" * 64),
    ],
)
def test_no_match_is_an_empty_answer(known, id_type, id_value):
    body = look_up(known, id_type, id_value)
    assert (body["data"], body["count"], body["ambiguous"]) == ([], 0, False)


@pytest.mark.proves("XWK-2")
def test_several_organisations_are_called_ambiguous_and_twenty_are_shown(known):
    body = look_up(known, "registry", "4711")
    assert (body["ambiguous"], body["count"], body["truncated"]) == (True, 20, True)
    assert body["next_cursor"] is None
    places = [(row["id_value"], row["issuer"], row["service_id"]) for row in body["data"]]
    assert places == sorted(set(places))
    assert look_up(known, "ticker", "XNAI:ACME")["ambiguous"] is False


@pytest.mark.proves("XWK-2", "ERR-2")
@pytest.mark.parametrize(
    ("sent", "named"),
    [
        ({}, {"id_type", "id_value"}),
        ({"id_type": "lei"}, {"id_value"}),
        ({"id_value": "x"}, {"id_type"}),
        ({"id_type": "LEI", "id_value": "x"}, {"id_type"}),
        ({"id_type": "cusip", "id_value": "x"}, {"id_type"}),
        ({"id_type": "lei", "id_value": ""}, {"id_value"}),
        ({"id_type": "lei", "id_value": "x" * 65}, {"id_value"}),
        ({"id_type": "lei", "id_value": "a\x00b"}, {"id_value"}),
        ({"id_type": "ticker", "id_value": "ACME"}, {"id_value"}),
        ({"id_type": "ticker", "id_value": "XJSE:AC:ME"}, {"id_value"}),
        ({"id_type": "ticker", "id_value": ":ACME"}, {"id_value"}),
        ({"id_type": "ticker", "id_value": "XJSE:"}, {"id_value"}),
        ({"id_type": "ticker", "id_value": "Johannesburg:ACME"}, {"id_value"}),
        ({"id_type": "ticker", "id_value": "J/SE:ACME"}, {"id_value"}),
        ({"id_type": "ticker", "id_value": "NSE:ACME"}, {"id_value"}),
        ({"id_type": "lei", "id_value": "x", "limit": "5"}, {"limit"}),
        ({"id_type": "lei", "id_value": "x", "cursor": "x"}, {"cursor"}),
    ],
)
def test_what_is_missing_or_malformed_is_named(known, sent, named):
    response = known.get(LOOKUP, **sent)
    assert response.status_code == 400
    body = response.exact
    assert set(body.get("parameters", [body["parameter"]])) == named


@pytest.mark.proves("XWK-2")
def test_an_exchange_code_that_several_exchanges_use_is_refused_with_their_mics(known):
    response = known.get(LOOKUP, id_type="ticker", id_value="nse:ACME")
    assert (response.status_code, response.exact["parameter"]) == (400, "id_value")
    for mic in ("XNAI", "XNSA", "XNSE"):
        assert mic in response.exact["detail"]
        assert known.get(LOOKUP, id_type="ticker", id_value=f"{mic}:ACME").status_code == 200


@pytest.mark.proves("XWK-2", "KEY-7", "KEY-10")
@pytest.mark.parametrize("id_type", ID_TYPES)
def test_a_sample_key_pays_for_all_but_lei_and_ticker_whether_or_not_there_is_a_match(known, id_type):
    values = {"lei": an_lei(1), "isin": ISIN, "figi": FIGI, "ticker": "XJSE:ACME"}
    held = values.get(id_type, "1999/000001/07")
    bodies = set()
    for value in (held, "XXXX:NOBODY"):
        headers = known.keys["sample"] | {"X-Request-Id": "one"}
        response = known.get(LOOKUP, headers, id_type=id_type, id_value=value)
        assert response.status_code == (402 if id_type in PAID else 200)
        bodies.add(response.content)
        if id_type in PAID:
            assert response.exact["upgrade_url"] == response.headers["x-upgrade-url"]
            assert (response.exact["parameter"], "limit" in response.exact) == ("id_type", False)
    assert len(bodies) == (1 if id_type in PAID else 2)
    wrong = known.get(LOOKUP, known.keys["sample"], id_type=id_type, id_value="", edition="x")
    assert wrong.status_code == 400


@pytest.mark.proves("XWK-2", "KEY-7")
def test_a_look_up_that_must_be_paid_for_asks_nothing_of_the_database(known):
    """Not even for an edition that was never published: that would be 400, and needs a look."""
    response = known.get(LOOKUP, known.keys["sample"], id_type="isin", id_value=ISIN, edition="999")
    assert response.status_code == 402


@pytest.mark.proves("XWK-2", "ENV-9")
def test_the_permanent_address_gives_the_same_answer(known):
    for value in ("1999/000001/07", "a b&c=d", "\u00e9"):
        first = known.get(LOOKUP, id_type="registry", id_value=value)
        again = known.get(first.headers["content-location"])
        assert again.content == first.content


@pytest.mark.proves("XWK-2", "ENT-2")
def test_an_earlier_edition_answers_as_it_did(service):
    register(service, company(1, "Acme Ltd"))
    service.publish()
    then = service.get(LOOKUP, id_type="lei", id_value=an_lei(1), edition=1).content
    register(service, company(1, "Acme Renamed Ltd", updated="2024-06-01T00:00:00Z"), company(2, "Other Ltd"))
    service.await_edition(service.publish().edition)
    assert look_up(service, "lei", an_lei(1))["data"][0]["legal_name"] == "Acme Renamed Ltd"
    assert look_up(service, "lei", an_lei(2))["count"] == 1
    assert service.get(LOOKUP, id_type="lei", id_value=an_lei(1), edition=1).content == then
    assert look_up(service, "lei", an_lei(2), edition=1)["data"] == []
