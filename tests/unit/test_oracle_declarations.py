"""What filings declare about the fiscal year, proved by hand from the rules (FUN-4)."""

from __future__ import annotations

import pytest

from oracle.declarations import declaration
from oracle.examples import YEAR_2021, filing


@pytest.mark.parametrize(
    ("fp", "position"),
    [("FY", 12), ("Q4", 12), ("H2", 12), ("Q3", 9), ("9M", 9), ("Q2", 6), ("H1", 6), ("Q1", 3), ("CY", None)],
)
def test_a_fiscal_period_is_a_number_of_months(fp, position):
    declared = declaration(filing("6-K", "2021-12-31", fp=fp))
    assert (declared and declared.position) == position


@pytest.mark.parametrize(
    ("fye", "end", "position"),
    [
        ("1231", "2024-03-31", 3),
        ("0930", "2024-06-29", 9),  # 273 days: 8.97 months
        ("1231", "2025-01-03", 12),  # 3 days
        ("1231", "2024-12-28", 12),  # 363 days: 11.93 months
        ("0630", "2024-06-30", 12),
        ("0229", "2023-08-31", 6),  # 184 days: 6.05 months
        ("1231", "2024-04-30", None),  # four months are no multiple of three
    ],
)
def test_the_day_on_which_years_end_stands_for_a_position_that_is_not_given(fye, end, position):
    declared = declaration(filing("6-K", end, fye=fye))
    assert (declared and declared.position) == position
    assert declaration(filing("6-K", end, fye=fye, fp="Q1")).position == 3


def test_an_annual_form_that_gives_nothing_declares_a_year_if_it_has_one_of_its_own():
    assert declaration(filing("20-F", "2021-12-31", periods=[YEAR_2021])).position == 12
    assert declaration(filing("40-F/A", "2021-12-31", periods=[YEAR_2021])).position == 12
    assert declaration(filing("6-K", "2021-12-31", periods=[YEAR_2021])) is None
    assert declaration(filing("20-F", "2021-12-31", periods=[("2020-01-01", "2020-12-31")])) is None
    assert declaration(filing("20-F", "2021-12-31", periods=[("2021-01-17", "2021-12-31")])) is None  # 349


@pytest.mark.parametrize(
    ("form", "fp"), [("10-Q", "FY"), ("10-Q/A", "Q4"), ("10-K", "Q2"), ("20-F/A", "H1"), ("10-KT", "Q3")]
)
def test_a_position_that_contradicts_the_form_declares_nothing(form, fp):
    assert declaration(filing(form, "2021-12-31", fp=fp, fy=2021, periods=[YEAR_2021])) is None


def test_a_quarterly_report_at_the_year_s_end_is_contradictory_by_its_date_too():
    assert declaration(filing("10-Q", "2021-12-31", fye="1231")) is None
