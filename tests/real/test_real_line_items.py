"""Headline numbers of real filers, as their reports state them: read by hand, not by the map."""

from __future__ import annotations

from decimal import Decimal

import pytest

from support.real_sec import DATA, SECOND

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"no real files at {DATA}; see SANKOFA_REAL_DATA")
APPLE, COCA_COLA, JOHNSON, KROGER = "0000320193", "0000021344", "0000200406", "0000056873"
JPMORGAN, WALMART = "0000019617", "0000104169"
BLOCK, CHUBB, PROGRESSIVE, ANGLOGOLD = "0000012659", "0000020171", "0000080661", "0001067428"
KIMBERLY, SNOWFLAKE, LOGISTIC = "0000055785", "0001640147", "0001997711"
DEERE, GENERAL_ELECTRIC, HEWLETT_PACKARD = "0000315189", "0000040545", "0000047217"
MILLION = 10**6
# Filer, line item, period end, period type, and the amount in millions of USD.
STATED = [
    (APPLE, "net_income", "2025-09-27", "FY", 112_010),
    (APPLE, "net_income_attributable_to_parent", "2025-09-27", "FY", 112_010),
    (APPLE, "equity", "2025-09-27", "FY", 73_733),
    (COCA_COLA, "revenue", "2009-07-03", "Q2", 8_267),
    (JOHNSON, "revenue", "2009-06-28", "Q2", 15_239),
    (KROGER, "revenue", "2009-08-15", "Q2", 17_735),
    (JPMORGAN, "revenue", "2025-12-31", "FY", 182_447),
    (JPMORGAN, "interest_income", "2025-12-31", "FY", 193_341),
    (JPMORGAN, "interest_expense", "2025-12-31", "FY", 97_898),
    (JPMORGAN, "loans_to_customers", "2025-12-31", "FY", 1_467_664),
    (JPMORGAN, "long_term_debt", "2025-12-31", "FY", 435_206),
    (CHUBB, "revenue", "2010-03-31", "Q1", 3_323),
    (CHUBB, "equity", "2010-03-31", "Q1", 15_741),
    (CHUBB, "cash_and_equivalents", "2010-03-31", "Q1", 51),
]
# The same of filers in the second collection.
STATED_LATER = [
    (PROGRESSIVE, "revenue", "2020-12-31", "FY", Decimal("42658.1")),
    (PROGRESSIVE, "net_income", "2020-12-31", "FY", Decimal("5704.6")),
    (PROGRESSIVE, "equity", "2020-12-31", "FY", Decimal("17038.6")),
    (ANGLOGOLD, "revenue", "2019-12-31", "FY", 3_525),
    (ANGLOGOLD, "net_income", "2019-12-31", "FY", -7),
    (ANGLOGOLD, "equity", "2019-12-31", "FY", 2_676),
    (ANGLOGOLD, "equity_attributable_to_parent", "2019-12-31", "FY", 2_640),
    (ANGLOGOLD, "borrowings", "2019-12-31", "FY", 2_033),
    (ANGLOGOLD, "operating_cash_flow", "2019-12-31", "FY", 1_047),
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


@pytest.mark.skipif(not SECOND.is_dir(), reason=f"no real files at {SECOND}; see SANKOFA_REAL_DATA")
@pytest.mark.parametrize("stated", STATED_LATER, ids=lambda stated: f"{stated[0]} {stated[1]}")
def test_a_headline_number_of_the_second_collection_is_the_one_in_the_report(companies, stated):
    cik, line_item, end, period_type, millions = stated
    found = {
        row["value_reported"]
        for row in rows_of(companies, cik, items=line_item, vintages="as_reported")
        if (row["period_end"], row["period_type"]) == (end, period_type)
    }
    assert found == {millions * MILLION}


def test_an_amendment_that_corrects_the_scale_is_called_rescaled(filers):
    """Kimberly-Clark filed its first quarter of 2010 in millions that were called dollars."""
    history = [
        (row["value_reported"], row["revision"], row["form"])
        for row in rows_of(filers, KIMBERLY, items="total_assets", vintages="all")
        if row["period_end"] == "2010-03-31"
    ]
    assert history == [(18_997, None, "10-Q"), (18_997 * MILLION, "rescaled", "10-Q/A")]


def test_a_later_filing_that_rounds_is_called_rounded_and_changes_nothing(filers):
    def of_half_year(vintages):
        return [
            (row["value_reported"], row["revision"])
            for row in rows_of(filers, SNOWFLAKE, items="weighted_shares_basic", vintages=vintages)
            if (row["period_start"], row["period_end"]) == ("2021-02-01", "2021-07-31")
        ]

    assert of_half_year("all") == [(294_603_943, None), (294_604_000, "rounded")]
    assert of_half_year("latest") == [(294_603_943, None)]


def test_cash_on_the_day_of_a_merger_is_of_no_quarter(filers):
    """Logistic Properties states the cash that it took over on 2024-03-26."""
    (row,) = [
        row
        for row in rows_of(filers, LOGISTIC, items="ifrs-full:CashAndCashEquivalents")
        if row["period_end"] == "2024-03-26"
    ]
    assert row["value_reported"] == 1_121_150
    assert (row["period_type"], row["fiscal_year"]) == (None, None)


def test_a_preparer_of_tax_returns_that_owns_a_bank_is_no_bank(filers):
    """H&R Block states deposits and loans; a current ratio is stated in its balance sheet of April 2010."""
    stated = {row["line_item"] for row in rows_of(filers, BLOCK)}
    assert {"customer_deposits", "current_assets"} <= stated
    (row,) = rows_of(filers, BLOCK, "/v1/metrics", metric="current_ratio")
    assert row["period_end"] == "2010-04-30"


@pytest.mark.parametrize(
    ("cik", "code"),
    [
        (BLOCK, "7200"),
        (CHUBB, "6331"),
        (DEERE, "3523"),
        (GENERAL_ELECTRIC, "3600"),
        (HEWLETT_PACKARD, "3570"),
    ],
)
def test_the_industry_is_the_one_that_the_regulator_gives(filers, cik, code):
    (organisation,) = filers.get(f"/v1/entities/{filers.id_of(f'cik:{cik}')}").exact["data"]
    assert code in {industry["code"] for industry in organisation["industries"]}


@pytest.mark.skipif(not SECOND.is_dir(), reason=f"no real files at {SECOND}; see SANKOFA_REAL_DATA")
def test_an_insurer_has_no_turnover_of_assets(companies):
    """Progressive files revenue and assets of every year, and its company facts name no industry."""
    found = {row["metric"] for row in rows_of(companies, PROGRESSIVE, "/v1/metrics")}
    assert {"net_margin", "return_on_assets"} <= found
    assert "asset_turnover" not in found


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
