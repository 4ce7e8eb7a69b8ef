"""FUN-15: one fact by its id."""

from __future__ import annotations

import pytest

from sankofa.fundamentals.line_items import load_map, map_version
from support.filings import FY2022, Filer
from support.lines import reports
from support.waiting import until

FY2023 = ("2023-01-01", "2023-12-31")


@pytest.fixture(scope="module")
def shown(module_service):
    """A service with one issuer whose revenue of 2023 was restated, and whose result stands for two items."""
    service = module_service
    filer = reports(Filer(1), FY2022, "2023-03-01", revenue=80, net_income=7)
    reports(filer, FY2023, "2024-03-01", revenue=100, net_income=10)
    reports(filer, FY2023, "2024-08-01", revenue=90)
    service.ingest(filer.document(), Filer(2).says(1, filed="2024-01-01").document())
    service.publish()
    service.filer = service.id_of(filer.identifier)
    return service


def versions(service, fact_id, **asked):
    answer = service.get(f"/v1/facts/{fact_id}", **asked)
    assert answer.status_code == 200, answer.text
    return answer.exact["data"]


def bare(row):
    lineage = {"source_url", "map_version", "used_by"}
    return {name: value for name, value in row.items() if name not in lineage}


@pytest.mark.proves("FUN-15")
@pytest.mark.parametrize("as_of", ["2023-03-01", "2024-03-01", "2024-07-31", "2024-08-01", "2025-06-30"])
def test_every_fact_of_an_issuer_is_found_with_the_history_of_its_value(shown, as_of):
    key = ("line_item", "period_start", "period_end", "unit", "scope")
    rows = shown.facts(shown.filer, items="all", vintages="all", as_of=as_of)
    assert rows
    for one in rows:
        values = {tuple(row[name] for name in key) for row in rows if row["fact_id"] == one["fact_id"]}
        expected = [row for row in rows if tuple(row[name] for name in key) in values]
        expected.sort(key=lambda row: (row["line_item"], row["vintage"]))
        assert list(map(bare, versions(shown, one["fact_id"], as_of=as_of))) == expected


@pytest.mark.proves("FUN-15")
def test_whoever_follows_the_inputs_of_a_metric_finds_them_and_is_led_back(shown):
    day = "2024-07-31"
    rows = shown.get(f"/v1/metrics/{shown.filer}", as_of=day, basis="as_known").exact["data"]
    assert {row["metric"] for row in rows} >= {"net_margin", "revenue_growth"}
    inputs = {fact_id for row in rows for fact_id in row["inputs"]}
    for fact_id in inputs:
        for version in versions(shown, fact_id, as_of=day):
            users = {row["metric"] for row in rows if version["fact_id"] in row["inputs"]}
            assert set(version["used_by"]) <= users
        told = {metric for row in versions(shown, fact_id, as_of=day) for metric in row["used_by"]}
        assert {row["metric"] for row in rows if fact_id in row["inputs"]} <= told


@pytest.mark.proves("FUN-15")
def test_what_rests_on_a_vintage_moves_on_to_the_next(shown):
    (now,) = shown.facts(shown.filer, line_item="revenue", fiscal_year=2023)
    first, second = versions(shown, now["fact_id"], as_of="2025-06-30")
    assert (first["value_reported"], first["known_until"], first["used_by"]) == (100, "2024-08-01", [])
    assert second["fact_id"] == now["fact_id"]
    assert {"net_margin", "revenue_growth"} <= set(second["used_by"])
    (then,) = versions(shown, first["fact_id"], as_of="2024-07-31")
    assert {"net_margin", "revenue_growth"} <= set(then["used_by"])
    assert then["known_until"] is None


@pytest.mark.proves("FUN-15")
def test_a_vintage_names_the_map_that_gave_its_line_item(shown):
    (now,) = shown.facts(shown.filer, line_item="revenue", fiscal_year=2023)
    rows = versions(shown, now["fact_id"])
    assert {row["map_version"] for row in rows} == {map_version(load_map())}


@pytest.mark.proves("FUN-15", "ERR-4")
def test_what_is_not_known_on_the_day_is_not_found(shown):
    (now,) = shown.facts(shown.filer, line_item="revenue", fiscal_year=2023)
    path = f"/v1/facts/{now['fact_id']}"
    assert shown.get(path, as_of="2024-08-01").status_code == 200
    assert shown.get(path, as_of="2024-07-31").status_code == 404
    assert shown.get("/v1/facts/00000000-0000-0000-0000-000000000000").status_code == 404
    assert shown.get("/v1/facts/nothing").status_code == 404
    assert shown.get(path, limit=1).status_code == 400


@pytest.mark.proves("FUN-15", "EDN-7")
def test_a_fact_that_was_taken_down_is_gone_and_its_neighbours_stay(service):
    filer = Filer(1).says(100, filed="2024-02-01").says(90, filed="2024-06-01")
    service.ingest(filer.document())
    service.publish()
    service_id = service.id_of(filer.identifier)
    first, second = service.facts(service_id, vintages="all")
    service.take_down(service_id, second["fact_id"])
    until(lambda: service.get(f"/v1/facts/{second['fact_id']}").status_code == 404)
    assert [row["value_reported"] for row in versions(service, first["fact_id"])] == [100]
