"""The oracle's labels, proved by hand: months, days and weekdays were counted on paper (FUN-4)."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from oracle.events import Publish
from oracle.examples import ACME, LINE_ITEMS, SOURCE, YEAR_2021, day, filing, ingest, period, says
from oracle.labels import FiscalHistory
from oracle.model import Model

LATER = day("2030-01-01")


def label(filings, start, end, on=LATER):
    return tuple(
        FiscalHistory(filings).on(on if isinstance(on, date) else day(on)).label(*period(start, end))
    )


ANNUAL_2021 = filing("10-K", "2021-12-31", fp="FY", fy=2021, periods=[YEAR_2021])


@pytest.mark.parametrize(
    ("end", "fp", "fy", "year"),
    [
        ("2021-12-31", "FY", 2021, 2021),
        ("2021-12-31", "FY", 2022, 2022),
        ("2021-12-31", "FY", 2020, 2020),
        ("2021-12-31", "FY", 2019, 2021),  # two away: ignored
        ("2021-12-31", "FY", None, 2021),
        ("2021-01-02", "FY", None, 2020),  # the first week of January
        ("2021-01-07", "FY", None, 2020),
        ("2021-01-08", "FY", None, 2021),
        ("2021-10-02", "Q3", None, 2021),  # the year ends on 2022-01-02
        ("2021-09-30", "Q1", None, 2022),  # the year ends in June 2022
        ("2021-09-30", "Q1", 2020, 2022),  # two away from 2022
        ("2021-09-30", "Q1", 2021, 2021),
    ],
)
def test_the_fiscal_year_is_the_declared_one_if_it_is_near_the_calendar_s(end, fp, fy, year):
    only = filing("20-F" if fp == "FY" else "6-K", end, fp=fp, fy=fy)
    assert label([only], None, end)[1] == year


def test_a_missing_fiscal_year_is_moved_as_the_last_declared_one():
    named_early = filing("10-K", "2021-01-30", fp="FY", fy=2020)
    unnamed = filing("10-K", "2022-01-29", fp="FY")
    named_late = filing("10-K", "2023-01-28", fp="FY", fy=2023)
    ignored = filing("10-K", "2024-01-27", fp="FY", fy=2030)
    history = [named_early, unnamed, named_late, ignored]
    assert label([unnamed], None, "2022-01-29") == ("FY", 2022)
    assert label([named_early, unnamed], None, "2022-01-29") == ("FY", 2021)
    assert label(history, None, "2022-01-29", on="2023-03-08") == ("FY", 2021)
    assert label(history, None, "2022-01-29", on="2023-03-09") == ("FY", 2022)  # 40 days after 2023-01-28
    assert label(history, None, "2022-01-29") == ("FY", 2022)


def test_nothing_is_labelled_before_the_first_declaration():
    undeclared = filing("10-Q", "2021-09-30", periods=[("2021-07-01", "2021-09-30")])
    history = [undeclared, ANNUAL_2021]
    assert label(history, "2021-07-01", "2021-09-30", on="2022-02-08") == (None, None)
    assert label(history, "2021-07-01", "2021-09-30", on="2022-02-09") == ("Q3", 2021)


@pytest.mark.parametrize(
    ("end", "days", "name"),
    [
        *[("2021-03-31", days, "Q1") for days in (77, 90, 123)],
        *[("2021-06-30", days, "Q2") for days in (77, 123)],
        *[("2021-09-30", days, "Q3") for days in (77, 123)],
        *[("2021-12-31", days, "Q4") for days in (77, 123)],
        *[("2021-06-30", days, "H1") for days in (161, 181, 203)],
        *[("2021-12-31", days, "H2") for days in (161, 203)],
        *[("2021-09-30", days, "9M") for days in (245, 273, 288)],
        *[("2021-12-31", days, "FY") for days in (350, 380)],
        *[(end, days, "TTM") for end in ("2021-03-31", "2021-06-30", "2021-09-30") for days in (350, 380)],
        *[("2021-12-31", days, None) for days in (1, 76, 124, 160, 204, 244, 245, 288, 289, 349, 381)],
        ("2021-03-31", 181, None),
        ("2021-03-31", 273, None),
        ("2021-06-30", 273, None),
        ("2021-09-30", 181, None),
        ("2021-04-30", 120, None),  # no quarter's end is near
    ],
)
def test_the_type_follows_from_length_and_place(end, days, name):
    start = day(end) - timedelta(days=days - 1)
    assert label([ANNUAL_2021], start.isoformat(), end) == (name, 2021 if name else None)


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        ("2021-12-31", ("FY", 2021)),
        ("2021-03-31", ("Q1", 2021)),
        ("2021-09-30", ("Q3", 2021)),
        ("2022-03-31", ("Q1", 2022)),
        ("2020-12-31", ("FY", 2020)),
        ("2019-09-30", ("Q3", 2019)),
        ("2021-10-31", (None, None)),
    ],
)
def test_the_type_of_an_instant_is_its_place(end, expected):
    assert label([ANNUAL_2021], None, end) == expected


def test_a_mid_year_instant_is_of_a_half_until_the_issuer_states_a_quarter():
    quarter = filing("6-K", "2022-03-31", fp="Q1", fy=2022, periods=[("2022-01-01", "2022-03-31")])
    history = [ANNUAL_2021, quarter]
    assert label(history, None, "2021-06-30", on="2022-05-09") == ("H1", 2021)
    assert label(history, None, "2021-06-30", on="2022-05-10") == ("Q2", 2021)  # 40 days after 2022-03-31


def test_the_last_declaration_with_the_same_end_counts_from_its_day():
    first = filing("10-Q", "2021-06-30", fp="Q2", fy=2021, filed="2021-08-01")
    amended = filing("10-Q/A", "2021-06-30", fp="Q3", fy=2021, filed="2021-09-01")
    silent = filing("10-Q/A", "2021-06-30", filed="2021-10-01")
    history = [first, amended, silent]
    quarter = ("2021-04-01", "2021-06-30")
    assert label(history, *quarter, on="2021-08-31") == ("Q2", 2021)
    assert label(history, *quarter, on="2021-09-01") == ("Q3", 2021)
    assert label(history, *quarter, on="2021-10-01") == ("Q3", 2021)


@pytest.mark.parametrize(
    ("year", "expected"),
    [
        (("2024-01-01", "2024-12-31"), ("Q3", 2024)),
        (("2024-02-01", "2025-01-31"), ("Q3", 2024)),  # 31 days later
        (("2024-02-15", "2025-02-14"), ("Q3", 2024)),  # 45 days later
        (("2024-02-16", "2025-02-15"), (None, None)),  # 46 days later; 2024-08-15 and 2024-11-15 are far off
        (("2024-04-01", "2025-03-31"), ("Q2", 2025)),
        (("2024-07-01", "2025-06-30"), ("Q1", 2025)),
        (("2024-10-01", "2025-09-30"), ("Q3", 2024)),  # not around the day
        (("2024-07-18", "2025-06-30"), ("Q3", 2024)),  # 348 days are no full year
    ],
)
def test_a_later_year_around_the_day_replaces_a_declaration_of_another_year(year, expected):
    quarter = filing("10-Q", "2024-09-30", fp="Q3", fy=2024)
    annual = filing("10-K", year[1], fp="FY", fy=2025, periods=[year])
    assert label([quarter, annual], "2024-07-01", "2024-09-30") == expected


def test_only_a_later_year_replaces_a_declaration():
    annual = filing("10-K", "2024-12-31", fp="FY", fy=2024, periods=[("2024-01-01", "2024-12-31")])
    quarter = filing("10-Q", "2024-09-30", fp="Q1", fy=2025, filed="2025-03-01")
    assert label([annual, quarter], "2024-07-01", "2024-09-30") == ("Q1", 2025)


def test_a_year_that_contains_the_day_comes_before_a_nearer_declaration():
    annual = filing("10-K", "2023-12-31", fp="FY", fy=2023, periods=[("2023-01-01", "2023-12-31")])
    near = filing("10-Q", "2023-09-23", fp="Q1", fy=2024)
    quarter = ("2023-07-01", "2023-09-30")
    assert label([near], *quarter) == ("Q1", 2024)  # 7 days off
    assert label([near, annual], *quarter) == ("Q3", 2023)


def test_of_two_years_that_contain_the_day_the_last_declared_counts():
    december = filing("10-K", "2023-12-31", fp="FY", fy=2023, periods=[("2023-01-01", "2023-12-31")])
    june = filing("10-K", "2024-06-30", fp="FY", fy=2024, periods=[("2023-07-01", "2024-06-30")])
    quarter = ("2023-07-01", "2023-09-30")
    assert label([december, june], *quarter, on="2024-08-08") == ("Q3", 2023)
    assert label([december, june], *quarter, on="2024-08-09") == ("Q1", 2024)


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        ("2023-04-01", "2023-06-30", ("Q2", 2023)),
        ("2024-01-01", "2024-03-31", ("Q1", 2024)),
        ("2024-10-01", "2024-12-31", ("Q4", 2024)),
        ("2025-01-01", "2025-03-31", ("Q1", 2025)),
        ("2022-07-01", "2023-06-30", ("TTM", 2023)),
        ("2024-01-11", "2024-04-10", ("Q1", 2024)),  # 10 days after the quarter's end
        ("2024-01-12", "2024-04-11", (None, None)),  # 11 days
        ("2023-12-22", "2024-03-21", ("Q1", 2024)),  # 10 days before
        ("2023-12-21", "2024-03-20", (None, None)),
        ("2024-10-11", "2025-01-10", ("Q4", 2024)),  # 10 days after 2024-12-31
        (None, "2024-03-31", ("Q1", 2024)),
        (None, "2024-12-31", ("FY", 2024)),
        (None, "2024-12-30", (None, None)),  # counted from the last of a month, it is the last
        (None, "2024-03-28", (None, None)),
        (None, "2024-03-29", (None, None)),  # a Friday; the declared end is the last of a month
    ],
)
def test_without_a_year_the_nearest_declaration_is_counted_from(start, end, expected):
    assert label([filing("10-Q", "2024-06-30", fp="Q2", fy=2024)], start, end) == expected


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        ("2024-03-29", "Q1"),  # the same day of the month
        ("2024-03-30", "Q1"),  # a Saturday, one day from it
        ("2024-03-23", "Q1"),  # a Saturday, six days from it
        ("2024-04-06", None),  # a Saturday, eight days from it
        ("2024-03-31", None),  # a Sunday
        ("2023-12-30", "FY"),
        ("2020-12-26", "FY"),  # 3 days from 2020-12-29
        ("2020-12-31", None),
    ],
)
def test_an_instant_of_a_year_in_weeks_falls_on_the_weekday(end, expected):
    saturday = filing("10-Q", "2024-06-29", fp="Q2", fy=2024)
    assert label([saturday], None, end)[0] == expected


def test_the_last_days_of_months_match():
    may = filing("10-Q", "2024-05-31", fp="Q1", fy=2025)
    assert label([may], None, "2024-02-29") == ("FY", 2024)
    assert label([may], None, "2023-02-28") == ("FY", 2023)
    assert label([may], None, "2024-02-28") == (None, None)


def test_of_two_declarations_equally_near_the_last_counts():
    before = filing("10-Q", "2024-03-30", fp="Q1", fy=2024)
    after = filing("10-Q", "2024-09-28", fp="Q4", fy=2024, filed="2024-10-20")
    before_again = filing("10-Q/A", "2024-03-30", fp="Q1", fy=2024, filed="2024-11-20")
    late = filing("6-K", "2024-09-28", fp="Q4", fy=2024, filed="2024-12-20")
    quarter = ("2024-03-31", "2024-06-29")  # 91 days from either
    assert label([before, after, before_again], *quarter) == ("Q2", 2024)
    assert label([before, after, before_again, late], *quarter) == ("Q3", 2024)


def test_a_transition_period_has_no_type_and_its_last_day_ends_a_year():
    months = ("2024-01-01", "2024-06-30")
    report = filing("10-KT", "2024-06-30", fp="FY", fy=2024, periods=[months, ("2024-04-01", "2024-06-30")])
    assert label([report], *months) == (None, None)
    assert label([report], None, "2024-06-30") == ("FY", 2024)
    assert label([report], "2024-04-01", "2024-06-30") == ("Q4", 2024)


def test_a_half_that_an_annual_report_states_beside_its_year_is_a_half():
    half = ("2021-07-01", "2021-12-31")
    report = filing("10-K", "2021-12-31", fp="FY", fy=2021, periods=[YEAR_2021, half])
    assert label([report], *half) == ("H2", 2021)
    assert label([filing("6-K", "2021-12-31", fp="H2", fy=2021, periods=[half])], *half) == ("H2", 2021)


def test_a_year_of_fifteen_months_has_no_type():
    report = filing("10-KT", "2022-03-31", fp="FY", fy=2022, periods=[("2021-01-01", "2022-03-31")])
    assert label([report], "2021-01-01", "2022-03-31") == (None, None)
    assert label([report], "2022-01-01", "2022-03-31") == ("Q4", 2022)


@pytest.fixture
def model(tmp_path):
    line_items = tmp_path / "line_items.csv"
    line_items.write_text(LINE_ITEMS)
    return Model({SOURCE: "public"}, line_items)


def labels_of(model, as_of, mode="latest"):
    return [
        (str(row["value_reported"]), row["period_type"], row["fiscal_year"])
        for row in model.answer(ACME, as_of=day(as_of), vintages=mode)
    ]


def test_a_change_of_the_year_end_relabels_a_quarter_from_the_annual_report_on(model):
    """The quarter to September 2024 is the third of 2024 until the report on July 2024 to June 2025."""
    year = period("2024-07-01", "2025-06-30")
    quarter = period("2024-07-01", "2024-09-30")
    old_year = period("2023-01-01", "2023-12-31")
    model.apply(
        ingest(
            says("400", "2024-02-20", "A1", old_year, declares=(2023, "FY")),
            says("100", "2024-11-01", "A2", quarter, form="10-Q", declares=(2024, "Q3")),
            says("420", "2025-09-01", "A3", year, declares=(2025, "FY")),
            says("101", "2025-09-01", "A3", quarter, declares=(2025, "FY")),
            fetched="2026-01-01",
        ),
        Publish(day("2026-06-30")),
    )
    assert labels_of(model, "2024-12-01") == [("100", "Q3", 2024), ("400", "FY", 2023)]
    assert labels_of(model, "2025-08-31") == [("100", "Q3", 2024), ("400", "FY", 2023)]
    assert labels_of(model, "2025-09-01") == [
        ("420", "FY", 2025),
        ("101", "Q1", 2025),
        ("400", "FY", 2023),
    ]
    assert labels_of(model, "2025-09-01", "as_reported")[1] == ("100", "Q1", 2025)
    assert labels_of(model, "2025-09-01", "all")[1:3] == [("100", "Q1", 2025), ("101", "Q1", 2025)]
    assert model.answer(ACME, as_of=day("2024-12-01"), period_type="q1") == []
    (row,) = model.answer(ACME, as_of=day("2025-09-01"), period_type="q1")
    assert row["period_start"] == day("2024-07-01")


def test_the_trailing_years_of_quarterly_reports_are_no_fiscal_years(model):
    """Amazon's reports of 2010: twelve months to March are stated beside the quarter."""
    quarter = period("2010-01-01", "2010-03-31")
    model.apply(
        ingest(
            says("902", "2010-01-29", "A1", period("2009-01-01", "2009-12-31"), declares=(2009, "FY")),
            says("299", "2010-04-23", "A2", quarter, form="10-Q", declares=(2010, "Q1")),
            says(
                "1024",
                "2010-04-23",
                "A2",
                period("2009-04-01", "2010-03-31"),
                form="10-Q",
                declares=(2010, "Q1"),
            ),
            says(
                "679",
                "2010-04-23",
                "A2",
                period("2008-04-01", "2009-03-31"),
                form="10-Q",
                declares=(2010, "Q1"),
            ),
            says(
                "5",
                "2010-04-23",
                "A2",
                (None, day("2010-03-31")),
                concept="us-gaap:Assets",
                form="10-Q",
                declares=(2010, "Q1"),
            ),
            says(
                "207",
                "2010-07-23",
                "A3",
                period("2010-04-01", "2010-06-30"),
                form="10-Q",
                declares=(2010, "Q2"),
            ),
        ),
        Publish(day("2024-06-30")),
    )
    assert labels_of(model, "2010-12-31") == [
        ("207", "Q2", 2010),
        ("5", "Q1", 2010),
        ("299", "Q1", 2010),
        ("1024", "TTM", 2010),
        ("902", "FY", 2009),
        ("679", "TTM", 2009),
    ]
    assert [str(row["value_reported"]) for row in model.answer(ACME, period_type="Ttm")] == ["1024", "679"]
