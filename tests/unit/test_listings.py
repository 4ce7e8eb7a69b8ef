"""Listings in their three tables: whose shares they are, what they are called, and what is no share."""

from __future__ import annotations

import csv
import io
from datetime import UTC, date, datetime

import pytest

from sankofa.core.errors import UnreadableDocument
from sankofa.entities.exchanges import (
    aliases_of,
    exchange,
    exchange_of_figi_code,
    exchanges,
    mics_of_ambiguous_code,
)
from sankofa.entities.model import Identifier, OrganisationRecord
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.registers.listings import parse

FETCHED = datetime(2024, 5, 5, 23, tzinfo=UTC)
TODAY = date(2024, 5, 5)
OWN = {
    "mic": "XNAI",
    "ticker": "SCOM",
    "name": "Safaricom Plc",
    "country": "KE",
    "isin": "KE1000001402",
    "figi": "BBG001S5S399",
    "listed_from": "2008-06-09",
    "listed_to": "",
}
DATABASE = {
    "symbol": "SOL.JO",
    "name": "Sasol Limited",
    "summary": "text, with commas",
    "exchange": "JNB",
    "mic": "XJSE",
    "market": "Johannesburg Stock Exchange",
    "country": "South Africa",
    "isin": "ZAE000006896",
    "cusip": "",
    "figi": "BBG000BLNNH6",
    "composite_figi": "BBG000BLNQ16",
    "shareclass_figi": "BBG001S5S399",
    "delisted": "False",
}
NAIROBI = {"Date": "2024-01-02", "Code": "SCOM", "Name": "Safaricom Plc", "Volume_num": "3300.0"}


def written(row, **changed):
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(row))
    writer.writeheader()
    writer.writerow(row | changed)
    return text.getvalue().encode()


def read(document):
    rejections = Rejections()
    return list(parse(document, rejections, fetched_at=FETCHED)), dict(rejections.counts)


def test_a_row_of_our_own_table_is_a_listing():
    assert read(written(OWN)) == (
        [
            OrganisationRecord(
                subject="ticker:XNAI:SCOM:KE1000001402",
                legal_name="Safaricom Plc",
                jurisdiction="KE",
                status="unknown",
                identifiers=(
                    Identifier("ticker", "XNAI", "SCOM", date(2008, 6, 9), None),
                    Identifier("isin", "", "KE1000001402"),
                    Identifier("figi", "", "BBG001S5S399"),
                ),
                marks=("listed:XNAI",),
                duplicate_of=None,
                stated_at=FETCHED,
                available_at=TODAY,
                available_at_basis="first_seen",
            )
        ],
        {},
    )


def test_a_row_of_the_finance_database_is_a_listing():
    [record], rejected = read(written(DATABASE))
    assert rejected == {}
    assert (record.subject, record.legal_name) == ("ticker:XJSE:SOL:ZAE000006896", "Sasol Limited")
    assert (record.jurisdiction, record.marks) == ("ZA", ("listed:XJSE",))
    assert record.identifiers == (
        Identifier("ticker", "XJSE", "SOL"),
        Identifier("isin", "", "ZAE000006896"),
        Identifier("figi", "", "BBG001S5S399"),
    )


def test_a_price_list_of_nairobi_states_listings_of_its_day():
    [record], _ = read(written(NAIROBI))
    assert (record.subject, record.marks) == ("ticker:XNAI:SCOM", ("listed:XNAI",))
    assert (record.stated_at, record.available_at) == (datetime(2024, 1, 2, tzinfo=UTC), TODAY)
    assert (record.available_at_basis, record.jurisdiction) == ("first_seen", None)


@pytest.mark.parametrize(
    ("row", "changed", "until", "mark"),
    [
        (OWN, {"listed_to": "2023-03-31"}, date(2023, 3, 31), "listed:XNAI"),
        (OWN, {"listed_to": "2024-05-05"}, TODAY, "listed:XNAI"),
        (OWN, {"listed_to": "2024-12-31"}, date(2024, 12, 31), "listed:XNAI"),
        (DATABASE, {"delisted": "True"}, TODAY, "listed:XJSE"),
    ],
)
def test_a_listing_that_has_ended_still_shows_that_there_was_a_company(row, changed, until, mark):
    [record], _ = read(written(row, **changed))
    assert (record.identifiers[0].valid_to, record.marks) == (until, (mark,))


@pytest.mark.parametrize(
    ("changed", "subject"),
    [
        ({"mic": "", "exchange": "JNB"}, "ticker:XJSE:SOL:ZAE000006896"),
        ({"mic": "xjse"}, "ticker:XJSE:SOL:ZAE000006896"),
        ({"symbol": "SOL"}, "ticker:XJSE:SOL:ZAE000006896"),
        ({"symbol": "sol.JO"}, "ticker:XJSE:SOL:ZAE000006896"),
        ({"symbol": "BRK.B", "mic": "XNYS"}, "ticker:XNYS:BRK.B:ZAE000006896"),
        ({"symbol": "COMI.CA", "mic": "XCAI"}, "ticker:XCAI:COMI:ZAE000006896"),
        ({"symbol": "COMI.CA", "mic": "XJSE"}, "ticker:XJSE:COMI.CA:ZAE000006896"),
    ],
)
def test_a_listing_is_named_by_its_exchange_ticker_and_security(changed, subject):
    assert read(written(DATABASE, **changed))[0][0].subject == subject


