"""Exports of the Central Bank of Kenya: exchange rates and inflation."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.series import cbk_inflation, cbk_rates

FETCHED = datetime(2024, 8, 22, 22, tzinfo=UTC)  # the 23rd in Nairobi
YEN = ("JPY (100)", "88.6321")
INFLATION = '"Year","Month","Annual Average Inflation","12-Month Inflation"'


def rates(*rows, header="Date,Currency,EXCHANGE RATE", end="\n", day="22/08/2024"):
    return end.join([header, *(f'{day},{name},"{rate}"' for name, rate in rows)]).encode()


def read(parser, data):
    rejections = Rejections()
    snapshots = {s.head.key: s for s in parser.parse(data, rejections, fetched_at=FETCHED)}
    return snapshots, dict(rejections.counts)


def values(snapshots):
    return {(key, one.period_start): one.value for key, s in snapshots.items() for one in s.observations}


@pytest.mark.parametrize(
    ("name", "key", "unit"),
    [
        ("US DOLLAR", "FX.USD.KES", "KES"),
        ("SA RAND", "FX.ZAR.KES", "KES"),
        ("HONGKONG $", "FX.HKD.KES", "KES"),
        ("HONGKONG DOLLAR", "FX.HKD.KES", "KES"),
        ("KES / USHS", "FX.KES.UGX", "UGX"),
        ("KES/USHS", "FX.KES.UGX", "UGX"),
        ("kes /  tshs", "FX.KES.TZS", "TZS"),
        ("KES / RWF", "FX.KES.RWF", "RWF"),
        ("KES / BIF", "FX.KES.BIF", "BIF"),
    ],
)
def test_a_quote_keeps_its_direction(name, key, unit):
    found, rejected = read(cbk_rates, rates((name, "28.8038")))
    assert (values(found), rejected) == ({(key, date(2024, 8, 22)): Decimal("28.8038")}, {})
    head = found[key].head
    assert (head.country_iso3, head.unit, head.frequency, head.series_type) == ("KEN", unit, "D", "fx")


@pytest.mark.parametrize("name", ["JPY (100)", "JPY(100)", "JPY ( 100)"])
@pytest.mark.parametrize(
    ("stated", "value"),
    [("88.6321", "0.886321"), ("100", "1"), ("1234567890123456.7891", "12345678901234.567891")],
)
def test_a_price_of_a_hundred_is_divided_by_it_exactly(name, stated, value):
    found, _ = read(cbk_rates, rates((name, stated)))
    assert values(found) == {("FX.JPY.KES", date(2024, 8, 22)): Decimal(value)}


def test_an_export_is_not_whole_and_counts_from_the_fetch_by_the_later_day():
    [snapshot] = read(cbk_rates, rates(YEN))[0].values()
    assert (snapshot.is_whole, snapshot.covers, snapshot.is_released_daily) == (False, None, False)
    assert (snapshot.available_at, snapshot.available_at_basis) == (date(2024, 8, 23), "first_seen")


def test_mean_buying_and_selling_rates_are_three_series():
    rows = (b"Date,Currency,Mean,Buy,Sell", b"04/01/2010,US DOLLAR,75.8406,75.7378,75.9433")
    data = b"\r".join([*rows, b"05/01/2010,US DOLLAR,-,,N/A"])
    first, second = date(2010, 1, 4), date(2010, 1, 5)
    assert read(cbk_rates, data) == (read(cbk_rates, data.replace(b"\r", b"\n"))[0], {})
    assert values(read(cbk_rates, data)[0]) == {
        ("FX.USD.KES", first): Decimal("75.8406"),
        ("FX_BUY.USD.KES", first): Decimal("75.7378"),
        ("FX_SELL.USD.KES", first): Decimal("75.9433"),
        ("FX.USD.KES", second): None,
        ("FX_BUY.USD.KES", second): None,
        ("FX_SELL.USD.KES", second): None,
    }


@pytest.mark.parametrize(
    ("row", "day", "reason"),
    [
        (("XYZ DOLLAR", "1"), "22/08/2024", "unknown_currency"),
        (("US DOLLAR", "1"), "08/22/2024", "bad_date"),
        (("US DOLLAR", "1"), "24/08/2024", "bad_date"),  # after it was fetched
        (("US DOLLAR", "x"), "22/08/2024", "bad_value"),
        (("US DOLLAR", "NaN"), "22/08/2024", "bad_value"),
        (("US DOLLAR", "0"), "22/08/2024", "rate_not_positive"),
        (("US DOLLAR", "1e30"), "22/08/2024", "value_out_of_range"),
    ],
)
def test_a_rate_that_is_none_is_counted(row, day, reason):
    assert read(cbk_rates, rates(row, day=day)) == ({}, {reason: 1})


def test_rows_that_agree_are_one_and_rows_that_do_not_are_none():
    found, rejected = read(
        cbk_rates, rates(("EURO", "1,143.80"), ("EURO", "1143.8"), ("CAN $", "94"), ("CAN $", "95"))
    )
    assert (values(found), rejected) == (
        {("FX.EUR.KES", date(2024, 8, 22)): Decimal("1143.8")},
        {"duplicate_conflict": 2},
    )


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ("Currency,Mean,Buy,Sell", "missing_column: Date"),
        ("Date,Name,Mean", "missing_column"),
        ("Date,Currency,Middle", "unexpected_column"),
    ],
)
def test_other_columns_refuse_the_export(header, reason):
    with pytest.raises(UnreadableDocument, match=reason):
        read(cbk_rates, rates(YEN, header=header))


def page(*rows, total=None):
    """Return a table as the bank's own page gets it."""
    return json.dumps({"draw": 1, "recordsTotal": str(total or len(rows)), "data": rows}).encode()


