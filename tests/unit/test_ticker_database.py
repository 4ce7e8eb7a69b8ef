"""A third party's table of listings: what of it is meant for a filer, and what may be a namesake's."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.registers.ticker_database import parse
from support.lei_documents import an_lei

FETCHED = datetime(2024, 5, 5, 23, tzinfo=UTC)
APPLE, MICROSOFT, FRENCH = "US0378331005", "US5949181045", "FR0000120271"
INSEE = "969500TJ5KRTCJQWXH05"


def read(*rows):
    lines = ["listing_key,ticker,exchange,isin,cik,lei", *(f"x,AAPL,{','.join(row)}" for row in rows)]
    rejections = Rejections()
    found = parse("\n".join(lines).encode(), rejections, fetched_at=FETCHED)
    return list(found), dict(rejections.counts)


def values(*rows):
    return {record.subject: [one.value for one in record.identifiers[1:]] for record in read(*rows)[0]}


def test_a_row_says_of_a_filer_its_isin_and_lei_and_that_it_is_a_third_party_s():
    (record,), rejected = read(("NASDAQ", APPLE, "0000320193", an_lei(1)))
    assert rejected == {}
    assert (record.subject, record.legal_name, record.marks) == (
        "cik:0000320193",
        "",
        ("evidence:third_party",),
    )
    assert [(one.id_type, one.value) for one in record.identifiers] == [
        ("registry", "0000320193"),
        ("isin", APPLE),
        ("lei", an_lei(1)),
    ]
    assert (record.available_at, record.available_at_basis) == (date(2024, 5, 5), "first_seen")


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (("XETRA", APPLE, "2", ""), "other_exchange"),
        (("NYSE", FRENCH, "2", ""), "foreign_isin"),
        (("NYSE", "US0378331006", "2", ""), "bad_isin"),
        (("NYSE", APPLE, "x", ""), "bad_cik"),
    ],
)
def test_a_row_that_may_be_about_a_namesake_is_counted(row, reason):
    assert read(row) == ([], {reason: 1})


def test_a_row_without_a_filer_says_nothing():
    assert read(("NYSE", APPLE, "", an_lei(1))) == ([], {})


def test_an_lei_that_another_country_s_register_gave_out_is_left_out():
    assert values(("NYSE", APPLE, "1", INSEE)) == {"cik:0000000001": [APPLE]}


def test_what_two_filers_have_is_neither_s_even_if_one_row_does_not_count():
    assert values(("NYSE", APPLE, "1", an_lei(1)), ("NYSE", FRENCH, "2", an_lei(1))) == {
        "cik:0000000001": [APPLE]
    }
    assert values(("NYSE", APPLE, "1", ""), ("NASDAQ", APPLE, "2", "")) == {}
    assert values(("NYSE", APPLE, "1", an_lei(1)), ("NYSE", MICROSOFT, "1", an_lei(2))) == {
        "cik:0000000001": [APPLE, MICROSOFT]
    }


def test_the_lei_of_a_row_that_was_filled_by_its_ticker_is_left_out_and_its_isin_is_not():
    header = b"listing_key,ticker,exchange,isin,figi,cik,lei\n"
    row = f"x,EBS,NYSE,{APPLE},BBG000BMTW42,1,{an_lei(1)}".encode()
    rejections = Rejections()
    (record,) = parse(header + row, rejections, fetched_at=FETCHED)
    assert [one.value for one in record.identifiers[1:]] == [APPLE]
    assert dict(rejections.counts) == {"lei_by_ticker": 1}


@pytest.mark.parametrize(
    ("number", "identifier", "whose"),
    [
        ("0000006201", "549300S9XF92D1X8ME43", "Anglo American, not American Airlines"),
        ("0000731802", "5493001EZOOA66PTBR68", "Atos, not Atmos Energy"),
        ("0001367644", "PQOH26KWDF7CG10L6792", "Erste Group Bank, not Emergent BioSolutions"),
    ],
)
def test_an_lei_that_is_known_to_be_a_namesake_s_is_left_out(number, identifier, whose):
    (record,), rejected = read(("NYSE", APPLE, number, identifier))
    assert [one.value for one in record.identifiers[1:]] == [APPLE], whose
    assert rejected == {"refuted": 1}


def test_an_issuer_number_that_two_filers_share_is_neither_s():
    """Shares of one issuer begin with the same eight characters: a second filer was found by its ticker."""
    assert values(("NYSE", APPLE, "1", ""), ("NYSE", "US0378338711", "2", "")) == {}
    rows = (("NYSE", APPLE, "1", ""), ("NYSE", "US0378338711", "1", ""))
    assert values(*rows) == {"cik:0000000001": [APPLE, "US0378338711"]}


def test_an_isin_of_a_ticker_s_former_company_is_left_out_by_name():
    assert read(("NASDAQ", "US2454961044", "0002033122", "")) == ([], {"refuted": 1})  # Del Taco's
