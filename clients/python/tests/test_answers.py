"""What a caller gets: rows across pages, the envelope, exact numbers, errors that say what to do."""

from __future__ import annotations

import asyncio
import json
import pickle
from datetime import date
from decimal import Decimal

import pytest

from sankofa_client import (
    AsyncClient,
    Client,
    InvalidKey,
    InvalidParameter,
    LimitReached,
    NotFound,
    UnknownPath,
    UpgradeRequired,
    rows,
)
from support.filings import Filer


def test_a_restated_value_is_the_old_one_the_day_before(client, issuer):
    def revenue(day):
        facts = client.fundamentals(issuer, period_type="FY", as_of=day)
        return [
            (fact.value_reported, fact.vintage, fact.available_at)
            for fact in facts
            if (fact.line_item, fact.fiscal_year) == ("revenue", 2022)
        ]

    assert revenue("2024-03-14") == [(Decimal(1150000000), 1, date(2023, 3, 16))]
    assert revenue(date(2024, 3, 15)) == [(Decimal(1100000000), 2, date(2024, 3, 15))]


def test_all_pages_are_followed_and_none_is_asked_for_twice(demo, client):
    body = demo.get("/v1/tenders", country="KE", limit=10000).exact
    whole = body["data"]
    while body["next_cursor"]:
        body = demo.get("/v1/tenders", cursor=body["next_cursor"], limit=10000).exact
        whole += body["data"]
    asked = client.tenders(country="KE", limit=137)
    assert [row.id for row in asked] == [row["id"] for row in whole]
    pages = list(asked.pages())
    assert [len(page.rows) for page in pages[:-1]] == [137] * (len(pages) - 1)
    assert asked.first_page is asked.first_page
    assert asked.head(140) == [row for page in pages for row in page.rows][:140]


def test_nothing_is_asked_before_somebody_looks():
    Client("http://127.0.0.1:1", key="nobody").fundamentals("DC1")


def test_the_envelope_is_told(demo, client, issuer):
    facts = client.fundamentals(issuer, as_of="2024-03-14")
    body = demo.get(f"/v1/fundamentals/{issuer}", as_of="2024-03-14")
    assert (facts.count, facts.truncated, facts.edition) == (
        body.exact["count"],
        False,
        body.exact["edition"],
    )
    assert (facts.as_of, facts.license) == (date(2024, 3, 14), body.exact["_license"])
    assert facts.permanent_address == demo.api.url + body.headers["content-location"]
    assert client.screen(metric="net_margin", absent=True).absent is not None
    assert client.lookup(id_type="ticker", id_value="XNAI:NYAL").ambiguous is False


def test_one_is_one(client, issuer):
    assert client.entity(issuer).one().legal_name == "Nyalumera Foods Holdings PLC"
    with pytest.raises(ValueError, match="several"):
        client.editions().one()
    with pytest.raises(ValueError, match="none"):
        client.lookup(id_type="ticker", id_value="XNAI:NOBODY").one()


def test_rows_of_several_kinds_come_in_their_own(client):
    assert {type(row) for row in client.macro(country="KE").head(3)} == {rows.AnnualValue}
    assert {type(row) for row in client.macro(series="CPI.KEN").head(3)} == {rows.SeriesValue}
    kinds = {key: type(client.signal(key).head(1)[0]) for key in ("tender-value", "award-lead-time")}
    assert kinds == {"tender-value": rows.TenderValue, "award-lead-time": rows.AwardLeadTime}


def test_what_was_not_measured_is_a_word_and_the_rest_decimals(demo, client):
    said = {row["measure"]: row["value"] for row in demo.get("/v1/quality-metrics/AF-FUND").exact["data"]}
    held = {row.measure: row.value for row in client.quality("AF-FUND")}
    assert held == said
    assert {type(value) for value in held.values()} == {Decimal, str}


def test_more_digits_than_a_float_has_arrive(make_service):
    service = make_service()
    exact = Filer(9).says("9007199254740993.123456789012", filed="2024-02-01")
    service.ingest(exact.document())
    service.publish()
    with Client(service.api.url, key=service.issue().key) as client:
        asked = client.fundamentals(service.id_of(exact.identifier))
        assert str(asked.one().value_reported) == "9007199254740993.123456789012"
        assert [str(value) for value in asked.to_polars()["value_reported"]] == [
            "9007199254740993.123456789012"
        ]
        changed = client.changes().to_polars()["value"]
        assert [str(value) for value in changed] == ["9007199254740993.123456789012"]
        _pages_stay_with_their_edition(service, client, exact)


