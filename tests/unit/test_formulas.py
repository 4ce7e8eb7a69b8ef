"""Metrics by hand: what formulas give, what they ask for, and from which day a value is exact."""

from __future__ import annotations

from fractions import Fraction
from itertools import count

import pytest

from sankofa.fundamentals.line_items import line_items
from sankofa.metrics.derive import derive
from sankofa.metrics.formulas import BY_SLUG, LINE_ITEMS, METRICS
from sankofa.metrics.spans import NEVER
from sankofa.metrics.years import History, Label, Trade, Vintage, Year

ROWS = count(1)
STOCKS = {
    item
    for metric in METRICS
    for _, amount, _ in metric.needed
    if amount.is_stock
    for item in amount.line_items
} | {"deposits_from_banks", "insurance_contract_liabilities"}


def vintages(*stated):
    """Return the vintages of a value: pairs of a day and a value, where None withdraws it."""
    days = [*(day for day, _ in stated[1:]), NEVER]
    return [
        Vintage(day, until, value, next(ROWS))
        for (day, value), until in zip(stated, days, strict=True)
        if value is not None
    ]


def a_year(number, *labels, unit="KES", **values):
    """Return a calendar year; a value alone was stated on the first of March after it."""
    filed = f"{number + 1}-03-01"
    year = Year(f"{number}-01-01", f"{number}-12-31", list(labels) or [Label(filed, NEVER, number)])
    state(year, unit, filed, **values)
    return year


def state(year, unit, filed, **values):
    for item, value in values.items():
        told = value if isinstance(value, list) else vintages((filed, value))
        year.histories.append(History(item, unit, item in STOCKS, told))
    return year


def newest(slug, *years):
    """Return what is derived of the last year in the end."""
    return next(row for row in derive(years, (BY_SLUG[slug],)) if row.last_until == NEVER)


def known(slug, *years):
    """Return the value of the last year by the days on which it was, and why basis=exact leaves it out."""
    return [
        (row.known_from, row.last_until, row.value, row.left_out)
        for row in sorted(derive(years, (BY_SLUG[slug],)), key=lambda row: row.known_from)
        if row.last_until > row.known_from
    ]


def of_year(slug, fiscal_year, *years):
    """Return the value of one year by the days on which it was known, and until when it was the last one."""
    return [
        (row.known_from, row.known_until, row.last_until, row.value)
        for row in sorted(derive(years, (BY_SLUG[slug],)), key=lambda row: row.known_from)
        if row.fiscal_year == fiscal_year
    ]


THIS = {
    "revenue": 400,
    "cost_of_sales": 240,
    "operating_income": 60,
    "depreciation_amortisation": 20,
    "finance_costs": 15,
    "profit_before_tax": 50,
    "income_tax": 20,
    "net_income": 30,
    "net_income_attributable_to_parent": 24,
    "research_and_development_expense": 8,
    "operating_cash_flow": 70,
    "capex": 30,
    "dividends_paid": 6,
    "total_assets": 500,
    "current_assets": 150,
    "cash_and_equivalents": 25,
    "inventories": 50,
    "trade_receivables": 60,
    "total_liabilities": 300,
    "current_liabilities": 100,
    "equity": 200,
    "equity_attributable_to_parent": 180,
    "borrowings": 125,
}
BEFORE = {
    "revenue": 320,
    "operating_income": 50,
    "net_income": 24,
    "total_assets": 300,
    "inventories": 46,
    "trade_receivables": 40,
    "equity": 160,
    "equity_attributable_to_parent": 140,
}


@pytest.mark.parametrize(
    ("slug", "expected"),
    [
        ("gross_margin", Fraction(160, 400)),
        ("operating_margin", Fraction(60, 400)),
        ("ebitda_margin", Fraction(80, 400)),
        ("pretax_margin", Fraction(50, 400)),
        ("net_margin", Fraction(30, 400)),
        ("free_cash_flow_margin", Fraction(40, 400)),
        ("return_on_equity", Fraction(24, 160)),
        ("return_on_assets", Fraction(30, 400)),
        ("return_on_capital_employed", Fraction(60, 400)),
        ("revenue_growth", Fraction(80, 320)),
        ("operating_income_growth", Fraction(10, 50)),
        ("net_income_growth", Fraction(6, 24)),
        ("asset_growth", Fraction(200, 300)),
        ("equity_growth", Fraction(40, 160)),
        ("current_ratio", Fraction(150, 100)),
        ("quick_ratio", Fraction(100, 100)),
        ("cash_ratio", Fraction(25, 100)),
        ("debt_to_equity", Fraction(125, 200)),
        ("liabilities_to_assets", Fraction(300, 500)),
        ("equity_ratio", Fraction(200, 500)),
        ("net_debt_to_ebitda", Fraction(100, 80)),
        ("interest_coverage", Fraction(60, 15)),
        ("cash_flow_to_debt", Fraction(70, 125)),
        ("asset_turnover", Fraction(400, 400)),
        ("inventory_turnover", Fraction(240, 48)),
        ("receivables_turnover", Fraction(400, 50)),
        ("cash_conversion", Fraction(70, 30)),
        ("capital_intensity", Fraction(30, 400)),
        ("research_intensity", Fraction(8, 400)),
        ("tax_burden", Fraction(20, 50)),
        ("dividend_payout", Fraction(6, 24)),
    ],
)
def test_a_company_by_hand(slug, expected):
    row = newest(slug, a_year(2022, **BEFORE), a_year(2023, **THIS))
    assert (row.value, row.absence) == (expected, None)
    assert (row.published_at, row.exact_from) == ("2024-03-01", "2024-03-01")


