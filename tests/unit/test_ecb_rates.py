"""The reference rates of the European Central Bank in their three forms."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.series.ecb_rates import parse

FETCHED = datetime(2024, 4, 18, 12, tzinfo=UTC)
HISTORY = b"Date,USD,CYP,ZAR,\n2024-04-18,1.0679,N/A,20.3233,\n1999-01-04,1.1789,0.58231,6.9358,"


def envelope(days, prolog='<?xml version="1.0" encoding="UTF-8"?>'):
    return (
        f'{prolog}<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" '
        'xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><gesmes:subject>Reference rates'
        f"</gesmes:subject><Cube>{days}</Cube></gesmes:Envelope>"
    ).encode()


DAY = envelope(
    "<Cube time='2024-04-18'><Cube currency='USD' rate='1.0679'/><Cube currency='ZAR' rate='20.3233'/></Cube>"
)


def read(data):
    rejections = Rejections()
    snapshots = {s.head.key: s for s in parse(data, rejections, fetched_at=FETCHED)}
    return snapshots, dict(rejections.counts)


def values(snapshot):
    return {str(one.period_end): one.value for one in snapshot.observations}


def test_a_rate_is_units_of_the_currency_for_one_euro():
    rates, rejected = read(HISTORY)
    assert (list(rates), rejected) == (["FX.EUR.USD", "FX.EUR.CYP", "FX.EUR.ZAR"], {})
    rand = rates["FX.EUR.ZAR"]
    assert values(rand) == {"1999-01-04": Decimal("6.9358"), "2024-04-18": Decimal("20.3233")}
    assert (rand.head.series_type, rand.head.frequency) == ("fx", "D")
    assert (rand.head.country_iso3, rand.head.unit) == ("ZAF", "ZAR")


def test_a_rate_counts_from_its_own_day_and_a_correction_from_the_fetch():
    rand = read(HISTORY)[0]["FX.EUR.ZAR"]
    assert (rand.available_at, rand.available_at_basis) == (date(2024, 4, 18), "first_seen")
    assert rand.is_released_daily


def test_a_history_from_the_first_day_of_the_euro_is_whole():
    rates, _ = read(HISTORY)
    assert {(s.is_whole, s.covers) for s in rates.values()} == {(True, "FX.EUR.")}
    assert values(rates["FX.EUR.CYP"]) == {"1999-01-04": Decimal("0.58231")}


def test_a_shorter_one_says_only_what_it_lists():
    rates, _ = read(HISTORY.splitlines()[0] + b"\n" + HISTORY.splitlines()[1])
    assert {(s.is_whole, s.covers) for s in rates.values()} == {(False, None)}
    assert values(rates["FX.EUR.CYP"]) == {"2024-04-18": None}


def test_the_file_of_one_day_spells_the_month_and_spaces_the_columns():
    rates, rejected = read(b"Date, USD, ZAR, \n18 April 2024, 1.0679, 20.3233, \n")
    assert (values(rates["FX.EUR.ZAR"]), rejected) == ({"2024-04-18": Decimal("20.3233")}, {})


def test_xml_says_the_same():
    rates, rejected = read(DAY)
    assert (values(rates["FX.EUR.ZAR"]), rejected) == ({"2024-04-18": Decimal("20.3233")}, {})
    assert rates == read(b"Date,USD,ZAR\n2024-04-18,1.0679,20.3233\n")[0]


def zipped(*files):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return packed.getvalue()


def test_an_archive_holds_the_history():
    data = zipped(("eurofxref-hist.csv", HISTORY), ("empty.csv", b""), ("readme.txt", b"x"))
    assert read(data) == (read(HISTORY)[0], {"empty_member": 1, "unexpected_member": 1})


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"2024-04-17,NaN,N/A,20", "bad_value"),
        (b"2024-04-17,0,N/A,20", "rate_not_positive"),
        (b"2024-04-17,-1,N/A,20", "rate_not_positive"),
        (b"2024-04-18,1.0680,N/A,20.3233", "duplicate_conflict"),
    ],
)
def test_a_rate_that_is_none_is_counted_and_its_currency_is_not_whole(line, reason):
    rates, rejected = read(HISTORY + b"\n" + line + b"\n")
    assert rejected == {reason: 2 if reason == "duplicate_conflict" else 1}
    assert {key: s.is_whole for key, s in rates.items()} == {
        "FX.EUR.USD": False,
        "FX.EUR.CYP": True,
        "FX.EUR.ZAR": True,
    }


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        (b"2024-02-30,1,1,1", {"bad_date": 3}),
        (b"2024-04-20,1,1,1", {"bad_date": 3}),  # after it was fetched
        (b"2024-04-17,1", {"bad_row": 1}),
    ],
)
def test_a_lost_day_leaves_nothing_whole(line, counts):
    rates, rejected = read(HISTORY + b"\n" + line + b"\n")
    assert (rejected, {s.is_whole for s in rates.values()}) == (counts, {False})


def test_a_table_that_is_cut_anywhere_states_no_other_rate():
    def stated(rates):
        return {
            (key, one.period_end, one.value)
            for key, s in rates.items()
            for one in s.observations
            if one.value is not None
        }

    whole = stated(read(HISTORY)[0])
    for length in range(HISTORY.index(b"\n1999") + 1, len(HISTORY)):
        rates, rejected = read(HISTORY[:length])
        assert stated(rates) <= whole, HISTORY[:length]
        assert rejected or HISTORY[:length].endswith(b"\n")


def test_days_that_agree_are_one():
    rates, rejected = read(HISTORY + b"\n2024-04-18,1.06790,N/A,20.3233\n")
    assert (rates, rejected) == (read(HISTORY)[0], {})


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (envelope("", '<!DOCTYPE a [<!ENTITY b "c">]>'), "xml_doctype"),
        (envelope("", "<!DOCTYPE a>"), "xml_doctype"),
        (envelope("", '<!DOCTYPE a SYSTEM "file:///x">'), "xml_doctype"),
        (envelope("&b;"), "malformed_xml"),
        (DAY[:-1], "malformed_xml"),
        (envelope("<Cube>" * 100), "nested_too_deep"),
        (envelope(""), "unexpected_shape"),
        (b"<Envelope/>", "unexpected_shape"),
        (b"", "missing_column"),
        (b"Date,EUR\n", "missing_column"),
        (b"Date,USD\n", "unexpected_shape"),
        (zipped(), "missing_table"),
        (zipped(("a.csv", b"")), "missing_table"),
    ],
)
def test_what_is_no_such_document_is_refused(data, reason):
    with pytest.raises(UnreadableDocument, match=reason):
        read(data)


def test_a_cube_of_a_currency_without_a_day_is_no_rate():
    data = envelope(
        "<Cube currency='USD' rate='1'/><Cube time='2024-04-18'><Cube currency='ZAR' rate='20'/></Cube>"
    )
    rates, rejected = read(data)
    assert (list(rates), rejected) == (["FX.EUR.ZAR"], {"bad_date": 1})
