"""SHF: facts of any dataset in one shape, of one organisation or country; tenders stand apart."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from contract.keyed import key, large_filer
from support.filings import FY2022, REVENUE, Filer
from support.stated_macro import GDP, indicator, rates, vintages
from support.stated_organisations import SOURCE, document, record
from support.waiting import until

PATH = "/v1/shared/facts"
SHILLING = {"2024-02-28": {"KES": "157.2"}, "2024-02-29": {"KES": "157.9"}}
PRICES = {
    "2024-01-01": [("2024-02-15", "110.1"), ("2024-03-15", "110.4")],
    "2024-02-01": [("2024-03-15", "111"), ("2024-06-15", ".")],
}


@pytest.fixture(scope="module")
def shared(module_service):
    """A service with issuers and series in edition 1, and a merge of two issuers in edition 2."""
    service = module_service
    restated = Filer(1).says(100, filed="2024-02-01").says(90, filed="2024-06-01")
    restated.says(70, filed="2024-02-01", period=FY2022).says(None, filed="2024-09-01", period=FY2022)
    restated.says(40, filed="2024-02-01", concept="ifrs-full:Assets", period=(None, "2023-12-31"), unit="USD")
    many = large_filer(2, 60)
    duplicate = Filer(3).says(5, filed="2024-02-01")
    service.ingest(*(filer.document() for filer in (restated, many, duplicate)))
    service.ingest(
        document(
            record(restated.identifier, restated.name, country="KE", day=date(2025, 1, 1)),
            record(many.identifier, many.name, country="US-DE", day=date(2025, 1, 1)),
        ),
        source_name=SOURCE,
    )
    service.ingest(rates(SHILLING), source_name="demo-fx")
    service.ingest(vintages(PRICES), source_name="demo-alfred")
    output = {("KEN", 2022): "113.4", ("KEN", 2021): "109.7", ("ZAF", 2022): "405.3"}
    service.ingest(indicator(output), source_name="demo-world-bank")
    service.publish()
    service.ids = {filer.number: service.id_of(filer.identifier) for filer in (restated, many, duplicate)}
    service.merge(service.ids[3], service.ids[1])
    service.publish()
    service.tiers = {tier: service.issue(tier) for tier in ("sample", "starter", "professional")}
    return service


def rows(service, **params):
    response = service.get(PATH, **params)
    assert response.status_code == 200, response.text
    return response.exact["data"]


def parameter_of(response):
    assert response.status_code == 400, response.text
    return response.exact["parameter"]


def told(found):
    return [(row["measure"], row["period_end"], row["vintage"], row["value"]) for row in found]


@pytest.mark.proves("SHF-1")
def test_a_row_of_an_issuer_has_every_field(shared):
    (row,) = rows(shared, entity_id=shared.ids[1], measure="total_assets")
    assert row == {
        "fact_id": row["fact_id"],
        "entity_id": shared.ids[1],
        "entity_name": "Example Holdings PLC",
        "name_as_of": "2025-01-01",
        "country_iso3": "KEN",
        "dataset": "AF-FUND",
        "measure": "total_assets",
        "value": 40,
        "unit": "USD",
        "joint": None,
        "period_end": "2023-12-31",
        "period_type": "FY",
        "available_at": "2024-02-01",
        "available_at_basis": "filing",
        "vintage": 1,
        "provenance_id": row["provenance_id"],
        "source_ref": row["source_ref"],
        "license_class": "synthetic",
        "extraction_confidence": None,
        "observed_at": "2026-01-05T06:00:00Z",
        "method": "xbrl",
    }
    assert row["source_ref"].endswith("#ifrs-full:Assets")
    names = shared.rows("SELECT legal_name FROM serving.organisation WHERE service_id = %s", shared.ids[1])
    assert {(row["entity_name"],)} == set(names)


@pytest.mark.proves("SHF-1")
def test_the_country_of_an_issuer_is_that_of_its_law_and_null_where_it_is_not_known(shared):
    countries = {
        number: {row["country_iso3"] for row in rows(shared, entity_id=shared.ids[number], edition=1)}
        for number in (1, 2, 3)
    }
    assert countries == {1: {"KEN"}, 2: {"USA"}, 3: {None}}


@pytest.mark.proves("SHF-1")
def test_a_row_of_a_country_has_every_field(shared):
    row = rows(shared, entity_id="KEN", measure="CPI.KEN", as_of="2024-05-01")[0]
    assert row == {
        "fact_id": row["fact_id"],
        "entity_id": "KEN",
        "entity_name": "Kenya",
        "name_as_of": None,
        "country_iso3": "KEN",
        "dataset": "AF-MACRO",
        "measure": "CPI.KEN",
        "value": 111,
        "unit": "index",
        "joint": None,
        "period_end": "2024-02-29",
        "period_type": None,
        "available_at": "2024-03-15",
        "available_at_basis": "publisher",
        "vintage": 1,
        "provenance_id": row["provenance_id"],
        "source_ref": row["source_ref"],
        "license_class": "synthetic",
        "extraction_confidence": None,
        "observed_at": row["observed_at"],
        "method": row["method"],
    }
    year = rows(shared, entity_id="KEN", measure=GDP[0])[0]
    assert (year["period_end"], year["period_type"]) == ("2022-12-31", "FY")
    assert (year["available_at"], year["available_at_basis"]) == ("2024-03-28", "publisher")


@pytest.mark.proves("SHF-3")
@pytest.mark.parametrize(
    ("as_of", "expected"),
    [
        ("2024-01-31", []),
        ("2024-02-01", [("2023-12-31", 1, 100), ("2022-12-31", 1, 70)]),
        ("2024-05-31", [("2023-12-31", 1, 100), ("2022-12-31", 1, 70)]),
        ("2024-06-01", [("2023-12-31", 2, 90), ("2022-12-31", 1, 70)]),
        ("2024-09-01", [("2023-12-31", 2, 90)]),
        (None, [("2023-12-31", 2, 90)]),
    ],
)
def test_a_reported_value_is_shown_in_its_latest_vintage_by_then(shared, as_of, expected):
    asked = {"as_of": as_of} if as_of else {}
    found = rows(shared, entity_id=shared.ids[1], measure="revenue", edition=1, **asked)
    assert told(found) == [("revenue", *values) for values in expected]


@pytest.mark.proves("SHF-3")
def test_a_stated_value_is_shown_in_its_latest_vintage_by_then_years_included(shared):
    series = [
        ("FX.EUR.KES", "2024-02-29", 1, Decimal("157.9")),
        ("FX.EUR.KES", "2024-02-28", 1, Decimal("157.2")),
    ]
    january = ("CPI.KEN", "2024-01-31", 2, Decimal("110.4"))
    years = [(GDP[0], "2022-12-31", 1, Decimal("113.4")), (GDP[0], "2021-12-31", 1, Decimal("109.7"))]
    assert told(rows(shared, entity_id="KEN")) == [*series, january, *years]
    assert told(rows(shared, entity_id="KEN", as_of="2024-06-15")) == [*series, january, *years]
    # One measure comes before the other on the same day.
    february = ("CPI.KEN", "2024-02-29", 1, 111)
    assert told(rows(shared, entity_id="KEN", as_of="2024-06-14")) == [february, *series, january, *years]
    # The years became available on 2024-03-28, the date of their page.
    assert told(rows(shared, entity_id="KEN", as_of="2024-03-27")) == [february, *series, january]
    first = ("CPI.KEN", "2024-01-31", 1, Decimal("110.1"))
    assert told(rows(shared, entity_id="KEN", as_of="2024-02-28")) == [series[1], first]


@pytest.mark.proves("SHF-4")
def test_a_measure_selects_one_and_an_unknown_one_or_an_unknown_entity_has_no_rows(shared):
    for entity, measure in ((shared.ids[1], "revenue"), ("KEN", "CPI.KEN"), ("KEN", GDP[0])):
        assert {row["measure"] for row in rows(shared, entity_id=entity, measure=measure)} == {measure}
    for asked in (
        {"entity_id": "DC0000000000000"},
        {"entity_id": "DCx"},
        {"entity_id": "XXX"},
        {"entity_id": "GHA"},
        {"entity_id": shared.ids[1], "measure": "no such thing"},
        {"entity_id": "KEN", "measure": "revenue"},
        {"country": "GHA", "dataset": "AF-MACRO"},
    ):
        assert rows(shared, **asked) == []


@pytest.mark.proves("SHF-2")
def test_either_an_entity_or_a_country_is_sent(shared):
    for asked in ({}, {"entity_id": "KEN", "country": "KEN"}, {"dataset": "AF-MACRO"}):
        response = shared.get(PATH, **asked)
        assert parameter_of(response) == "entity_id"
        assert response.exact["parameters"] == ["entity_id", "country"]


@pytest.mark.proves("SHF-2")
def test_which_datasets_go_with_whom(shared):
    issuer = shared.ids[1]
    assert rows(shared, entity_id=issuer) == rows(shared, entity_id=issuer, dataset="AF-FUND")
    assert rows(shared, entity_id="KEN") == rows(shared, country="ken", dataset="AF-MACRO")
    assert rows(shared, entity_id="KEN") == rows(shared, entity_id="KEN", dataset="AF-MACRO")
    for asked in (
        {"country": "KEN"},
        {"country": "KEN", "dataset": "AF-FUND"},
        {"entity_id": issuer, "dataset": "AF-MACRO"},
        {"entity_id": "KEN", "dataset": "AF-FUND"},
        {"entity_id": "KEN", "dataset": "AF-TENDER"},
        {"entity_id": "DCA", "dataset": "AF-FUND"},  # three capitals are a country, whatever they begin with
        {"entity_id": issuer, "dataset": "af-fund"},
    ):
        assert parameter_of(shared.get(PATH, **asked)) == "dataset"


@pytest.mark.proves("ERR-8")
def test_an_id_is_whole_and_a_country_has_three_letters(shared):
    for text in ("ken", "Ken", "KE", "KENY", "D", "DC", "XC123", "DC-1", "DC1\n", " DC1", "DCé", ""):
        assert parameter_of(shared.get(PATH, entity_id=text)) == "entity_id"
    for text in ("KE", "K1N", "KENY", "", "KEN\n"):
        assert parameter_of(shared.get(PATH, country=text, dataset="AF-MACRO")) == "country"


@pytest.mark.proves("ENV-17", "ENV-13")
@pytest.mark.parametrize("limit", [1, 7, 60])
def test_pages_of_an_issuer_come_in_the_order_of_fundamentals(shared, limit):
    walked = list(walk(shared, limit, entity_id=shared.ids[2]))
    reported = shared.facts(shared.ids[2])
    assert len(reported) == 60
    assert [row["fact_id"] for row in walked] == [row["fact_id"] for row in reported]


@pytest.mark.proves("ENV-17", "ENV-13")
@pytest.mark.parametrize("limit", [1, 2, 4])
def test_pages_of_a_country_go_by_period_and_measure(shared, limit):
    walked = list(walk(shared, limit, country="ken", dataset="AF-MACRO"))
    assert walked == rows(shared, entity_id="KEN")
    places = [(row["period_end"], row["measure"]) for row in walked]
    assert places == sorted(
        sorted(places, key=lambda place: place[1]), key=lambda place: place[0], reverse=True
    )


def walk(service, limit, **asked):
    """Yield the rows of all pages; the cursor brings the question with it."""
    headers = key(service, "starter")
    body = service.get(PATH, headers=headers, limit=limit, **asked).exact
    while True:
        yield from body["data"]
        if body["next_cursor"] is None:
            return
        assert body["count"] == limit
        body = service.get(PATH, headers=headers, limit=limit, cursor=body["next_cursor"]).exact


@pytest.mark.proves("ENT-2")
def test_a_merged_id_answers_with_the_survivor(shared):
    merged, survivor = shared.ids[3], shared.ids[1]
    body = shared.get(PATH, entity_id=merged).exact
    assert body["resolved_from"] == merged
    assert {row["entity_id"] for row in body["data"]} == {survivor}
    assert body["data"] == rows(shared, entity_id=survivor)
    assert "resolved_from" not in shared.get(PATH, entity_id=survivor).exact
    before = shared.get(PATH, entity_id=merged, edition=1).exact
    assert "resolved_from" not in before
    assert [(row["entity_id"], row["value"]) for row in before["data"]] == [(merged, 5)]


@pytest.mark.proves("EDN-7")
def test_a_takedown_reaches_shared_facts(make_service):
    service = make_service()
    filer = Filer(1).says(100, filed="2024-02-01").says(90, filed="2024-06-01")
    gone = Filer(2).says(1, filed="2024-02-01")
    service.ingest(filer.document(), gone.document())
    service.publish()
    kept, taken = service.id_of(filer.identifier), service.id_of(gone.identifier)
    (newest,) = rows(service, entity_id=kept)
    assert newest["source_ref"].endswith(f"#{REVENUE}")
    service.take_down(kept, newest["fact_id"])
    service.take_down(taken)
    until(lambda: not (rows(service, entity_id=taken) or rows(service, entity_id=kept)))
    # The older vintage does not pass for the latest.
    assert rows(service, entity_id=kept) == []


@pytest.mark.proves("KEY-7", "KEY-8", "KEY-12")
def test_limits_of_the_tiers_hold_here_too(shared):
    asked = {"entity_id": shared.ids[2]}
    preview = shared.get(PATH, headers=key(shared, "sample"), **asked).exact
    assert (preview["count"], preview["truncated"]) == (25, True)
    assert shared.get(PATH, headers=key(shared, "sample"), limit=26, **asked).status_code == 402
    assert parameter_of(shared.get(PATH, headers=key(shared, "starter"), limit=1001, **asked)) == "limit"


@pytest.mark.proves("TEN-3")
def test_a_cursor_goes_with_its_own_question_only(shared):
    cursor = shared.get(PATH, entity_id=shared.ids[2], limit=5).exact["next_cursor"]
    for sent in (
        {"entity_id": shared.ids[1]},
        {"country": "KEN"},
        {"measure": "revenue"},
        {"dataset": "AF-TENDER"},
        {"as_of": "2024-01-01"},
    ):
        assert parameter_of(shared.get(PATH, cursor=cursor, **sent)) == "cursor"
    assert shared.get(PATH, cursor=cursor, entity_id=shared.ids[2], dataset="AF-FUND").status_code == 200