def _pages_stay_with_their_edition(service, client, filer):
    """Begun in one edition, a walk ends in it, and a pinned block answers from it all along."""
    service.ingest(filer.says(5, filed="2024-05-01").document())
    second = service.publish().edition
    service.await_edition(second)
    walk = client.changes(limit=1).pages()
    begun = next(walk)
    with client.pinned() as pinned:
        service.ingest(filer.says(6, filed="2024-06-01").document())
        third = service.publish().edition
        service.await_edition(third)
        assert {page.edition for page in walk} == {begun.edition} == {second}
        assert client.editions().edition == pinned.scope.edition == second
    assert client.editions().edition == third
    with Client(service.api.url, key=service.issue().key, edition=1) as first:
        assert first.editions().edition == 1


@pytest.mark.parametrize(
    ("ask", "kind", "status", "parameter"),
    [
        (lambda client: client.fundamentals("not an id"), InvalidParameter, 400, "service_id"),
        (lambda client: client.fundamentals("DC0000000000000"), NotFound, 404, None),
        (lambda client: client.tenders(as_of="2024-02-30"), InvalidParameter, 400, "as_of"),
        (lambda client: client.macro(from_=2020, to="2019"), InvalidParameter, 400, "from"),
    ],
)
def test_a_refusal_is_an_exception_that_names_what_is_wrong(client, ask, kind, status, parameter):
    with pytest.raises(kind) as caught:
        ask(client).first_page  # noqa: B018
    error = caught.value
    assert (error.status, error.parameter) == (status, parameter)
    assert error.title
    assert error.detail
    assert error.request_id in str(error)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_more_than_the_tier_gives_says_where_more_is(demo):
    with (
        Client(demo.api.url, key=demo.issue("sample").key) as sample,
        pytest.raises(UpgradeRequired) as caught,
    ):
        sample.tenders(limit=26).first_page  # noqa: B018
    error = caught.value
    assert (error.status, error.parameter, error.limit) == (402, "limit", 25)
    assert error.upgrade_url == f"{demo.api.url}/upgrade?from=limit"
    assert error.upgrade_url in str(error)


def test_a_wrong_key_is_told_without_showing_it(demo):
    with Client(demo.api.url, key="sk-mistyped") as stranger, pytest.raises(InvalidKey) as caught:
        stranger.editions().one()
    assert "mistyped" not in str(caught.value)


def test_a_path_of_another_service_is_told(demo, key):
    with Client(f"{demo.api.url}/v2", key=key) as lost, pytest.raises(UnknownPath):
        lost.editions().one()


def test_a_used_up_minute_is_told_at_once_if_waiting_takes_too_long(demo):
    def use_up(client):
        for _ in range(70):
            client.editions().first_page  # noqa: B018

    with (
        Client(demo.api.url, key=demo.issue("sample").key, timeout=0.9) as hasty,
        pytest.raises(LimitReached) as caught,
    ):
        use_up(hasty)
    assert (caught.value.policy, caught.value.limit) == ("burst", 60)
    assert caught.value.retry_after >= 1


def test_without_a_key_one_learns_how_the_service_is(demo):
    with Client(demo.api.url) as stranger:
        assert stranger.status().degraded == []
        assert stranger.freshness().stale == []
        assert stranger.health()
        assert stranger.openapi() == json.loads(demo.client.get("/openapi.json").content)


def test_who_awaits_gets_the_same(demo, key, client, issuer):
    async def ask():
        async with AsyncClient(demo.api.url, key=key) as waiting:
            facts = waiting.fundamentals(issuer)
            assert [fact async for fact in facts] == list(client.fundamentals(issuer))
            assert (await facts.first_page()).rows == client.fundamentals(issuer).first_page.rows
            assert await waiting.tenders(country="KE", limit=3).head(7) == client.tenders(country="KE").head(
                7
            )
            assert await waiting.entity(issuer).one() == client.entity(issuer).one()
            assert (await waiting.screen(metric="net_margin").to_polars()).equals(
                client.screen(metric="net_margin").to_polars()
            )
            assert (await waiting.status()).degraded == []
            assert (await waiting.freshness()).stale == []
            assert await waiting.health()
            assert await waiting.openapi() == client.openapi()
            with pytest.raises(NotFound):
                await waiting.fundamentals("DC0000000000000").first_page()

    asyncio.run(ask())