BANK = {
    "net_interest_income": 30,
    "non_interest_income": 20,
    "non_interest_expense": 25,
    "credit_loss_expense": 2,
    "loans_to_customers": 120,
    "customer_deposits": 150,
    "total_assets": 500,
    "current_assets": 100,
    "current_liabilities": 50,
}


@pytest.mark.parametrize(
    ("slug", "expected"),
    [
        ("cost_to_income", Fraction(25, 50)),
        ("loan_to_deposit", Fraction(120, 150)),
        ("net_interest_to_assets", Fraction(30, 450)),
        ("credit_loss_rate", Fraction(2, 100)),
        ("current_ratio", None),
    ],
)
def test_a_bank_by_hand(slug, expected):
    row = newest(slug, a_year(2022, total_assets=400, loans_to_customers=80), a_year(2023, **BANK))
    assert row.value == expected
    assert row.absence == (None if expected else "not_applicable")


def test_one_thing_that_banks_state_makes_no_bank():
    """Makers of machines lend to their customers, and a preparer of tax returns may own a small bank."""
    lender = a_year(2023, current_assets=4, current_liabilities=2, loans_to_customers=9)
    assert newest("current_ratio", lender).value == 2


@pytest.mark.parametrize(
    ("sic", "absence"),
    [("6021", "not_applicable"), ("6331", "not_applicable"), ("7200", None), ("6411", None)],
)
def test_the_industry_decides_whatever_else_is_stated(sic, absence):
    bank = derive([a_year(2023, **BANK)], (BY_SLUG["current_ratio"],), (Trade("2020-01-01", NEVER, sic),))
    assert [row.absence for row in bank] == [absence]


def test_an_industry_counts_from_the_day_on_which_it_was_known():
    year = a_year(2023, current_assets=4, current_liabilities=2)
    trades = (Trade("2024-06-01", "2024-09-01", "6331"), Trade("2024-09-01", NEVER, "3523"))
    rows = sorted(derive([year], (BY_SLUG["current_ratio"],), trades), key=lambda row: row.known_from)
    assert [(row.known_from, row.value, row.absence) for row in rows] == [
        ("2024-03-01", 2, None),
        ("2024-06-01", None, "not_applicable"),
        ("2024-09-01", 2, None),
    ]


def test_an_insurer_by_hand():
    row = newest("claims_ratio", a_year(2023, insurance_service_expenses=60, insurance_revenue=80))
    assert row.value == Fraction(3, 4)


def test_every_metric_was_computed_by_hand_here():
    marks = [test_a_company_by_hand, test_a_bank_by_hand]
    by_hand = {case[0] for test in marks for mark in test.pytestmark for case in mark.args[1]}
    assert by_hand | {"claims_ratio"} == set(BY_SLUG)


def test_formulas_ask_only_for_line_items_that_there_are():
    assert {item.name for item in line_items()} >= LINE_ITEMS


def test_where_one_way_to_state_an_amount_is_missing_the_next_is_taken():
    us = a_year(2023, revenue=400, net_income_attributable_to_parent=24)
    assert newest("net_margin", us).value == Fraction(24, 400)
    debt = {"equity": 100, "short_term_borrowings": 5, "long_term_debt": 45}
    assert newest("debt_to_equity", a_year(2023, **debt)).value == Fraction(50, 100)
    # What nobody stated is not zero: without the short-term part there is no debt.
    row = newest("debt_to_equity", a_year(2023, equity=100, long_term_debt=45))
    assert (row.value, row.absence) == (None, "input_missing")


def test_a_mean_is_taken_of_one_line_item_at_both_ends():
    before = a_year(2022, equity=999, net_income=1)
    this = a_year(2023, equity=100, equity_attributable_to_parent=90, net_income=19)
    assert newest("return_on_equity", before, this).value == Fraction(2 * 19, 100 + 999)


