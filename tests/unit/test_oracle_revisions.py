"""The oracle's kinds of revision and its own periods, proved by hand from the rules (FUN-1, FUN-2, FUN-7)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from oracle.events import Publish, Takedown
from oracle.examples import ACME, LINE_ITEMS, SOURCE, day, fact, ingest, numbered, says, year
from oracle.filings import own_period_end
from oracle.model import Model
from oracle.revisions import agree, is_rescaled, is_rounding_of

PUBLISHED = day("2024-06-30")


@pytest.fixture
def model(tmp_path):
    line_items = tmp_path / "line_items.csv"
    line_items.write_text(LINE_ITEMS)
    return Model({SOURCE: "public"}, line_items)


def published(model, *entries):
    model.apply(ingest(*entries), Publish(PUBLISHED))
    return model


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("1234", "1234000", True),
        ("1234000", "1234", True),
        ("-12.5", "-1250", True),
        ("0.001", "1", True),
        ("1234", "-1234000", False),
        ("1234", "1234", False),
        ("1234", "1235000", False),
        ("0", "1000", False),
        ("0", "0.00", False),
    ],
)
def test_a_power_of_ten_rescales(one, other, expected):
    assert is_rescaled(Decimal(one), Decimal(other)) is expected


@pytest.mark.parametrize(
    ("short", "precise", "expected"),
    [
        ("294604000", "294603943", True),
        ("90700000000", "90678000000", True),
        ("-294604000", "-294603943", True),
        ("295000000", "294603943", True),  # three digits
        ("290000000", "294603943", False),  # two digits
        ("294603000", "294603943", False),  # cut off, not rounded
        ("294604000", "294603500", True),  # a half goes away from zero
        ("294604000", "294604500", True),  # a half, either way
        ("294604000", "294604501", False),
        ("1.23", "1.2345", True),
        ("1.2", "1.2345", False),
        ("1.2345", "1.23", False),
        ("123", "123", False),
        ("0", "0.4", False),
        ("1000", "999.6", False),  # one digit
    ],
)
def test_a_value_is_rounded_to_its_own_trailing_zeros(short, precise, expected):
    assert is_rounding_of(Decimal(short), Decimal(precise), None) is expected


def test_a_stated_precision_makes_a_rounding_of_fewer_digits():
    assert is_rounding_of(Decimal(290000000), Decimal(294603943), -7)
    assert not is_rounding_of(Decimal(290000000), Decimal(294603943), -6)
    assert is_rounding_of(Decimal(1000), Decimal("999.6"), 0)


def test_values_agree_at_the_coarser_of_two_stated_precisions():
    precise, short = Decimal(294603943), Decimal(294604000)
    assert agree(precise, short, 0, -3)
    assert agree(short, precise, -3, 0)
    assert not agree(precise, short, 0, -2)
    assert not agree(precise, short, None, -3)
    assert agree(precise, Decimal("294603943.0"), None, None)


def revisions(model, **question):
    return [row["revision"] for row in model.answer(ACME, vintages="all", **question)]


def test_a_revision_is_the_first_kind_that_holds(model):
    other = "us-gaap:SalesRevenueNet"
    published(
        model,
        says("123456", "2021-02-01", "A1"),
        says("123456000", "2021-02-02", "A2", form="10-K/A", concept=other),
        says("123456100", "2021-02-03", "A3", form="10-K/A", concept=other),
        says("123000000", "2021-02-04", "A4", form="10-K/A"),
        says("7", "2021-02-05", "A5", form="10-K/A", concept=other),
        says("8", "2021-02-06", "A6", form="10-K/A", concept=other),
        says("9", "2021-02-07", "A7", concept=other),
    )
    assert revisions(model) == [
        None,
        "rescaled",
        "rounded",  # the vintage before is this one, rounded
        "rounded",
        "reclassified",
        "corrected",
        "restated",
    ]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("10-K", "10-K/A", "corrected"),
        ("10-K/A", "10-K/A", "corrected"),
        ("20-F", "20-F/A", "corrected"),
        ("10-K", "10-K", "restated"),
        ("10-K/A", "10-K", "restated"),
        ("10-K", "10-KT/A", "restated"),
        ("10-Q", "10-K/A", "restated"),
    ],
)
def test_an_amendment_has_the_same_form(model, first, second, expected):
    published(model, says("5", "2021-02-01", "A1", form=first), says("7", "2021-03-01", "A2", form=second))
    assert revisions(model) == [None, expected]


def test_an_amendment_is_about_the_same_own_period(model):
    published(
        model,
        says("5", "2021-02-01", "A1"),
        says("7", "2022-03-01", "A2", form="10-K/A"),
        says("1", "2022-03-01", "A2", year(2021), form="10-K/A"),
    )
    assert revisions(model)[1:] == [None, "restated"]


def test_latest_passes_over_a_rounding(model):
    published(
        model,
        says("294603943", "2021-02-01", "A1"),
        says("294604000", "2022-02-01", "A2"),
        says("295000000", "2023-02-01", "A3"),
    )
    assert numbered(model.answer(ACME)) == [(1, "294603943")]
    assert numbered(model.answer(ACME, as_of=day("2022-02-01"))) == [(1, "294603943")]
    assert revisions(model) == [None, "rounded", "rounded"]


def test_a_value_after_a_rounding_is_the_latest(model):
    published(
        model,
        says("294603943", "2021-02-01", "A1"),
        says("294604000", "2022-02-01", "A2"),
        says("294603943", "2023-02-01", "A3"),
        says("100", "2023-06-01", "A4"),
    )
    assert numbered(model.answer(ACME, as_of=day("2022-12-31"))) == [(1, "294603943")]
    assert numbered(model.answer(ACME, as_of=day("2023-05-31"))) == [(3, "294603943")]
    assert numbered(model.answer(ACME)) == [(4, "100")]
    assert revisions(model) == [None, "rounded", "rounded", "restated"]


def test_an_amendment_that_rounds_is_the_latest(model):
    published(
        model,
        says("294603943", "2021-02-01", "A1"),
        says("294604000", "2021-05-01", "A2", form="10-K/A"),
    )
    assert numbered(model.answer(ACME)) == [(2, "294604000")]
    assert revisions(model) == [None, "rounded"]


def test_a_value_that_is_withdrawn_after_a_rounding_is_not_shown(model):
    published(
        model,
        says("294603943", "2021-02-01", "A1"),
        says("294604000", "2022-02-01", "A2"),
        says(None, "2023-02-01", "A3"),
    )
    assert numbered(model.answer(ACME, as_of=day("2023-01-31"))) == [(1, "294603943")]
    assert model.answer(ACME, as_of=day("2023-02-01")) == []


def test_a_rounding_of_a_withdrawn_value_is_the_latest(model):
    published(
        model,
        says("294603943", "2021-02-01", "A1"),
        says(None, "2022-02-01", "A2"),
        says("294604000", "2023-02-01", "A3"),
    )
    assert revisions(model) == [None, "rounded"]
    assert numbered(model.answer(ACME)) == [(2, "294604000")]


def test_a_value_that_returns_unchanged_after_its_withdrawal_is_restated(model):
    published(
        model,
        says("294603943", "2021-02-01", "A1"),
        says(None, "2022-02-01", "A2"),
        says("294603943", "2023-02-01", "A3"),
    )
    assert revisions(model) == [None, "restated"]


def test_no_rounding_takes_the_place_of_a_value_that_was_taken_down(model):
    published(model, says("294603943", "2021-02-01", "A1"), says("294604000", "2022-02-01", "A2"))
    model.apply(Takedown(fact("294603943", "A1")))
    assert model.answer(ACME, 1) == []
    model.apply(Publish(PUBLISHED))
    assert numbered(model.answer(ACME, 2)) == [(1, "294604000")]


def test_the_first_filing_is_held_if_the_first_vintage_is_its_filing_s_own(model):
    published(
        model,
        says("5", "2021-02-01", "A1"),
        says("4", "2021-02-01", "A1", year(2019)),
        says("6", "2022-02-01", "A2"),
        says("7", "2022-02-01", "A2", year(2021)),
        says("8", "2023-02-01", "A3", year(2019)),
    )
    shown = [
        (str(row["value_reported"]), row["reported_as"], row["first_filing_held"])
        for row in model.answer(ACME, vintages="all")
    ]
    assert shown == [
        ("7", "own", True),
        ("5", "own", True),
        ("6", "comparative", True),
        ("4", "comparative", False),
        ("8", "own", False),
    ]


def own_end(ends, cover, filed):
    return own_period_end([(None, end) for end in ends], [(None, end) for end in cover], filed)


def test_an_own_period_ends_with_a_period_as_long_as_the_declared_part_of_the_year():
    year, quarter = (day("2020-01-01"), day("2020-12-31")), (day("2021-01-01"), day("2021-03-31"))
    filed = day("2021-05-01")
    assert own_period_end([year] * 9 + [quarter], [], filed, "Q1") == quarter[1]
    assert own_period_end([year] * 9 + [quarter], [], filed, "Q3") == year[1]
    assert own_period_end([year] * 9 + [quarter], [], filed) == year[1]


def test_an_own_period_ends_where_a_fifth_of_the_values_do():
    end, later, filed = day("2020-12-31"), day("2021-01-20"), day("2021-02-01")
    assert own_end([end] * 5 + [later], [], filed) == later
    assert own_end([end] * 6 + [later], [], filed) == end
    assert own_end([end] * 6 + [later] * 2, [], filed) == later


def test_an_own_period_does_not_end_after_the_filing_or_on_the_cover_page():
    end, filed, later = day("2020-12-31"), day("2021-02-01"), day("2021-02-02")
    assert own_end([end, later, later], [], filed) == end
    assert own_end([end, filed], [], filed) == filed
    assert own_end([end], [filed], filed) == end
    assert own_end([], [end, filed], filed) == filed
    assert own_end([later], [], filed) == later


def test_a_row_names_the_form_and_the_number_of_its_filing(model):
    published(model, says("5", "2021-02-01", "A1", form="20-F/A"))
    (row,) = model.answer(ACME)
    assert (row["form"], row["filing_id"], row["accepted_at"], row["decimals"]) == (
        "20-F/A",
        "A1",
        None,
        None,
    )
