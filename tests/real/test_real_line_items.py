"""Headline numbers of real filers, as their reports state them: read by hand, not by the map."""

from __future__ import annotations

import pytest

from support.real_sec import DATA

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"no real files at {DATA}; see SANKOFA_REAL_DATA")
APPLE, COCA_COLA, JOHNSON, KROGER = "0000320193", "0000021344", "0000200406", "0000056873"
JPMORGAN, WALMART = "0000019617", "0000104169"
MILLION = 10**6
# Filer, line item, period end, period type, and the amount in millions of USD.
STATED = [
    (APPLE, "net_income", "2025-09-27", "FY", 112_010),
    (APPLE, "net_income_attributable_to_parent", "2025-09-27", "FY", 112_010),
    (APPLE, "equity", "2025-09-27", "FY", 73_733),
    (COCA_COLA, "revenue", "2009-06-30", "Q2", 8_267),
    (JOHNSON, "revenue", "2009-06-30", "Q2", 15_239),
    (KROGER, "revenue", "2009-07-31", "Q2", 17_735),
    (JPMORGAN, "revenue", "2025-12-31", "FY", 182_447),
    (JPMORGAN, "interest_income", "2025-12-31", "FY", 193_341),
    (JPMORGAN, "interest_expense", "2025-12-31", "FY", 97_898),
    (JPMORGAN, "loans_to_customers", "2025-12-31", "FY", 1_467_664),
    (JPMORGAN, "long_term_debt", "2025-12-31", "FY", 435_206),
]


def rows_of(service, cik, path="/v1/fundamentals", **asked):
    """Return all rows about a filer; empty where an issuer has none."""
    service_id, found = service.id_of(f"cik:{cik}"), []
    while asked is not None:
        answer = service.get(f"{path}/{service_id}", **asked).exact
        found += answer["data"]
        asked = {"cursor": answer["next_cursor"]} if answer["next_cursor"] else None
    return found


@pytest.mark.parametrize("stated", STATED, ids=lambda stated: f"{stated[0]} {stated[1]}")
def test_a_headline_number_is_the_one_in_the_report(filers, stated):
    cik, line_item, end, period_type, millions = stated
    found = {
        row["value_reported"]
        for row in rows_of(filers, cik)
        if (row["line_item"], row["period_end"], row["period_type"]) == (line_item, end, period_type)
    }
    assert found == {millions * MILLION}


def test_a_bank_that_underwrites_securities_has_no_insurance_result(filers):
    stated = {row["line_item"] for row in rows_of(filers, JPMORGAN)}
    assert "insurance_service_result" not in stated


def test_every_quarter_of_a_bank_has_its_revenue(filers):
    ends = {row["period_end"] for row in rows_of(filers, JPMORGAN) if row["line_item"] == "revenue"}
    assert {"2024-03-31", "2024-06-30", "2024-09-30"} <= ends


@pytest.mark.parametrize(
    ("cik", "metric", "end", "digits"),
    [
        (WALMART, "debt_to_equity", "2026-01-31", "0.4227"),
        (WALMART, "net_debt_to_ebitda", "2026-01-31", "0.773"),
    ],
)
def test_debt_is_the_sum_of_what_the_balance_sheet_states(filers, cik, metric, end, digits):
    (row,) = rows_of(filers, cik, "/v1/metrics", metric=metric)
    assert row["period_end"] == end
    assert str(row["value"]).startswith(digits)


def test_a_filer_without_outside_owners_has_one_result_and_one_equity_under_both_names(filers):
    """Nine filers in ten have both what belongs to the group and what belongs to its owners."""
    stated = dict(
        filers.rows(
            "SELECT line_item, count(DISTINCT service_id) FROM serving.fundamentals_fact"
            " WHERE superseded_in = 2147483647 GROUP BY line_item"
        )
    )
    ((everybody,),) = filers.rows(
        "SELECT count(DISTINCT service_id) FROM serving.fundamentals_fact WHERE superseded_in = 2147483647"
    )
    for item in (
        "revenue",
        "net_income",
        "net_income_attributable_to_parent",
        "equity",
        "operating_cash_flow",
    ):
        print(f"{item}: {stated[item]} of {everybody} filers")
    assert stated["net_income"] >= 0.9 * everybody
    assert stated["equity"] >= 0.9 * everybody