@pytest.mark.parametrize("below", [0, -5])
def test_no_value_unless_the_denominator_is_above_zero(below):
    row = newest("net_margin", a_year(2023, revenue=below, net_income=3))
    assert (row.value, row.absence) == (None, "denominator_not_positive")


def test_inputs_in_two_currencies_give_no_value_and_a_whole_set_in_one_does():
    mixed = a_year(2023, revenue=10)
    state(mixed, "USD", "2024-03-01", net_income=1)
    assert newest("net_margin", mixed).absence == "mixed_currencies"
    whole = a_year(2023, revenue=10)
    state(whole, "USD", "2024-03-01", net_income=1, revenue=4)
    assert newest("net_margin", whole).value == Fraction(1, 4)


def test_values_of_many_digits_and_of_fractions_stay_exact():
    row = newest("net_margin", a_year(2023, revenue=Fraction("12345678901234567.89"), net_income=10**25))
    assert row.value == Fraction(10**27, 1234567890123456789)


def test_a_revised_year_has_each_value_on_its_own_days_and_is_exact_from_the_last_on():
    revised = a_year(2023, revenue=10, net_income=vintages(("2024-03-01", 1), ("2024-09-01", 2)))
    assert known("net_margin", revised) == [
        ("2024-03-01", "2024-09-01", Fraction(1, 10), "revised_after_as_of"),
        ("2024-09-01", NEVER, Fraction(2, 10), None),
    ]
    assert newest("net_margin", revised).exact_from == "2024-09-01"
    completed = a_year(2023, revenue=10, net_income=vintages(("2024-05-01", 1), ("2024-06-01", 2)))
    assert known("net_margin", completed) == [
        ("2024-03-01", "2024-05-01", None, "completed_after_as_of"),
        ("2024-05-01", "2024-06-01", Fraction(1, 10), "revised_after_as_of"),
        ("2024-06-01", NEVER, Fraction(2, 10), None),
    ]


def test_a_revision_of_the_year_before_revises_what_rests_on_it():
    before = a_year(2022, revenue=vintages(("2023-03-01", 4), ("2024-11-01", 8)))
    this = a_year(2023, revenue=10)
    assert known("revenue_growth", before, this) == [
        ("2023-03-01", "2024-03-01", None, "input_missing"),
        ("2024-03-01", "2024-11-01", Fraction(6, 4), "revised_after_as_of"),
        ("2024-11-01", NEVER, Fraction(2, 8), None),
    ]
    assert [value for *_, value, _ in known("net_margin", before, this)] == [None, None]


def test_a_value_that_returns_is_another_vintage():
    again = vintages(("2024-03-01", 100), ("2024-05-01", 90), ("2024-07-01", 100))
    assert known("net_margin", a_year(2023, revenue=200, net_income=again)) == [
        ("2024-03-01", "2024-05-01", Fraction(1, 2), "revised_after_as_of"),
        ("2024-05-01", "2024-07-01", Fraction(9, 20), "revised_after_as_of"),
        ("2024-07-01", NEVER, Fraction(1, 2), None),
    ]


def test_a_withdrawal_that_changed_the_choice_counts_as_a_revision():
    """Before it another value was shown: the present one did not stand then."""
    year = a_year(
        2023,
        revenue=10,
        net_income_attributable_to_parent=2,
        net_income=vintages(("2024-03-01", 3), ("2024-07-01", None)),
    )
    assert known("net_margin", year) == [
        ("2024-03-01", "2024-07-01", Fraction(3, 10), "revised_after_as_of"),
        ("2024-07-01", NEVER, Fraction(2, 10), None),
    ]
    deposits = vintages(("2024-04-01", 1), ("2024-08-01", None))
    former_bank = a_year(
        2023, current_assets=4, current_liabilities=2, loans_to_customers=9, customer_deposits=deposits
    )
    assert known("current_ratio", former_bank) == [
        ("2024-03-01", "2024-04-01", 2, "revised_after_as_of"),
        ("2024-04-01", "2024-08-01", None, "revised_after_as_of"),
        ("2024-08-01", NEVER, 2, None),
    ]


def test_a_withdrawal_of_what_was_never_the_choice_changes_nothing():
    unused = vintages(("2024-03-01", 3), ("2024-07-01", None))
    year = a_year(2023, revenue=10, net_income=2, net_income_attributable_to_parent=unused)
    assert known("net_margin", year) == [("2024-03-01", NEVER, Fraction(2, 10), None)]