@pytest.mark.parametrize("symbol", ["EGS01041C010.CA", "EGS01041C010-EGP.CA"])
def test_a_symbol_that_is_an_isin_is_no_ticker(symbol):
    [record], _ = read(written(DATABASE, symbol=symbol, mic="XCAI", isin=""))
    assert record.subject == f"ticker:XCAI:{symbol.removesuffix('.CA')}:EGS01041C010"
    assert record.identifiers[0] == Identifier("isin", "", "EGS01041C010")


@pytest.mark.parametrize(
    ("changed", "kept", "counted"),
    [
        ({"isin": "ZAE000006897"}, ["ticker", "figi"], {"repaired_isin": 1}),
        ({"isin": ""}, ["ticker", "figi"], {}),
        ({"shareclass_figi": "BBG001S5S398"}, ["ticker", "isin", "figi"], {"repaired_figi": 1}),
        (
            dict.fromkeys(("figi", "composite_figi", "shareclass_figi"), "BBG001S5S398"),
            ["ticker", "isin"],
            {"repaired_figi": 3},
        ),
        ({"country": "Wakanda"}, ["ticker", "isin", "figi"], {"repaired_country": 1}),
    ],
)
def test_what_is_wrong_in_a_row_is_counted_and_the_record_stays(changed, kept, counted):
    [record], rejected = read(written(DATABASE, **changed))
    assert ([identifier.id_type for identifier in record.identifiers], rejected) == (kept, counted)


@pytest.mark.parametrize(
    ("row", "changed", "reason"),
    [
        (OWN, {"mic": "XXXX"}, "unknown_exchange"),
        (OWN, {"mic": ""}, "unknown_exchange"),
        (DATABASE, {"mic": "", "exchange": "NSE"}, "unknown_exchange"),
        (OWN, {"ticker": ""}, "bad_ticker"),
        (OWN, {"ticker": "SC OM"}, "bad_ticker"),
        (OWN, {"name": ""}, "missing_name"),
        (NAIROBI, {"Code": "KPLC-P4", "Name": "KPLC-P4"}, "missing_name"),
        (OWN, {"name": "Safari\u202ecom"}, "bad_name"),
        (OWN, {"listed_from": "yesterday"}, "bad_date"),
        (OWN, {"listed_from": "2024-02-30"}, "bad_date"),
        (OWN, {"listed_from": "2024-02-02", "listed_to": "2024-02-01"}, "bad_date"),
        (NAIROBI, {"Date": "2024-05-07"}, "stated_after_fetch"),
        (NAIROBI, {"Code": "^N10I", "Name": "NSE 10-Share Index"}, "index"),
        (NAIROBI, {"Code": "GLD", "Name": "ABSA NewGold ETF"}, "not_shares"),
        (DATABASE, {"name": "FNB ETN on APPLEC SEP25"}, "not_shares"),
        (DATABASE, {"name": "NewWave Silver Exchange Traded Note"}, "not_shares"),
        (DATABASE, {"name": "EFPC Global Equity Note"}, "not_shares"),
        (DATABASE, {"name": "UBS FNBGSA 18Mar25"}, "not_shares"),
        (DATABASE, {"name": "Investec Limited CERT 17/10/2022"}, "not_shares"),
        (DATABASE, {"name": "Std Bank Group 6,5%Pref"}, "not_shares"),
    ],
)
def test_a_row_that_names_no_organisation_is_counted(row, changed, reason):
    assert read(written(row, **changed)) == ([], {reason: 1})


@pytest.mark.parametrize(
    "name", ["Vukile Property Fund Limited", "Coronation Fund Managers Limited", "Laptrust Imara Income-REIT"]
)
def test_a_company_may_be_called_a_fund(name):
    assert read(written(DATABASE, name=name))[0][0].legal_name == name


def test_a_row_with_other_columns_is_counted():
    records, rejected = read(written(OWN) + b"XNAI,KCB\n")
    assert (len(records), rejected) == (1, {"bad_row": 1})


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (b"", "unknown_header"),
        (b"a,b\n", "unknown_header"),
        (written(OWN).replace(b"isin", b"name"), "missing_column"),
        (written(OWN) + b"\xff", "not_utf8"),
        (written(OWN) + b"\0", "nul_character"),
        (written(OWN) + b'"x', "malformed_csv"),
        (written(OWN) + b"x" * 2_000_000, "line_too_long"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused_with_its_reason(document, reason):
    with pytest.raises(UnreadableDocument) as refused:
        read(document)
    assert refused.value.reason == reason


def test_every_code_of_an_exchange_points_to_it_alone_or_is_ambiguous():
    for one in exchanges().values():
        assert exchange(one.mic) == one
        for code in one.codes:
            sharing = mics_of_ambiguous_code(code)
            assert exchange("", code) == (None if sharing else one)
            assert not sharing or one.mic in sharing
            assert (code in aliases_of(one.mic)) == (not sharing and code != one.mic)
        for code in one.figi_codes:
            assert exchange_of_figi_code(code) == one
    for ambiguous in ("NSE", "", "US"):
        assert exchange("", ambiguous) is None
        assert exchange_of_figi_code(ambiguous) is None


def test_a_row_that_is_known_to_name_another_company_is_left_out_until_it_is_corrected():
    wrong = {"symbol": "ACL.JO", "name": "ArcelorMittal", "isin": ""}
    assert read(written(DATABASE, **wrong)) == ([], {"refuted": 1})
    [record], _ = read(written(DATABASE, **wrong | {"name": "ArcelorMittal South Africa Limited"}))
    assert record.subject == "ticker:XJSE:ACL"
