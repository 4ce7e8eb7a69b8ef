"""MET-7 and MET-8: metrics as they were known on a day, and how old their period is; KEY-12 on metrics."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from support.filings import FY2022, FY2023, Filer
from support.lines import SCREEN, of_issuer, ranked, reports, screen

FY2021 = ("2021-01-01", "2021-12-31")
REVISED = "revised_after_as_of"
KNOWN = {"basis": "as_known"}


@pytest.fixture(scope="module")
def shown(module_service):
    """A service whose second edition adds filings of 2024 to the filings of the first."""
    service = module_service
    steady = reports(Filer(1), FY2022, "2023-03-01", revenue=100, net_income=20)
    restated = reports(Filer(2), FY2021, "2022-03-02", revenue=100, net_income=40)
    reports(restated, FY2022, "2023-03-02", revenue=100, net_income=30)
    withdrawn = reports(Filer(3), FY2022, "2023-03-03", revenue=100, net_income=10)
    late = reports(Filer(4), FY2022, "2023-03-04", revenue=100)
    filers = (steady, restated, withdrawn, late)
    service.ingest(*(filer.document() for filer in filers))
    service.publish()
    reports(restated, FY2022, "2024-03-15", net_income=15)
    reports(restated, FY2023, "2024-03-15", revenue=100, net_income=16)
    reports(withdrawn, FY2022, "2024-03-16", net_income=None)
    reports(late, FY2022, "2024-03-17", net_income=50)
    service.ingest(*(filer.document() for filer in (restated, withdrawn, late)))
    service.await_edition(service.publish().edition)
    service.ids = {filer.number: service.id_of(filer.identifier) for filer in filers}
    service.numbers = {service_id: number for number, service_id in service.ids.items()}
    return service


def rows(service, **asked):
    return screen(service, "net_margin", **asked)["data"]


def without_hindsight(service, **asked):
    """Return the rows of a screen without the fields that may look beyond as_of."""
    hidden = {"revised_later", "exact_from"}
    return [
        {name: value for name, value in row.items() if name not in hidden} for row in rows(service, **asked)
    ]


@pytest.mark.proves("MET-2", "MET-7")
@pytest.mark.parametrize(
    ("as_of", "exact", "as_known"),
    [
        ("2022-12-31", {2: "0.4"}, {2: "0.4"}),
        ("2023-06-30", {1: "0.2"}, {2: "0.3", 1: "0.2", 3: "0.1"}),
        ("2024-03-14", {1: "0.2"}, {2: "0.3", 1: "0.2", 3: "0.1"}),
        ("2024-03-15", {1: "0.2", 2: "0.16"}, {1: "0.2", 2: "0.16", 3: "0.1"}),
        ("2024-03-17", {4: "0.5", 1: "0.2", 2: "0.16"}, {4: "0.5", 1: "0.2", 2: "0.16"}),
    ],
)
def test_as_known_ranks_what_was_known_on_the_day_and_exact_what_never_changed(shown, as_of, exact, as_known):
    def in_order(values):
        return [(number, Decimal(value)) for number, value in values.items()]

    assert ranked(shown, "net_margin", as_of=as_of) == in_order(exact)
    assert ranked(shown, "net_margin", as_of=as_of, basis="exact") == in_order(exact)
    assert ranked(shown, "net_margin", as_of=as_of, **KNOWN) == in_order(as_known)
    assert ranked(shown, "net_margin", as_of=as_of, order="asc", **KNOWN) == in_order(as_known)[::-1]


@pytest.mark.proves("MET-7")
def test_revised_later_marks_exactly_the_rows_that_exact_leaves_out(shown):
    for as_of in ("2022-12-31", "2023-06-30", "2024-03-15", "2024-03-17", "2025-01-01"):
        known = {row["service_id"]: row for row in rows(shown, as_of=as_of, **KNOWN)}
        exact = {row["service_id"]: row for row in rows(shown, as_of=as_of)}
        assert {key for key, row in known.items() if not row["revised_later"]} == set(exact)
        assert all((row["exact_from"] is None) == row["revised_later"] for row in known.values())
        for key, row in exact.items():
            assert {**known[key], "rank": row["rank"]} == row
    revised = {
        shown.numbers[row["service_id"]]
        for row in rows(shown, as_of="2023-06-30", **KNOWN)
        if row["revised_later"]
    }
    assert revised == {2, 3}


@pytest.mark.proves("MET-7")
def test_filings_after_the_day_change_no_field_as_known_but_the_mark(shown):
    for as_of in ("2022-12-31", "2023-03-02", "2023-06-30", "2024-03-14"):
        before, after = (
            without_hindsight(shown, as_of=as_of, edition=edition, **KNOWN) for edition in (1, 2)
        )
        assert before == after
        assert not any(row["revised_later"] for row in rows(shown, as_of=as_of, edition=1, **KNOWN))


@pytest.mark.proves("MET-4", "MET-7", "ENV-4")
def test_the_inputs_as_known_are_the_facts_that_latest_shows_on_that_day(shown):
    for as_of in ("2023-06-30", "2024-03-15"):
        for service_id in shown.ids.values():
            known = shown.get(f"/v1/metrics/{service_id}", as_of=as_of, **KNOWN).exact["data"]
            facts = {fact["fact_id"] for fact in shown.facts(service_id, as_of=as_of)}
            assert all(row["inputs"] and set(row["inputs"]) <= facts for row in known)
            on_screen = [row for row in rows(shown, as_of=as_of, **KNOWN) if row["service_id"] == service_id]
            assert [row for row in known if row["metric"] == "net_margin"] == [
                {name: value for name, value in row.items() if name != "rank"} for row in on_screen
            ]


@pytest.mark.proves("MET-6", "MET-7")
def test_as_known_leaves_out_only_what_was_missing_on_the_day(shown):
    def counts(**asked):
        body = screen(shown, "net_margin", as_of="2023-06-30", absent="true", **asked)
        assert body["count"] + sum(body["absent"].values()) == 4
        return {reason: count for reason, count in body["absent"].items() if count}

    assert counts() == {REVISED: 2, "completed_after_as_of": 1}
    assert counts(**KNOWN) == {"input_missing": 1}
    absent = shown.get(f"/v1/metrics/{shown.ids[4]}", as_of="2023-06-30", absent="true", **KNOWN)
    assert absent.exact["absent"]["net_margin"] == "input_missing"
    absent = shown.get(f"/v1/metrics/{shown.ids[3]}", as_of="2023-06-30", absent="true")
    assert absent.exact["absent"]["net_margin"] == REVISED


@pytest.mark.proves("MET-8")
@pytest.mark.parametrize("basis", ["exact", "as_known"])
def test_rows_of_a_period_that_is_too_old_are_left_out_of_the_ranks(shown, basis):
    as_of = date(2024, 4, 1)
    asked = {"as_of": as_of.isoformat(), "basis": basis}
    ages = {shown.numbers[row["service_id"]]: row["period_age_days"] for row in rows(shown, **asked)}
    old, new = (as_of - date(2022, 12, 31)).days, (as_of - date(2023, 12, 31)).days
    assert ages == {4: old, 1: old, 2: new}
    assert [number for number, _ in ranked(shown, "net_margin", max_age_days=old, **asked)] == [4, 1, 2]
    assert [number for number, _ in ranked(shown, "net_margin", max_age_days=old - 1, **asked)] == [2]
    assert ranked(shown, "net_margin", max_age_days=new - 1, **asked) == []
    body = screen(shown, "net_margin", max_age_days=old - 1, absent="true", **asked)
    assert {reason: count for reason, count in body["absent"].items() if count} == {"period_too_old": 3}
    assert of_issuer(shown, 4, max_age_days=old - 1, **asked) == {}
    assert set(of_issuer(shown, 4, max_age_days=old, **asked)) == {"net_margin"}
    assert len(ranked(shown, "net_margin", max_age_days=99999, **asked)) == 3


@pytest.mark.proves("MET-8")
def test_without_as_of_the_age_is_counted_to_the_day_of_the_edition(shown):
    ((day,),) = shown.rows("SELECT published_at::date FROM serving.edition WHERE edition = 2")
    for row in rows(shown, **KNOWN):
        assert row["period_age_days"] == (day - date.fromisoformat(row["period_end"])).days


@pytest.mark.proves("MET-3", "MET-7")
def test_ranks_as_known_go_on_over_pages(shown):
    whole = rows(shown, as_of="2023-06-30", **KNOWN)
    found, asked = [], {"metric": "net_margin", "as_of": "2023-06-30", **KNOWN}
    while True:
        body = shown.get(SCREEN, limit=1, **asked).exact
        found += body["data"]
        if not body["next_cursor"]:
            break
        asked = {"cursor": body["next_cursor"]}
    assert found == whole
    assert [row["rank"] for row in found] == [1, 2, 3]


@pytest.mark.proves("MET-2", "MET-7")
def test_the_restated_year_of_the_demo_world_in_both_bases(demo):
    """Nyalumera Foods filed 2022 on 2023-03-16 and restated it on 2024-03-15."""
    issuer = demo.get("/v1/crosswalk", id_type="ticker", id_value="XNAI:NYAL").exact["data"][0]["service_id"]

    def margin(as_of, **asked):
        body = demo.get(f"/v1/metrics/{issuer}", metric="net_margin", as_of=as_of, **asked).exact
        return [(row["fiscal_year"], row["value"], row["revised_later"]) for row in body["data"]]

    def filed(as_of):
        facts = {
            fact["line_item"]: fact
            for fact in demo.facts(issuer, as_of=as_of, period_type="FY")
            if fact["fiscal_year"] == 2022
        }
        return round(Decimal(facts["net_income"]["value_reported"]) / facts["revenue"]["value_reported"], 10)

    assert margin("2023-06-30") == []
    assert margin("2023-06-30", **KNOWN) == [(2022, filed("2023-06-30"), True)]
    assert margin("2024-03-14", **KNOWN) == [(2022, filed("2024-03-14"), True)]
    assert filed("2024-03-14") != filed("2024-03-15")
    ((year, _, revised),) = margin("2024-03-15", **KNOWN)
    assert (year, revised) == (2023, False)


@pytest.mark.proves("KEY-7", "KEY-12", "ENV-13")
def test_metrics_of_an_issuer_take_limit_and_cursor(shown):
    path = f"/v1/metrics/{shown.ids[2]}"
    whole = shown.get(path).exact["data"]
    assert len(whole) > 1
    found, asked = [], {}
    while True:
        body = shown.get(path, limit=1, **asked).exact
        assert body["count"] == 1
        found += body["data"]
        if not body["next_cursor"]:
            break
        asked = {"cursor": body["next_cursor"]}
    assert found == whole
    assert shown.get(path, limit="0").exact["parameter"] == "limit"
    sample = shown.issue("sample").key
    refused = shown.get(path, {"X-API-Key": sample}, limit=26)
    assert (refused.status_code, refused.exact["limit"]) == (402, 25)
    assert shown.get(path, {"X-API-Key": sample}, limit=25).status_code == 200
