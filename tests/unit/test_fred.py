"""FRED and ALFRED: which day a value was released, and which day is only the query's."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.series import fred
from sankofa.macro import series
from sankofa.macro.model import SeriesHead

FETCHED = datetime(2025, 1, 20, 12, tzinfo=UTC)
GDP = SeriesHead(
    key=series.fred("GDP"),
    series_type="indicator",
    frequency="Q",
    country_iso3="USA",
    unit="USD",
    indicator="GDP",
)
OPEN = ("1776-07-04", "9999-12-31")


def row(value="5736.6", first="1991-10-01", began="1992-01-29", ended="1992-02-27"):
    return {"realtime_start": began, "realtime_end": ended, "date": first, "value": value}


def document(*rows, window=OPEN, **changed):
    answer = {
        "realtime_start": window[0],
        "realtime_end": window[1],
        "observation_start": "1600-01-01",
        "observation_end": "9999-12-31",
        "units": "lin",
        "output_type": 1,
        "file_type": "json",
        "order_by": "observation_date",
        "sort_order": "asc",
        "count": len(rows),
        "offset": 0,
        "limit": 100000,
        "observations": rows,
    } | changed
    return json.dumps({key: value for key, value in answer.items() if value is not ...}).encode()


def read(data, **known):
    rejections = Rejections()
    return list(fred.parse(data, rejections, fetched_at=FETCHED, series=GDP, **known)), dict(
        rejections.counts
    )


def stated(snapshots):
    return [(str(s.available_at), {str(o.period_start): o.value for o in s.observations}) for s in snapshots]


def test_each_day_of_release_is_a_vintage_with_what_it_changed():
    rows = [
        row(),
        row("5740.2", began="1992-02-28", ended="9999-12-31"),
        row("5809.3", "1992-01-01", "1992-04-28"),
    ]
    snapshots, rejected = read(document(*rows))
    assert stated(snapshots) == [
        ("1992-01-29", {"1991-10-01": Decimal("5736.6")}),
        ("1992-02-28", {"1991-10-01": Decimal("5740.2")}),
    ]
    assert rejected == {"bad_date": 1}  # the third ends before it begins
    assert {(s.available_at_basis, s.is_whole) for s in snapshots} == {("publisher", False)}
    assert snapshots[0].observations[0].period_end == date(1991, 12, 31)
    assert snapshots[0].head == GDP


def test_a_point_says_missing():
    snapshots, rejected = read(document(row(".")))
    assert (stated(snapshots), rejected) == ([("1992-01-29", {"1991-10-01": None})], {})


def test_a_day_that_is_the_query_s_is_no_release_and_an_old_value_of_it_is_counted():
    rows = [row(began="1992-02-01"), row("5740.2", began="1992-02-28", ended="2000-01-01")]
    snapshots, rejected = read(document(*rows, window=("1992-02-01", "2000-01-01")))
    assert stated(snapshots) == [("1992-02-28", {"1991-10-01": Decimal("5740.2")})]
    assert rejected == {"realtime_clipped": 1}


@pytest.mark.parametrize("ended", ["9999-12-31", "2025-01-20"])
def test_a_clipped_value_that_is_still_in_force_is_known_by_the_fetch(ended):
    old = row(began="2020-01-01", ended="2020-05-01", first="2019-10-01")
    new = row("7", began="2020-05-02", ended=ended, first="2019-10-01")
    snapshots, rejected = read(
        document(row("5", began="2020-01-01", ended=ended), old, new, window=("2020-01-01", ended))
    )
    assert stated(snapshots) == [("2020-05-02", {"2019-10-01": 7}), ("2025-01-20", {"1991-10-01": 5})]
    assert [(s.available_at_basis, s.is_whole) for s in snapshots] == [
        ("publisher", False),
        ("first_seen", False),
    ]
    assert rejected == {"realtime_clipped": 1}


def test_a_plain_answer_is_all_that_was_in_force_when_we_fetched_it():
    today = ("2025-01-20", "2025-01-20")
    rows = [row("5", began=today[0], ended=today[1]), row(".", "1992-01-01", *today)]
    [snapshot], rejected = read(document(*rows, window=today))
    assert (stated([snapshot]), rejected) == ([("2025-01-20", {"1991-10-01": 5})], {})
    assert (snapshot.available_at_basis, snapshot.is_whole) == ("first_seen", True)


@pytest.mark.parametrize("part", [{"offset": 10}, {"count": 99}, {"observation_start": "1990-01-01"}])
def test_a_part_of_an_answer_is_not_whole(part):
    today = ("2025-01-20", "2025-01-20")
    [snapshot], _ = read(document(row("5", began=today[0], ended=today[1]), window=today, **part))
    assert snapshot.is_whole is False


def test_it_is_still_the_day_before_in_saint_louis():
    night = datetime(2025, 1, 21, 3, tzinfo=UTC)
    today = ("2025-01-20", "2025-01-20")
    data = document(row("5", began=today[0], ended=today[1]), window=today)
    [snapshot] = fred.parse(data, Rejections(), fetched_at=night, series=GDP)
    assert snapshot.available_at == date(2025, 1, 21)


def test_a_table_by_vintage_states_each_vintage_whole():
    rows = [
        {"date": "1991-10-01", "GDP_19920129": "5736.6", "GDP_19920228": "5740.2"},
        {"date": "1992-01-01", "GDP_19920228": "5809.3"},
    ]
    snapshots, rejected = read(document(*rows, output_type=2))
    assert stated(snapshots) == [
        ("1992-01-29", {"1991-10-01": Decimal("5736.6")}),
        ("1992-02-28", {"1991-10-01": Decimal("5740.2"), "1992-01-01": Decimal("5809.3")}),
    ]
    assert ({s.is_whole for s in snapshots}, rejected) == ({True}, {})
    assert {s.is_whole for s in read(document(*rows, output_type=3))[0]} == {False}
    clipped, rejected = read(document(*rows, output_type=2, window=("1992-01-29", "9999-12-31")))
    assert ([day for day, _ in stated(clipped)], rejected) == (["1992-02-28"], {"realtime_clipped": 1})


def test_a_table_of_another_series_is_counted():
    rows = [{"date": "1991-10-01", "GNP_19920129": "1", "x": "2", "GDP_19921329": "3"}]
    assert read(document(*rows, output_type=2)) == ([], {"series_mismatch": 3})


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"first": "1991-11-01"}, "bad_date"),
        ({"first": "01/10/1991"}, "bad_date"),
        ({"began": "never"}, "bad_date"),
        ({"began": "2025-02-01", "ended": "9999-12-31"}, "released_after_fetch"),
        ({"value": "NaN"}, "bad_value"),
        ({"value": ""}, "bad_value"),
        ({"value": 5.5}, "bad_value"),
        ({"value": None}, "bad_value"),
        ({"value": "1e30"}, "value_out_of_range"),
    ],
)
def test_a_row_that_is_no_value_is_counted_and_the_others_stay(changed, reason):
    snapshots, rejected = read(document(row(**changed), row("1", "1992-01-01", "1992-04-28", "1993-01-01")))
    assert stated(snapshots) == [("1992-04-28", {"1992-01-01": 1})]
    assert rejected == {reason: 1}


def test_rows_that_agree_are_one_and_rows_that_do_not_are_none():
    assert read(document(row(), row("5736.60"))) == read(document(row()))
    assert read(document(row(), row("1"))) == ([], {"duplicate_conflict": 2})


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b'{"error_code":400,"error_message":"Bad Request."}', "fred_error: 400 Bad Request"),
        (document(row(), units="pch"), "transformed_values"),
        (document(row(), units=...), "transformed_values"),
        (document(row(), output_type=5), "unexpected_shape"),
        (document(row(), observations=...), "unexpected_shape"),
        (document(row(), realtime_start=...), "unexpected_shape"),
        (document("x"), "unexpected_shape"),
        (document("x", output_type=2), "unexpected_shape"),
        (b"[]", "unexpected_shape"),
        (b"<html>", "malformed_json"),
        (b'{"realtime_start":"1776-07-04","realtime_start":"1776-07-04"}', "duplicate_key"),
    ],
)
def test_what_is_no_such_document_is_refused(data, reason):
    with pytest.raises(UnreadableDocument, match=reason):
        read(data)