def test_a_value_that_was_withdrawn_for_good_stays_on_the_days_before():
    year = a_year(2023, revenue=10, net_income=vintages(("2024-03-01", 3), ("2024-05-01", None)))
    assert known("net_margin", year) == [
        ("2024-03-01", "2024-05-01", Fraction(3, 10), "revised_after_as_of"),
        ("2024-05-01", NEVER, None, "input_missing"),
    ]


def test_a_value_that_was_withdrawn_and_stated_again_is_exact_from_then_on():
    again = vintages(("2024-03-01", 3), ("2024-05-01", None), ("2024-09-01", 3))
    assert known("net_margin", a_year(2023, revenue=10, net_income=again)) == [
        ("2024-03-01", "2024-05-01", Fraction(3, 10), "revised_after_as_of"),
        ("2024-05-01", "2024-09-01", None, "completed_after_as_of"),
        ("2024-09-01", NEVER, Fraction(3, 10), None),
    ]


def test_a_day_is_no_full_year_before_it_is_known_to_end_one():
    late = Label("2024-06-01", NEVER, 2023)
    row = newest("current_ratio", a_year(2023, late, current_assets=4, current_liabilities=2))
    assert (row.published_at, row.known_from, row.exact_from) == ("2024-06-01", "2024-06-01", "2024-06-01")


def test_a_year_ends_where_a_later_one_is_published_and_one_that_was_never_the_last_has_no_row():
    years = [a_year(2020, revenue=1), a_year(2021, revenue=1), a_year(2023, revenue=1)]
    late = a_year(2022, Label("2024-03-01", NEVER, 2022), revenue=vintages(("2024-03-01", 1)))
    rows = {row.end: row for row in derive([*years, late], (BY_SLUG["net_margin"],))}
    spans = {end: (row.known_from, row.known_until) for end, row in rows.items()}
    assert spans == {
        "2020-12-31": ("2021-03-01", "2022-03-01"),
        "2021-12-31": ("2022-03-01", "2024-03-01"),
        "2023-12-31": ("2024-03-01", NEVER),
    }


def test_a_period_that_ceases_to_be_a_full_year_gives_way_to_the_year_before_it():
    """The issuer moved its year's end: from that day on the period is twelve months, and no fiscal year."""
    old = a_year(2022, revenue=10, net_income=1)
    moved = a_year(2023, Label("2024-03-01", "2024-10-01", 2023), revenue=10, net_income=5)
    assert known("net_margin", old, moved) == [
        ("2023-03-01", "2024-03-01", Fraction(1, 10), None),
        ("2024-03-01", "2024-10-01", Fraction(5, 10), "revised_after_as_of"),
        ("2024-10-01", NEVER, Fraction(1, 10), None),
    ]

    assert of_year("net_margin", 2022, old, moved) == [
        ("2023-03-01", "2024-10-01", "2024-03-01", Fraction(1, 10)),
        ("2024-10-01", NEVER, NEVER, Fraction(1, 10)),
    ]


def test_a_value_stands_for_its_year_after_a_later_one_came_until_it_is_restated():
    restated = a_year(2022, revenue=10, net_income=vintages(("2023-03-01", 1), ("2024-06-01", 2)))
    later = a_year(2023, revenue=10, net_income=5)
    assert of_year("net_margin", 2022, restated, later) == [
        ("2023-03-01", "2024-06-01", "2024-03-01", Fraction(1, 10)),
        ("2024-06-01", NEVER, "2024-06-01", Fraction(2, 10)),
    ]
    assert of_year("net_margin", 2023, restated, later) == [("2024-03-01", NEVER, NEVER, Fraction(1, 2))]


def test_a_year_that_was_never_the_last_has_its_value_and_no_reason_for_having_none():
    first = a_year(2022, Label("2024-03-01", NEVER, 2022), revenue=vintages(("2024-03-01", 4)))
    first.histories.append(History("net_income", "KES", False, vintages(("2024-03-01", 1))))
    later = a_year(2023, revenue=10, net_income=5)
    assert of_year("net_margin", 2022, first, later) == [("2024-03-01", NEVER, "2024-03-01", Fraction(1, 4))]
    assert of_year("current_ratio", 2022, first, later) == []


def test_a_relabelled_fiscal_year_shows_from_its_own_day_on_and_revises_no_figure():
    labels = [Label("2024-03-01", "2024-10-01", 2023), Label("2024-10-01", NEVER, 2024)]
    rows = sorted(derive([a_year(2023, *labels, revenue=10, net_income=5)], (BY_SLUG["net_margin"],)))
    assert [(row.known_from, row.fiscal_year, row.exact_from, row.left_out) for row in rows] == [
        ("2024-03-01", 2023, "2024-03-01", None),
        ("2024-10-01", 2024, "2024-03-01", None),
    ]