def test_the_table_of_a_page_says_what_its_export_says():
    kinds = [("22/08/2024", "US DOLLAR", "129.0"), ("22/08/2024", "JPY (100)", "88.6321")]
    export = rates(("US DOLLAR", "129.0"), YEN)
    assert read(cbk_rates, page(*kinds)) == read(cbk_rates, export)
    known = ("04/01/2010", "US DOLLAR", "75.8406", "75.7378", "75.9433")
    export = b"Date,Currency,Mean,Buy,Sell\n" + ",".join(known).encode()
    assert read(cbk_rates, page(known)) == read(cbk_rates, export)


def test_a_row_of_a_page_with_other_columns_is_counted():
    found, rejected = read(cbk_rates, page(("22/08/2024", "EURO", "143.8"), ("22/08/2024", "EURO")))
    assert (values(found), rejected) == (
        {("FX.EUR.KES", date(2024, 8, 22)): Decimal("143.8")},
        {"bad_row": 1},
    )


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (page(("22/08/2024", "EURO", "143.8"), total=2), "incomplete_table: 1 of 2 rows"),
        (page(("22/08/2024", "EURO")), "unexpected_shape"),
        (page(), "unexpected_shape"),
        (b'{"recordsTotal": 1, "data": [["22/08/2024", "EURO", 143.8]]}', "unexpected_shape"),
    ],
)
def test_another_table_of_a_page_is_refused(data, reason):
    with pytest.raises(UnreadableDocument, match=reason):
        read(cbk_rates, data)


@pytest.mark.parametrize("row", ['"2021","July","5.52","6.44"', "2021,jul,5.52,6.440", "2021,7,5.52,6.44,"])
def test_inflation_is_two_percentages_and_no_index(row):
    found, rejected = read(cbk_inflation, f"{INFLATION}\r\n{row}".encode())
    assert (values(found), rejected) == (
        {
            ("CPI_12M_AVG.KEN", date(2021, 7, 1)): Decimal("5.52"),
            ("CPI_YOY.KEN", date(2021, 7, 1)): Decimal("6.44"),
        },
        {},
    )
    assert {(s.head.unit, s.head.frequency, s.head.country_iso3) for s in found.values()} == {
        ("percent", "M", "KEN")
    }
    assert {(s.is_whole, s.available_at_basis) for s in found.values()} == {(False, "first_seen")}


@pytest.mark.parametrize(
    ("rows", "counts"),
    [
        (["2021,Juli,1,1"], {"bad_date": 1}),
        (["2021,July,1"], {"bad_row": 1}),
        (["2021,July,x,5%"], {"bad_value": 2}),
        (["2021,July,1,2", "2021,July,1,3", "2021,July,1,2"], {"duplicate_conflict": 3}),
    ],
)
def test_a_month_that_says_nothing_certain_is_counted(rows, counts):
    found, rejected = read(cbk_inflation, "\n".join([INFLATION, *rows]).encode())
    assert rejected == counts
    assert all(key == "CPI_12M_AVG.KEN" for key, _ in values(found))


def test_a_month_stated_as_missing_is_none():
    assert set(values(read(cbk_inflation, f"{INFLATION}\n2021,July,,-".encode())[0]).values()) == {None}


def test_another_table_is_no_inflation():
    with pytest.raises(UnreadableDocument, match="missing_column"):
        read(cbk_inflation, b"year,month,cpi\n1922,Jan,-23.7\n")
