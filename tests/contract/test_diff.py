"""EDN-6: what became known about an issuer between two dates is the difference between two answers."""

from __future__ import annotations

import pytest

from support.filings import FY2022, FY2023, Filer
from support.following import differing

ASSETS = {"concept": "ifrs-full:Assets", "period": (None, "2023-12-31")}


@pytest.fixture(scope="module")
def stated(module_service):
    """One issuer that states, restates, withdraws and states again; its duplicate; one with many years."""
    service = module_service
    filer = Filer(1).says(100, filed="2024-02-01").says(7, filed="2024-02-01", **ASSETS)
    filer.says(90, filed="2024-03-01")
    filer.says(None, filed="2024-04-01", **ASSETS)
    filer.says(7, filed="2024-05-01", **ASSETS)
    filer.says(90, filed="2024-06-01")  # confirms
    other = Filer(2).says(70, filed="2023-02-01", period=FY2022)
    large = Filer(3)
    for year in range(1995, 2020):
        period = (f"{year}-01-01", f"{year}-12-31")
        for line in ("Revenue", "GrossProfit"):
            large.says(year, filed=f"{year + 1}-03-01", concept=f"ifrs-full:{line}", period=period)
    service.ingest(filer.document(), other.document(), large.document())
    service.publish()
    service.issuer, service.duplicate, service.large = (
        service.id_of(one.identifier) for one in (filer, other, large)
    )
    service.merge(service.duplicate, service.issuer)
    service.await_edition(service.publish().edition)
    return service


def diff(service, service_id, start, end, **asked):
    response = service.get(f"/v1/diff/{service_id}", from_as_of=start, to_as_of=end, **asked)
    assert response.status_code == 200, response.text
    return response.exact


def told(service, start, end):
    return [
        (row["line_item"], row["change"], row["old_value"], row["new_value"])
        for row in diff(service, service.issuer, start, end)["data"]
    ]


@pytest.mark.proves("EDN-6")
def test_it_tells_by_line_item_what_was_added_restated_and_withdrawn(stated):
    assets, revenue = "total_assets", "revenue"
    assert told(stated, "2024-01-31", "2024-01-31") == []
    assert told(stated, "2024-01-31", "2024-02-01") == [
        (revenue, "added", None, 100),
        (assets, "added", None, 7),
    ]
    assert told(stated, "2024-02-01", "2024-02-29") == []
    assert told(stated, "2024-02-29", "2024-03-01") == [(revenue, "restated", 100, 90)]
    assert told(stated, "2024-01-31", "2024-03-01") == [
        (revenue, "added", None, 90),
        (assets, "added", None, 7),
    ]
    assert told(stated, "2024-03-31", "2024-04-01") == [(assets, "withdrawn", 7, None)]
    assert told(stated, "2024-01-31", "2024-04-30") == [(revenue, "added", None, 90)]
    assert told(stated, "2024-04-30", "2024-05-01") == [(assets, "added", None, 7)]
    # Withdrawn and stated again: the same number, and not the same statement.
    assert told(stated, "2024-03-31", "2024-05-01") == [(assets, "restated", 7, 7)]
    assert told(stated, "2024-05-01", "2024-06-01") == []


@pytest.mark.proves("EDN-6")
def test_it_equals_two_answers_of_fundamentals_for_every_pair_of_days(stated):
    days = [f"2024-0{month}-01" for month in range(1, 8)] + ["2023-02-01", "2022-12-31"]
    for edition in (1, 2):
        for start in days:
            for end in days:
                if start <= end:
                    got = diff(stated, stated.issuer, start, end, edition=edition)["data"]
                    assert got == differing(stated, stated.issuer, start, end, edition=edition)


@pytest.mark.proves("EDN-6", "ENV-4")
def test_each_value_names_its_own_source_and_the_row_both(stated):
    (row,) = diff(stated, stated.issuer, "2024-02-29", "2024-03-01")["data"]
    old, new = (
        next(
            fact
            for fact in stated.facts(stated.issuer, as_of=day)
            if fact["line_item"] == "revenue" and fact["period_end"] == FY2023[1]
        )
        for day in ("2024-02-29", "2024-03-01")
    )
    for side, fact in (("old", old), ("new", new)):
        for name in ("source_ref", "license_class", "observed_at", "fact_id", "vintage", "available_at"):
            assert row[f"{side}_{name}"] == fact[name]
    assert old["source_ref"] != new["source_ref"]
    assert row["source_ref"] == "; ".join(sorted([old["source_ref"], new["source_ref"]]))
    assert (row["license_class"], row["currency_reported"]) == ("synthetic", "KES")


@pytest.mark.proves("EDN-6", "ENT-2")
def test_a_merged_id_answers_with_the_survivor_and_an_unknown_one_is_404(stated):
    body = diff(stated, stated.duplicate, "2022-12-31", "2024-03-01")
    assert body["resolved_from"] == stated.duplicate
    assert body["data"] == diff(stated, stated.issuer, "2022-12-31", "2024-03-01")["data"]
    assert "resolved_from" not in diff(stated, stated.issuer, "2022-12-31", "2024-03-01")
    asked = {"from_as_of": "2024-01-01", "to_as_of": "2024-03-01"}
    for nobody in ("DC0", "DC-1", stated.issuer.lower()):
        assert stated.get(f"/v1/diff/{nobody}", **asked).status_code == 404
    assert diff(stated, stated.issuer, "2000-01-01", "2000-01-02")["data"] == []


@pytest.mark.proves("EDN-6", "ERR-2", "ERR-5")
def test_both_dates_are_needed_in_their_order(stated):
    path = f"/v1/diff/{stated.issuer}"
    for asked, wrong in (
        ({}, ["from_as_of", "to_as_of"]),
        ({"from_as_of": "2024-01-01"}, ["to_as_of"]),
        ({"to_as_of": "2024-01-01"}, ["from_as_of"]),
        ({"from_as_of": "2024-01-02", "to_as_of": "2024-01-01"}, ["from_as_of", "to_as_of"]),
        ({"from_as_of": "2024-02-30", "to_as_of": "2024-03-01"}, ["from_as_of"]),
        ({"from_as_of": "2024-01-01", "to_as_of": "2024-1-2"}, ["to_as_of"]),
    ):
        response = stated.get(path, **asked)
        assert response.status_code == 400
        assert response.exact.get("parameters", [response.exact["parameter"]]) == wrong
    assert stated.get(path, from_as_of="2024-01-01", to_as_of="9999-12-31").status_code == 200


@pytest.mark.proves("EDN-6", "KEY-8", "TEN-2")
def test_pages_of_a_sample_key_hold_the_same_rows(stated):
    sample, path = {"X-API-Key": stated.issue("sample").key}, f"/v1/diff/{stated.large}"
    asked = {"from_as_of": "1990-01-01", "to_as_of": "2024-01-01"}
    whole = stated.get(path, **asked).exact
    body = stated.get(path, sample, **asked).exact
    assert (whole["count"], whole["truncated"], body["count"], body["truncated"]) == (50, False, 25, True)
    walked = body["data"]
    while body["next_cursor"]:
        body = stated.get(path, sample, cursor=body["next_cursor"]).exact
        walked += body["data"]
    assert walked == whole["data"]
    assert [row["line_item"] for row in walked] == ["gross_profit"] * 25 + ["revenue"] * 25
    assert [row["period_end"][:4] for row in walked[:25]] == [str(year) for year in range(2019, 1994, -1)]
