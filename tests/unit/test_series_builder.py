"""What a document says of one series: numbers as written, repeats, contradictions, and what is whole."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.series.builder import LIMITS, SeriesBuilder, first_seen, published, written_number
from sankofa.macro.model import Observation, Period, SeriesHead
from sankofa.macro.periods import written

HEAD = SeriesHead(key="CPI.KEN", series_type="cpi", frequency="A", country_iso3="KEN", unit="index")
NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
RELEASE = published(date(2024, 5, 1), NOON)


def year(number):
    return written(str(number)).period


def state(*values, is_whole=False, rejected=()):
    rejections = Rejections()
    series = SeriesBuilder(HEAD, rejections)
    for number, value in values:
        series.add(year(number), value)
    for reason in rejected:
        series.reject(reason, "x")
    return series.snapshot(RELEASE, is_whole=is_whole), dict(rejections.counts)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("100", "100"),
        ("-0.50", "-0.5"),
        ("+7", "7"),
        ("1,234,567.891", "1234567.891"),
        ("12345678901234567.89", "12345678901234567.89"),
        ("4.13631237891001E-08", "0.0000000413631237891001"),
        ("-5.40012479177676E-13", "-0.000000000000540012479177676"),
        ("1e5", "100000"),
        ("007", "7"),
    ],
)
def test_a_number_is_exact(text, value):
    assert f"{written_number(text, LIMITS):f}" == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "NaN",
        "nan",
        "Infinity",
        "-inf",
        "1,23",
        "12,34,567",
        "1.2.3",
        "0x10",
        "1_000",
        "٣",
        "5%",
        "(5)",
        "1 000",
    ],
)
def test_what_is_no_number_is_bad(text):
    assert written_number(text, LIMITS) == "bad_value"


@pytest.mark.parametrize("text", ["1" * 27, "1e26", "1e-41", "0." + "1" * 41])
def test_a_number_beyond_the_bounds_is_out_of_range(text):
    assert written_number(text, LIMITS) == "value_out_of_range"


def test_observations_are_in_order_of_time():
    snapshot, rejected = state((2021, Decimal(2)), (2020, Decimal(1)))
    assert snapshot.observations == [
        Observation(date(2020, 1, 1), date(2020, 12, 31), Decimal(1)),
        Observation(date(2021, 1, 1), date(2021, 12, 31), Decimal(2)),
    ]
    assert rejected == {}


def test_a_value_that_comes_twice_is_kept_once():
    snapshot, rejected = state((2020, Decimal("1.0")), (2020, Decimal(1)))
    assert (len(snapshot.observations), rejected) == (1, {})


@pytest.mark.parametrize("values", [(1, 2), (2, 1), (1, None), (None, 1), (1, 1, 2)])
def test_none_of_two_values_for_one_period_is_believed(values):
    snapshot, rejected = state(*((2020, v) for v in values), (2021, Decimal(7)))
    assert [one.value for one in snapshot.observations] == [7]
    assert rejected == {"duplicate_conflict": len(values)}


def test_a_whole_snapshot_says_missing_by_silence_and_a_partial_one_in_words():
    values = [(2020, Decimal(1)), (2021, None)]
    assert [one.value for one in state(*values, is_whole=True)[0].observations] == [1]
    assert [one.value for one in state(*values)[0].observations] == [1, None]


def test_a_whole_snapshot_without_values_still_says_that_there_are_none():
    assert state((2020, None), is_whole=True)[0].observations == []
    assert state()[0] is None


@pytest.mark.parametrize(
    "damage",
    [{"rejected": ["bad_value"]}, {"values": [(2019, Decimal(1)), (2019, Decimal(2))]}],
)
def test_after_a_rejection_nothing_is_whole_and_what_is_missing_is_named(damage):
    values = [(2020, Decimal(1)), (2021, None), *damage.get("values", ())]
    snapshot, _ = state(*values, is_whole=True, rejected=damage.get("rejected", ()))
    assert snapshot.is_whole is False
    assert [one.value for one in snapshot.observations] == [1, None]


def test_first_seen_is_the_later_of_the_two_days():
    evening = datetime(2024, 5, 1, 22, 30, tzinfo=UTC)
    assert first_seen(evening, ZoneInfo("Africa/Nairobi")) == (date(2024, 5, 2), "first_seen")
    assert first_seen(evening, ZoneInfo("America/Chicago")) == (date(2024, 5, 1), "first_seen")
    elsewhere = evening.astimezone(timezone(timedelta(hours=-7)))
    assert first_seen(elsewhere, ZoneInfo("Africa/Nairobi")) == (date(2024, 5, 2), "first_seen")


def test_nothing_is_published_after_it_was_fetched():
    assert published(date(2024, 5, 2), NOON) == (date(2024, 5, 2), "publisher")  # it is tomorrow in Auckland
    with pytest.raises(UnreadableDocument, match="released_after_fetch"):
        published(date(2024, 5, 3), NOON)


def test_a_period_sorts_by_its_beginning():
    assert sorted([year(2021), year(2020)]) == [Period(*year(2020)), Period(*year(2021))]
