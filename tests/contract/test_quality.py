"""QUA-1: what was measured of each dataset, what was not, and by which method."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

import pytest

from sankofa.quality.measures import SKUS, measures_of
from support.stated_quality import ADDRESS, furnish, metrics, share, values

FIELDS = [
    "sku",
    "measure",
    "value",
    "floor",
    "status",
    "unit",
    "measured_at",
    "methodology_ref",
    "source_ref",
    "license_class",
    "observed_at",
]
SOUND = (
    "provenance_completeness",
    "look_ahead_dates",
    "look_ahead_first_vintage",
    "look_ahead_newest_period",
)


@pytest.fixture(scope="module")
def measured(module_service):
    return furnish(module_service)


@pytest.mark.proves("QUA-1", "ENV-4", "ENV-17")
@pytest.mark.parametrize("sku", SKUS)
def test_every_measure_of_a_dataset_is_told_with_every_field(measured, sku):
    response = measured.get(ADDRESS + sku)
    rows = response.exact["data"]
    assert all(list(row) == FIELDS for row in rows)
    assert [row["measure"] for row in rows] == sorted({row["measure"] for row in rows})
    assert {row["methodology_ref"] for row in rows} == {one.methodology_ref for one in measures_of(sku)}
    ((published_at,),) = measured.rows("SELECT published_at FROM serving.edition")
    for row in rows:
        assert (row["sku"], row["license_class"]) == (sku, "synthetic")
        assert row["source_ref"].startswith("demo-")
        is_measured = row["value"] != "UNMEASURED"
        assert isinstance(row["value"], int | Decimal) == is_measured
        assert (row["status"] == "UNMEASURED") != is_measured
        told = row["measured_at"] and datetime.fromisoformat(row["measured_at"])
        assert told == (published_at if is_measured else None)


@pytest.mark.proves("QUA-1")
@pytest.mark.parametrize("sku", SKUS)
def test_only_a_measured_value_that_has_a_floor_passes_or_fails(measured, sku):
    rows = metrics(measured, sku).values()
    assert {row["status"] for row in rows} >= {"pass", "no_floor", "UNMEASURED"}
    for row in rows:
        if row["value"] == "UNMEASURED":
            assert row["status"] == "UNMEASURED"
        elif row["floor"] is None:
            assert row["status"] == "no_floor"
        else:
            assert row["status"] == ("pass" if row["value"] >= row["floor"] else "fail")


@pytest.mark.proves("QUA-1")
@pytest.mark.parametrize("sku", SKUS)
def test_what_was_not_measured_says_so_and_has_not_passed(measured, sku):
    rows = metrics(measured, sku)
    never = {
        "look_ahead_audit",
        "look_ahead_history",
        "future_independence",
        "verified",
        "sources_on_time",
    }
    never |= {"extraction_accuracy"} if sku != "AF-FUND" else set()  # there golden statements measure it
    never |= {"false_withhold_rate"} if sku != "AF-MACRO" else set()
    assert {name for name, row in rows.items() if row["value"] == "UNMEASURED"} == never
    for name in never:
        assert (rows[name]["status"], rows[name]["measured_at"]) == ("UNMEASURED", None)
    for name in SOUND:
        assert (rows[name]["value"], rows[name]["floor"], rows[name]["status"]) == (1, 1, "pass")


@pytest.mark.proves("QUA-1")
def test_fundamentals_are_counted_as_their_documents_say(measured):
    found = values(measured, "AF-FUND")
    day = date.fromisoformat(
        measured.get("/v1/fundamentals/" + measured.id_of("cik:0000000001")).exact["as_of"]
    )
    expected = {
        "coverage_issuers": 3,
        "coverage_issuers.KE": 2,
        "coverage_issuers.none": 1,
        "coverage_countries": 1,
        "completeness.revenue": 1,
        "completeness.revenue.KE": 1,
        "completeness.revenue.none": 1,
        "completeness.net_income": share(1, 3),
        "completeness.net_income.KE": share(1, 2),
        "completeness.total_assets": share(1, 3),
        "completeness.total_assets.KE": share(1, 2),
        "freshness": (day - date(2024, 6, 1)).days,
        "freshness.KE": (day - date(2024, 6, 1)).days,
        "freshness.none": (day - date(2023, 5, 1)).days,
        "withheld_share": 0,
        "rejections_share": 0,
        "floor_overrides": 0,
    }
    assert {name: value for name, value in found.items() if name in expected} == expected
    assert not {name for name in found if name.startswith("completeness.")} - set(expected)


@pytest.mark.proves("QUA-1")
def test_tenders_are_counted_as_their_documents_say(measured):
    found = values(measured, "AF-TENDER")
    assert (found["coverage_processes"], found["coverage_processes.ZA"], found["coverage_countries"]) == (
        3,
        3,
        1,
    )
    items = {"buyer": 1, "category": 1, "tender_value": 2, "award": 2}
    for item, having in items.items():
        assert found[f"completeness.{item}"] == found[f"completeness.{item}.ZA"] == share(having, 3)
    assert "completeness.deadline" not in found
    # Three ids of each process, its release and its tender, and two of awards, of which one holds a name.
    assert found["hashed_ids_share"] == found["hashed_ids_share.ZA"] == share(1, 11)
    assert found["withheld_share"] == share(
        1, 3
    )  # the city and the works are organisations, and one is a person


@pytest.mark.proves("QUA-1")
def test_series_are_counted_as_their_documents_say(measured):
    found = values(measured, "AF-MACRO")
    covered = {name: value for name, value in found.items() if name.startswith(("coverage", "completeness"))}
    assert covered == {
        "coverage_series": 4,
        "coverage_series.KE": 2,
        "coverage_series.NG": 1,
        "coverage_series.ZA": 1,
        "coverage_countries": 3,
        "completeness.NY.GDP.MKTP.CD": 1,
        "completeness.FP.CPI.TOTL.ZG": share(1, 2),
        "completeness.KE": 1,
        "completeness.NG": share(1, 2),
    }


@pytest.mark.proves("QUA-1", "ERR-4")
def test_a_sku_is_found_in_any_case_and_an_unknown_or_malformed_one_is_not(measured):
    rows = [measured.get(ADDRESS + spelled).exact["data"] for spelled in ("AF-FUND", "af-fund", "Af-Fund")]
    assert rows[0] == rows[1] == rows[2]
    for nothing in ("AF-BOND", "a.b", "AF%20FUND", "AF-FUND%0A", "%C3%A9"):
        response = measured.get(ADDRESS + nothing)
        assert (response.status_code, response.exact["code"]) == (404, "not-found"), nothing


@pytest.mark.proves("QUA-1", "KEY-8")
def test_no_tier_shortens_quality(measured):
    sample = {"X-API-Key": measured.issue("sample").key}
    few, all_of_it = (measured.get(ADDRESS + "AF-FUND", headers=headers).exact for headers in (sample, {}))
    assert few == all_of_it
    assert not few["truncated"]
