"""Fiscal labels by hand: each rule of FUN-4 on the smallest case that shows it."""

from __future__ import annotations

from datetime import date

import pytest

from sankofa.fundamentals.fiscal import Declaration, Period, labels
from sankofa.fundamentals.labels import Filed, declaration_of

ANNUAL_2023 = Declaration(date(2024, 2, 20), date(2023, 12, 31), 12, 2023, date(2023, 1, 1))


def day(text):
    return date.fromisoformat(text) if text else None


def label(start, end, *declarations, quarterly_from=None):
    """Return the labels of one period with the days from which they hold."""
    ((_, dated),) = labels([Period(day(start), day(end))], list(declarations), day(quarterly_from))
    return [(str(since) if since else None, *found) for since, found in dated]


def last(*asked, **more):
    return label(*asked, **more)[-1][1:]


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        ("2023-01-01", "2023-12-31", ("FY", 2023, None)),
        ("2022-01-01", "2022-12-31", ("FY", 2022, None)),
        ("2024-01-01", "2024-03-31", ("Q1", 2024, None)),
        ("2023-04-01", "2023-06-30", ("Q2", 2023, None)),
        ("2023-07-01", "2023-12-31", ("H2", 2023, None)),
        ("2023-01-01", "2023-09-30", ("9M", 2023, None)),
        ("2023-10-01", "2023-12-31", ("Q4", 2023, None)),
        ("2022-07-01", "2023-06-30", ("TTM", 2023, None)),
        ("2023-04-01", "2023-09-30", (None, None, "off_calendar")),
        ("2023-01-01", "2023-02-28", (None, None, "odd_length")),
        (None, "2024-03-31", ("Q1", 2024, None)),
        (None, "2024-03-26", (None, None, "off_calendar")),
        (None, "2023-06-30", ("H1", 2023, None)),
    ],
)
def test_length_and_place_make_the_type(start, end, expected):
    assert last(start, end, ANNUAL_2023) == expected


def test_mid_year_instants_are_q2_from_the_day_on_which_quarters_are_known():
    assert label(None, "2023-06-30", ANNUAL_2023, quarterly_from="2024-05-02") == [
        (None, None, None, "not_declared"),
        ("2024-02-20", "H1", 2023, None),
        ("2024-05-02", "Q2", 2023, None),
    ]


def test_a_declared_end_has_its_declared_place_however_the_weeks_fall():
    first_of_sixteen_weeks = Declaration(date(2010, 6, 28), date(2010, 5, 22), 3, 2010)
    assert last("2010-01-31", "2010-05-22", first_of_sixteen_weeks) == ("Q1", 2010, None)


def test_a_later_full_year_around_it_takes_the_place_of_what_a_quarter_declared():
    quarter = Declaration(date(2024, 11, 1), date(2024, 9, 30), 9, 2024)
    june_year = Declaration(date(2025, 9, 1), date(2025, 6, 30), 12, 2025, date(2024, 7, 1))
    assert label("2024-07-01", "2024-09-30", ANNUAL_2023, quarter, june_year)[1:] == [
        ("2024-02-20", "Q3", 2024, None),
        ("2025-09-01", "Q1", 2025, None),
    ]


def test_a_transition_period_has_no_type_and_its_quarters_do():
    transition = Declaration(date(2024, 9, 1), date(2024, 6, 30), 12, 2024, date(2024, 1, 1))
    assert last("2024-01-01", "2024-06-30", ANNUAL_2023, transition) == (None, None, "short_year")
    assert last("2024-04-01", "2024-06-30", ANNUAL_2023, transition) == ("Q4", 2024, None)


def test_years_of_weeks_label_instants_on_their_weekday_only():
    saturday = Declaration(date(2009, 10, 27), date(2009, 9, 26), 12, 2009, date(2008, 9, 28))
    assert last(None, "2008-09-27", saturday) == ("FY", 2008, None)
    assert last(None, "2009-06-27", saturday) == ("Q3", 2009, None)
    assert last(None, "2008-09-26", saturday) == ("FY", 2008, None)  # a year before, to the day
    assert last(None, "2008-09-25", saturday) == (None, None, "off_calendar")


def test_a_year_without_a_name_is_named_as_the_filer_last_named_one():
    named = Declaration(date(2024, 3, 20), date(2024, 1, 31), 12, 2023, date(2023, 2, 1))
    unnamed = Declaration(date(2025, 3, 20), date(2025, 1, 31), 12, None, date(2024, 2, 1))
    assert last("2024-02-01", "2025-01-31", unnamed) == ("FY", 2025, None)
    assert last("2024-02-01", "2025-01-31", named, unnamed) == ("FY", 2024, None)


def filed(form, *declared, start="2023-01-01"):
    return Filed("DC1", date(2024, 2, 20), date(2023, 12, 31), form, *declared, day(start))


@pytest.mark.parametrize(
    ("filing", "expected"),
    [
        (filed("10-K", 2023, "FY", None), (12, 2023)),
        (filed("20-F", None, None, None), (12, None)),
        (filed("20-F", None, None, None, start="2023-07-01"), None),
        (filed("10-Q", 2023, "FY", None), None),
        (filed("10-K", 2023, "Q3", None), None),
        (filed("6-K", None, None, None), None),
        (filed("6-K", 2023, "H1", None), (6, 2023)),
        (filed("10-Q", 2024, None, "0630"), (6, 2024)),
        (filed("10-Q", 2024, None, "0531"), None),
        (filed("10-K", 2016, "FY", None), (12, None)),
        (filed(None, 2023, "CY", None), None),
    ],
)
def test_a_filing_declares_what_can_be_true(filing, expected):
    declared = declaration_of(filing)
    assert (declared and (declared.position, declared.fiscal_year)) == expected
