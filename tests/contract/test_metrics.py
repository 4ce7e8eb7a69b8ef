"""MET: ratios of what issuers reported, each for the last full year that was published by a date."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from sankofa.metrics.formulas import METRICS
from support.filings import FY2022, FY2023, Filer
from support.lines import SCREEN, of_issuer, ranked, reports, screen
from support.stated_organisations import SOURCE, document, record

FY2021 = ("2021-01-01", "2021-12-31")
NAMED = {
    "net_margin",
    "operating_margin",
    "return_on_equity",
    "revenue_growth",
    "current_ratio",
    "debt_to_equity",
}


@pytest.fixture(scope="module")
def shown(module_service):
    """A service with a few hand-made issuers in edition 1, at home in Kenya but for some."""
    service = module_service
    plain = Filer(1)
    reports(plain, FY2022, "2023-03-01", revenue=100, net_income=7, equity=40, total_assets=90)
    reports(plain, FY2023, "2024-03-01", revenue=120, net_income=12, equity=60, total_assets=110)
    restated = Filer(2)
    reports(restated, FY2022, "2023-03-10", revenue=200, net_income=30)
    reports(restated, FY2023, "2024-03-10", revenue=210, net_income=21)
    reports(restated, FY2023, "2024-08-01", net_income=42)
    late = reports(Filer(3), FY2023, "2024-02-01", revenue=50)
    reports(late, FY2023, "2024-05-01", net_income=25)
    mixed = reports(Filer(4), FY2023, "2024-02-02", revenue=50)
    reports(mixed, FY2023, "2024-02-02", unit="USD", net_income=5)
    nothing_below = reports(Filer(5), FY2023, "2024-02-03", revenue=0, net_income=5)
    halves = reports(Filer(6), ("2023-01-01", "2023-06-30"), "2023-09-01", revenue=50, net_income=5)
    gap = reports(Filer(7), FY2021, "2022-03-01", revenue=80)
    reports(gap, FY2023, "2024-03-05", revenue=100, net_income=1)
    # Of the year's two numbers of one third, the exact one is larger than what it is rounded to.
    third = reports(Filer(8), FY2023, "2024-03-06", revenue=3, net_income=1)
    nearly = reports(Filer(9), FY2023, "2024-03-06", revenue=10**12, net_income=333333333333)
    bank = reports(Filer(10), FY2023, "2024-03-07", current_assets=9, current_liabilities=3)
    reports(bank, FY2023, "2024-03-07", customer_deposits=5, loans_to_customers=4, revenue=1)
    filers = (plain, restated, late, mixed, nothing_below, halves, gap, third, nearly, bank)
    service.ingest(*(filer.document() for filer in filers))
    homes = [
        record(filer.identifier, f"Number {filer.number} PLC", country=country, day=date(2025, 1, 1))
        for filer, country in zip(filers, ["KE"] * 8 + ["US-DE", "NG"], strict=True)
    ]
    service.ingest(document(*homes), source_name=SOURCE)
    service.publish()
    service.ids = {filer.number: service.id_of(filer.identifier) for filer in filers}
    service.numbers = {service_id: number for number, service_id in service.ids.items()}
    return service


@pytest.mark.proves("MET-1")
def test_there_are_at_least_twenty_metrics_each_with_formula_and_inputs():
    assert len({metric.slug for metric in METRICS}) == len(METRICS) >= 20
    assert {metric.slug for metric in METRICS} >= NAMED
    assert all(metric.formula and metric.inputs and metric.definition for metric in METRICS)


@pytest.mark.proves("MET-1", "MET-4", "ENV-4")
def test_a_row_has_every_field_and_names_its_methodology_and_its_sources(shown):
    (row,) = [row for row in screen(shown, "revenue_growth")["data"] if row["service_id"] == shown.ids[1]]
    facts = {fact["period_end"]: fact for fact in shown.facts(shown.ids[1]) if fact["line_item"] == "revenue"}
    this_year, year_before = facts["2023-12-31"], facts["2022-12-31"]
    ((day,),) = shown.rows("SELECT published_at::date FROM serving.edition WHERE edition = 1")
    assert row == {
        "rank": row["rank"],
        "service_id": shown.ids[1],
        "legal_name": "Number 1 PLC",
        "name_as_of": "2025-01-01",
        "country": "KE",
        "metric": "revenue_growth",
        "value": Decimal("0.2"),
        "fiscal_year": 2023,
        "period_end": "2023-12-31",
        "period_age_days": (day - date(2023, 12, 31)).days,
        "as_of": day.isoformat(),
        "published_at": "2024-03-01",
        "exact_from": "2024-03-01",
        "revised_later": False,
        "inputs": [this_year["fact_id"], year_before["fact_id"]],
        "methodology_ref": "metrics-v1#revenue_growth",
        "source_ref": "; ".join(sorted({this_year["source_ref"], year_before["source_ref"]})),
        "license_class": "synthetic",
        "observed_at": "2026-01-05T06:00:00Z",
    }
    (same,) = shown.get(f"/v1/metrics/{shown.ids[1]}", metric="revenue_growth").exact["data"]
    assert same == {name: value for name, value in row.items() if name != "rank"}


@pytest.mark.proves("MET-2")
@pytest.mark.parametrize(
    ("as_of", "expected"),
    [
        ("2023-02-28", {}),
        ("2023-03-01", {1: "0.07"}),
        # The second issuer's 2022 was never revised, and stands until its 2023 is published.
        ("2024-01-31", {1: "0.07", 2: "0.15"}),
        ("2024-02-29", {1: "0.07", 2: "0.15"}),
        # From 10 March its last year is 2023, which was revised in August: neither value, nor the older year.
        ("2024-04-30", {1: "0.1"}),
        # The third one's 2023 was published in February and complete in May.
        ("2024-05-01", {1: "0.1", 3: "0.5"}),
        ("2024-07-31", {1: "0.1", 3: "0.5"}),
        ("2024-08-01", {1: "0.1", 2: "0.2", 3: "0.5"}),
    ],
)
def test_the_last_year_published_by_then_is_shown_if_it_stood_as_it_stands_now(shown, as_of, expected):
    found = {number: value for number, value in ranked(shown, "net_margin", as_of=as_of) if number <= 3}
    assert found == {number: Decimal(value) for number, value in expected.items()}


@pytest.mark.proves("MET-3", "ENV-6", "ENV-17")
def test_ranks_come_from_the_value_before_rounding_and_ties_go_by_id(shown):
    largest = ranked(shown, "net_margin", as_of="2024-04-30")
    smallest = ranked(shown, "net_margin", as_of="2024-04-30", order="asc")
    # One third and 0.333333333333 round alike; the first is larger.
    third = Decimal("0.3333333333")
    assert [number for number, value in largest if value == third] == [8, 9]
    assert [number for number, value in smallest if value == third] == [9, 8]
    assert [value for _, value in largest] == sorted((value for _, value in largest), reverse=True)
    assert smallest == largest[::-1]
    assert (
        screen(shown, "net_margin", as_of="2024-04-30", order="desc")["data"]
        == (screen(shown, "net_margin", as_of="2024-04-30")["data"])
    )


@pytest.mark.proves("MET-3", "ERR-9")
def test_country_filters_in_either_code_and_one_without_coverage_is_empty(shown):
    whole = ranked(shown, "net_margin")
    kenyan = [(number, value) for number, value in whole if number <= 8]
    for code in ("KE", "ke", "KEN", "ken"):
        assert ranked(shown, "net_margin", country=code) == kenyan
    assert [number for number, _ in ranked(shown, "net_margin", country="US")] == [9]
    assert ranked(shown, "net_margin", country="ZA") == []
    assert ranked(shown, "net_margin", country="KE", order="asc") == kenyan[::-1]


@pytest.mark.proves("MET-3", "ERR-9")
@pytest.mark.parametrize(
    ("asked", "parameter"),
    [
        ({}, "metric"),
        ({"metric": "profit"}, "metric"),
        ({"metric": "Net_Margin"}, "metric"),
        ({"metric": "net_margin", "order": "up"}, "order"),
        ({"metric": "net_margin", "country": "K"}, "country"),
        ({"metric": "net_margin", "absent": "yes"}, "absent"),
        ({"metric": "net_margin", "basis": "known"}, "basis"),
        ({"metric": "net_margin", "basis": "AS_KNOWN"}, "basis"),
        ({"metric": "net_margin", "max_age_days": "0"}, "max_age_days"),
        ({"metric": "net_margin", "max_age_days": "-1"}, "max_age_days"),
        ({"metric": "net_margin", "max_age_days": "1.5"}, "max_age_days"),
        ({"metric": "net_margin", "max_age_days": "100000"}, "max_age_days"),
        ({"metric": "net_margin", "asof": "2024-01-01"}, "asof"),
    ],
)
def test_what_cannot_be_asked_is_refused_by_name(shown, asked, parameter):
    response = shown.get(SCREEN, **asked)
    assert (response.status_code, response.exact["parameter"]) == (400, parameter)


@pytest.mark.proves("MET-4", "ENV-17")
def test_metrics_of_an_issuer_are_those_of_the_screen_by_slug(shown):
    for number in shown.ids:
        found = of_issuer(shown, number)
        assert list(found) == sorted(found)
        for metric in METRICS:
            on_screen = dict(ranked(shown, metric.slug))
            assert found.get(metric.slug) == on_screen.get(number)


@pytest.mark.proves("MET-4")
def test_an_unknown_issuer_has_no_rows(shown):
    response = shown.get("/v1/metrics/DC0000000000000")
    assert (response.status_code, response.exact["data"]) == (200, [])
    assert shown.get("/v1/metrics/DC-1").status_code == 400


@pytest.mark.proves("MET-5")
def test_no_value_without_a_denominator_or_in_two_currencies(shown):
    shown_numbers = {number for number, _ in ranked(shown, "net_margin")}
    assert 4 not in shown_numbers
    assert 5 not in shown_numbers


@pytest.mark.proves("MET-5")
def test_no_growth_over_a_year_that_is_not_the_adjacent_one(shown):
    assert 7 in {number for number, _ in ranked(shown, "net_margin")}
    assert {number for number, _ in ranked(shown, "revenue_growth")} == {1, 2}


@pytest.mark.proves("MET-1", "MET-5")
def test_a_formula_that_would_mislead_about_a_bank_gives_it_no_value(shown):
    found = of_issuer(shown, 10)
    assert found == {"loan_to_deposit": Decimal("0.8")}
    absent = shown.get(f"/v1/metrics/{shown.ids[10]}", absent="true").exact["absent"]
    assert absent["current_ratio"] == "input_missing"


@pytest.mark.proves("MET-6")
@pytest.mark.parametrize(
    ("as_of", "known", "expected"),
    [
        # Of ten issuers one mixes currencies, one has no denominator, one is a bank without a net income, and
        # one reports halves only; all others are shown.
        (None, 10, {"input_missing": 3, "not_full_year": 1}),
        ("2024-07-31", 10, {"revised_after_as_of": 1, "input_missing": 3, "not_full_year": 1}),
        (
            "2024-04-30",
            10,
            {"revised_after_as_of": 1, "completed_after_as_of": 1, "input_missing": 3, "not_full_year": 1},
        ),
        # By then two had published 2023, and two 2022; number 7 had published 2021 without a net income.
        # Of the other four nothing was known.
        ("2024-02-02", 6, {"completed_after_as_of": 1, "input_missing": 2, "not_full_year": 1}),
        ("2000-01-01", 0, {}),
    ],
)
def test_everyone_who_is_left_out_is_counted_by_reason(shown, as_of, known, expected):
    asked = {"as_of": as_of} if as_of else {}
    body = screen(shown, "net_margin", absent="true", **asked)
    reasons = (
        "revised_after_as_of",
        "completed_after_as_of",
        "input_missing",
        "not_published",
        "not_full_year",
        "period_too_old",
    )
    assert body["absent"] == dict.fromkeys(reasons, 0) | expected
    assert body["count"] + sum(body["absent"].values()) == known
    assert "absent" not in screen(shown, "net_margin", **asked)


@pytest.mark.proves("MET-6")
def test_absence_is_counted_within_a_country(shown):
    body = screen(shown, "net_margin", absent="true", country="NG")
    assert (body["count"], body["absent"]["input_missing"], sum(body["absent"].values())) == (0, 1, 1)


@pytest.mark.proves("MET-3", "MET-6")
def test_the_filter_by_country_goes_by_where_an_issuer_was_at_home_on_the_day(service):
    filer = reports(Filer(1), FY2022, "2023-03-01", revenue=100, net_income=7)
    service.ingest(filer.document())
    for country, day in (("KE", date(2023, 1, 1)), ("NG", date(2024, 6, 1))):
        service.ingest(
            document(record(filer.identifier, "Moving PLC", country=country, day=day)), source_name=SOURCE
        )
    service.publish()

    def found(country, as_of):
        body = screen(service, "net_margin", country=country, as_of=as_of, absent="true")
        return [row["country"] for row in body["data"]], sum(body["absent"].values())

    assert found("KE", "2024-05-31") == (["KE"], 0)
    assert found("NG", "2024-05-31") == ([], 0)
    assert found("KE", "2024-06-01") == ([], 0)
    assert found("NG", "2024-06-01") == (["NG"], 0)


@pytest.mark.proves("MET-6")
def test_an_issuer_is_told_why_each_of_its_metrics_is_missing(shown):
    def reasons(number, **asked):
        return shown.get(f"/v1/metrics/{shown.ids[number]}", absent="true", **asked).exact["absent"]

    assert reasons(2, as_of="2024-05-01")["net_margin"] == "revised_after_as_of"
    assert reasons(3, as_of="2024-02-01")["net_margin"] == "completed_after_as_of"
    assert reasons(3)["gross_margin"] == "input_missing"
    assert reasons(3)["current_ratio"] == "not_published"
    assert set(reasons(6).values()) == {"not_full_year"}
    early = shown.get(f"/v1/metrics/{shown.ids[6]}", absent="true", as_of="2020-01-01").exact
    assert "absent" not in early  # nothing was known of it then
    assert set(reasons(1)) | set(of_issuer(shown, 1)) == {metric.slug for metric in METRICS}


@pytest.mark.proves("ENV-4")
def test_every_input_can_be_fetched_from_the_facts_of_that_edition(shown):
    for service_id in shown.ids.values():
        known = {fact["fact_id"] for fact in shown.facts(service_id)}
        for row in shown.get(f"/v1/metrics/{service_id}").exact["data"]:
            assert set(row["inputs"]) <= known
