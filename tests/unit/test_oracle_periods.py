"""The oracle's names for periods, proved by hand: days and months were counted on paper."""

from __future__ import annotations

import pytest

from oracle.examples import day
from oracle.periods import FiscalCalendar

CALENDAR_YEARS = FiscalCalendar(frozenset({day("2020-12-31"), day("2021-12-31")}), has_quarters=True)


@pytest.mark.parametrize(
    ("start", "end", "name"),
    [
        ("2021-01-01", "2021-12-31", "FY"),
        ("2021-01-16", "2021-12-31", "FY"),  # 350 days
        ("2021-01-17", "2021-12-31", None),  # 349 days
        ("2020-12-17", "2021-12-31", "FY"),  # 380 days
        ("2020-12-16", "2021-12-31", None),  # 381 days
        ("2021-01-01", "2021-03-31", "Q1"),  # 90 days after: 2.96 months
        ("2021-04-01", "2021-06-30", "Q2"),  # 181 days after, 184 before: 5.95 months
        ("2021-07-01", "2021-09-30", "Q3"),  # 92 days before: -3.02 months
        ("2021-10-01", "2021-12-31", "Q4"),
        ("2021-02-01", "2021-04-30", None),  # a quarter, but four months in
        ("2021-01-01", "2021-06-30", "H1"),
        ("2021-07-01", "2021-12-31", "H2"),
        ("2020-10-01", "2021-03-31", None),  # a half, but three months in
        ("2021-01-01", "2021-09-30", "9M"),
        ("2021-04-01", "2021-12-31", None),  # nine months, but at the year's end
        ("2021-01-01", "2021-04-30", None),  # 120 days are nothing
        (None, "2021-12-31", "FY"),
        (None, "2022-01-15", "FY"),  # 15 days after: 0.49 months
        (None, "2022-01-16", None),  # 16 days after: 0.53 months
        (None, "2021-12-16", "FY"),  # 15 days before
        (None, "2021-12-15", None),  # 16 days before
        (None, "2021-03-31", "Q1"),
        (None, "2021-06-30", "Q2"),
        (None, "2021-09-30", "Q3"),
        (None, "2031-12-31", "FY"),  # ten years on: 3652 days, 119.98 months
    ],
)
def test_period_types_of_calendar_years(start, end, name):
    assert CALENDAR_YEARS.period_type(start and day(start), day(end)) == name


def test_a_half_year_s_instant_is_h1_for_those_who_report_no_quarters():
    calendar = FiscalCalendar(frozenset({day("2020-12-31")}), has_quarters=False)
    assert calendar.period_type(None, day("2021-06-30")) == "H1"


def test_without_a_fiscal_year_end_only_full_years_have_a_type():
    calendar = FiscalCalendar(frozenset(), has_quarters=True)
    assert calendar.period_type(None, day("2021-12-31")) is None
    assert calendar.period_type(day("2021-10-01"), day("2021-12-31")) is None
    assert calendar.period_type(day("2021-01-01"), day("2021-12-31")) == "FY"


def test_of_two_year_ends_equally_near_the_earlier_counts():
    calendar = FiscalCalendar(frozenset({day("2020-12-31"), day("2021-07-01")}), has_quarters=True)
    assert calendar.period_type(None, day("2021-04-01")) == "Q1"  # 91 days from both; else Q3
