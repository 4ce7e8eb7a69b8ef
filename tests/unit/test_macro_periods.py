"""Periods: what publishers write, and the days it means."""

from __future__ import annotations

from datetime import date

import pytest

from sankofa.macro import periods


@pytest.mark.parametrize(
    ("text", "frequency", "start", "end"),
    [
        ("2025", "A", "2025-01-01", "2025-12-31"),
        ("2025Q1", "Q", "2025-01-01", "2025-03-31"),
        ("2025Q4", "Q", "2025-10-01", "2025-12-31"),
        ("2024M02", "M", "2024-02-01", "2024-02-29"),
        ("2025M2", "M", "2025-02-01", "2025-02-28"),
        ("2025M12", "M", "2025-12-01", "2025-12-31"),
    ],
)
def test_a_year_a_quarter_or_a_month_is_read(text, frequency, start, end):
    days = (date.fromisoformat(start), date.fromisoformat(end))
    assert periods.written(text) == (frequency, days)


@pytest.mark.parametrize(
    "text", ["", "25", "2025Q0", "2025Q5", "2025M0", "2025M13", "0000", "1499", "2300", "2025-01", "2025\n"]
)
def test_what_is_no_period_is_none(text):
    assert periods.written(text) is None


def test_digits_of_other_scripts_are_no_year():
    assert periods.written("٢٠٢٥") is None


@pytest.mark.parametrize("text", ["2024-08-02", "02/08/2024", "2/8/2024", "02 August 2024", "2 aug 2024"])
def test_a_day_is_read_in_its_forms_and_never_month_first(text):
    assert periods.day(text) == date(2024, 8, 2)


@pytest.mark.parametrize(
    "text",
    ["", "08/22/2024", "2024-02-30", "0000-01-01", "22-08-2024", "22/08/24", "2024-8-2", "3 Foo 2024"],
)
def test_what_is_no_day_is_none(text):
    assert periods.day(text) is None


@pytest.mark.parametrize("name", ["April", "APRIL", "apr", "4", "04"])
def test_a_month_is_read_by_name_short_name_or_number(name):
    assert periods.month("2024", name) == (date(2024, 4, 1), date(2024, 4, 30))


@pytest.mark.parametrize(
    ("year", "name"), [("2024", ""), ("2024", "13"), ("2024", "0"), ("24", "4"), ("2024", "Ap")]
)
def test_what_is_no_month_is_none(year, name):
    assert periods.month(year, name) is None


@pytest.mark.parametrize(
    ("first", "frequency", "last"),
    [
        ("2024-01-01", "A", "2024-12-31"),
        ("2024-04-01", "Q", "2024-06-30"),
        ("2024-02-01", "M", "2024-02-29"),
        ("2024-02-03", "D", "2024-02-03"),
        ("2024-02-01", "Q", None),
        ("2024-01-02", "M", None),
        ("2024-07-01", "A", None),
    ],
)
def test_a_period_begins_on_its_first_day_only(first, frequency, last):
    period = periods.beginning(date.fromisoformat(first), frequency)
    assert period == (last and (date.fromisoformat(first), date.fromisoformat(last)))
