"""Real documents about organisations, counted twice: by the parsers, and by a plain reading of the files."""

from __future__ import annotations

import csv
import json
import os
import re
import xml.etree.ElementTree as ET
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest
from stdnum import figi, isin, lei

from sankofa.core.errors import UnreadableDocument
from sankofa.entities.exchanges import exchanges
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.registers import (
    gleif_csv,
    gleif_isins,
    gleif_json,
    gleif_xml,
    listings,
    openfigi,
    sec_tickers,
)

REPOSITORY = Path(__file__).parents[2]
DATA = Path(os.environ.get("SANKOFA_REAL_DATA", REPOSITORY.parent / "shared" / "data")) / "identifiers"
FETCHED = datetime(2026, 9, 1, tzinfo=UTC)
PARSERS = [gleif_csv, gleif_json, gleif_xml, gleif_isins, listings, openfigi, sec_tickers]
GLEIF = "{http://www.gleif.org/data/schema/leidata/2016}"
DELTA = DATA / "gleif/20240505-0000-gleif-goldencopy-lei2-intra-day.json"
TICKERS = DATA / "sec/company_tickers.json"
NAIROBI = DATA / "listings/NSE_Kenya_2024-01-02.csv"
XML = sorted([*DATA.glob("gleif/*.xml"), *DATA.glob("gleif/bodspipelines/lei-*.xml")])
ISINS = sorted(DATA.glob("gleif/api-v1/isins_*.json"))
DATABASES = sorted(DATA.glob("listings/FinanceDatabase_*.csv"))
FIGIS = sorted(DATA.glob("openfigi/*.json"))
READ = [DELTA, TICKERS, NAIROBI, *XML, *ISINS, *DATABASES, *FIGIS]
# Lists of codes, relationships, pages of another form, workbooks: no parser here takes any of them.
OTHERS = sorted({path for path in DATA.rglob("*.*") if path.is_file()} - {*READ, DATA / "PROVENANCE.md"})

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"no real files at {DATA}; see SANKOFA_REAL_DATA")


def name(path):
    return path.stem


def parsed(parser, path):
    rejections = Rejections()
    with path.open("rb") as document:
        return list(parser.parse(document, rejections, fetched_at=FETCHED)), rejections.counts


def value(stated, *path):
    for step in path:
        stated = stated.get(step) or {}
    return stated.get("$", "")


def kinds(records):
    return Counter(identifier.id_type for record in records for identifier in record.identifiers)


def table(path, **form):
    with path.open(encoding="utf-8-sig", newline="") as lines:
        return list(csv.DictReader(lines, **form))


@pytest.mark.parametrize("path", OTHERS, ids=name)
@pytest.mark.parametrize("parser", PARSERS, ids=lambda parser: parser.__name__.rpartition(".")[2])
def test_a_file_of_another_form_is_refused_by_every_parser(parser, path):
    with pytest.raises(UnreadableDocument) as refused:
        parsed(parser, path)
    assert re.fullmatch(r"[a-z][a-z0-9_]+", refused.value.reason)


def test_every_record_of_the_delta_is_taken():
    stated = json.loads(DELTA.read_text(encoding="utf-8"))["records"]
    records, rejected = parsed(gleif_json, DELTA)
    assert (len(records), rejected) == (577, {})
    assert [record.subject for record in records] == [f"lei:{value(record, 'LEI')}" for record in stated]
    assert all(lei.is_valid(value(record, "LEI")) for record in stated)
    marks = Counter(mark for record in records for mark in record.marks)
    assert marks["lei_record:SOLE_PROPRIETOR"] == 28
    for mark, path in [
        ("lei_record", ("Entity", "EntityCategory")),
        ("lei_status", ("Registration", "RegistrationStatus")),
        ("legal_form", ("Entity", "LegalForm", "EntityLegalFormCode")),
    ]:
        found = {word: count for word, count in marks.items() if word.startswith(mark)}
        assert found == Counter(f"{mark}:{value(record, *path)}" for record in stated)
    assert [record.stated_at for record in records] == [
        datetime.fromisoformat(value(record, "Registration", "LastUpdateDate")) for record in stated
    ]
    assert [record.jurisdiction for record in records] == [
        value(record, "Entity", "LegalJurisdiction") for record in stated
    ]


def test_registry_numbers_of_the_delta_are_those_of_real_authorities():
    stated = json.loads(DELTA.read_text(encoding="utf-8"))["records"]
    pairs = Counter(
        (value(record, "LEI"), *pair)
        for record in stated
        for pair in {
            (
                value(record, part, f"{kind}Authority", f"{kind}AuthorityID"),
                value(record, part, f"{kind}Authority", f"{kind}AuthorityEntityID"),
            )
            for part, kind in (("Entity", "Registration"), ("Registration", "Validation"))
        }
        if pair[0] not in ("RA888888", "RA999999") and pair[1]
    )
    records, _ = parsed(gleif_json, DELTA)
    assert pairs == Counter(
        (record.subject.removeprefix("lei:"), identifier.issuer, identifier.value)
        for record in records
        for identifier in record.identifiers
        if identifier.id_type == "registry"
    )


def test_no_address_of_the_delta_is_in_a_record():
    stated = json.loads(DELTA.read_text(encoding="utf-8"))["records"]
    records, _ = parsed(gleif_json, DELTA)
    for record, told in zip(stated, records, strict=True):
        street = value(record, "Entity", "LegalAddress", "FirstAddressLine")
        assert street not in repr(told) or street in value(record, "Entity", "LegalName")


@pytest.mark.parametrize("path", XML, ids=name)
def test_every_record_of_an_xml_file_is_taken(path):
    stated = ET.parse(path).getroot().findall(f".//{GLEIF}LEIRecord")
    records, rejected = parsed(gleif_xml, path)
    assert rejected == {}
    assert [record.subject for record in records] == [f"lei:{one.findtext(f'{GLEIF}LEI')}" for one in stated]
    assert [record.legal_name for record in records] == [
        " ".join(one.findtext(f"{GLEIF}Entity/{GLEIF}LegalName").split()) for one in stated
    ]
    statuses = [one.findtext(f"{GLEIF}Registration/{GLEIF}RegistrationStatus") for one in stated]
    assert [record.marks[1] for record in records] == [f"lei_status:{status}" for status in statuses]
    assert [record.identifiers[0].valid_to is not None for record in records] == [
        status in ("RETIRED", "DUPLICATE", "MERGED", "ANNULLED", "CANCELLED") for status in statuses
    ]


def test_the_xml_files_have_the_records_that_they_are_known_for():
    assert {path.stem: len(parsed(gleif_xml, path)[0]) for path in XML} == {
        "20180901-gleif-concatenated-lei2-top10": 10,
        "lei-data": 13,
        "lei-updates-data2": 12,
        "lei-updates-data2-new": 12,
    }


@pytest.mark.parametrize("path", ISINS, ids=name)
def test_every_isin_of_a_page_is_taken(path):
    stated = [item["attributes"] for item in json.loads(path.read_text(encoding="utf-8"))["data"]]
    [record], rejected = parsed(gleif_isins, path)
    assert (record.subject, rejected) == (f"lei:{stated[0]['lei']}", {})
    assert [identifier.value for identifier in record.identifiers[1:]] == [pair["isin"] for pair in stated]


@pytest.mark.parametrize("path", DATABASES, ids=name)
def test_every_row_of_a_finance_database_is_a_listing_or_counted(path):
    stated = table(path)
    records, rejected = parsed(listings, path)
    assert len(records) + rejected.total() == len(stated)
    assert rejected["missing_name"] == sum(not row["name"] for row in stated)
    funds = [row for row in stated if re.search(r"\bET[FN]\b|Exchange Traded|Note$", row["name"])]
    taken = {":".join(record.subject.split(":")[:3]): record for record in records}
    by_subject = {f"ticker:{row['mic']}:{row['symbol'].rpartition('.')[0]}": row for row in stated}
    assert taken.keys() <= by_subject.keys()
    assert rejected["not_shares"] >= len(funds)
    assert not {row["name"] for row in funds} & {record.legal_name for record in records}
    rows = [by_subject[subject] for subject in taken]
    for record, row in zip(records, rows, strict=True):
        until = {one.valid_to for one in record.identifiers if one.id_type == "ticker"}
        assert until <= ({None} if row["delisted"] == "False" else {FETCHED.date()})
    found = kinds(records)
    assert found["figi"] == sum(
        any(figi.is_valid(row[kind]) for kind in ("shareclass_figi", "composite_figi", "figi"))
        for row in rows
    )
    as_symbol = [isin.is_valid(row["symbol"][:12]) for row in rows]
    assert found["ticker"] == len(rows) - sum(as_symbol)
    assert found["isin"] == sum(
        isin.is_valid(row["isin"]) or symbol for row, symbol in zip(rows, as_symbol, strict=True)
    )


def test_the_listings_have_the_rows_that_they_are_known_for():
    """Of the rows that are left out, 3 have no name; 90 and 1 are funds, notes and the like; 4 are wrong."""
    counts = {
        path.stem: (len(records), dict(rejected))
        for path in DATABASES
        for records, rejected in [parsed(listings, path)]
    }
    assert counts == {
        "FinanceDatabase_CAI": (245, {"missing_name": 3, "not_shares": 1}),
        "FinanceDatabase_JNB": (317, {"not_shares": 90, "refuted": 4}),
    }


def test_the_price_list_of_nairobi_names_its_companies():
    stated = table(NAIROBI)
    records, rejected = parsed(listings, NAIROBI)
    assert len(records) + rejected.total() == len(stated) == 72
    assert rejected == {
        "index": sum(row["Code"].startswith("^") for row in stated),
        "missing_name": sum(row["Code"] == row["Name"] for row in stated),
        "not_shares": sum("ETF" in row["Name"] for row in stated),
    }
    assert ("ticker:XNAI:SCOM", "Safaricom Plc") in {(one.subject, one.legal_name) for one in records}


@pytest.mark.parametrize("path", FIGIS, ids=name)
def test_every_share_class_of_an_answer_is_taken_once(path):
    answers = json.loads(path.read_text(encoding="utf-8"))
    answers = answers if isinstance(answers, list) else [answers]
    instruments = [instrument for answer in answers for instrument in answer.get("data", [])]
    shares = [one for one in instruments if one["securityType2"] == "Common Stock"]
    records, rejected = parsed(openfigi, path)
    assert {(record.subject, record.legal_name) for record in records} == {
        (f"figi:{one['shareClassFIGI']}", one["name"]) for one in shares
    }
    assert rejected == +Counter(
        not_shares=len(instruments) - len(shares), not_found=sum("error" in answer for answer in answers)
    )


def test_every_filer_of_the_sec_is_taken_once():
    stated = json.loads(TICKERS.read_text(encoding="utf-8")).values()
    records, rejected = parsed(sec_tickers, TICKERS)
    assert (len(stated), len(records), rejected) == (9_610, 7_919, {})
    assert {(record.subject, record.legal_name) for record in records} == {
        (f"cik:{row['cik_str']:010d}", " ".join(row["title"].split())) for row in stated
    }


def test_the_exchanges_are_those_of_iso_10383():
    active = {
        row["MIC"]: row["ISO_COUNTRY_CODE"]
        for row in table(DATA / "iso10383/mic_iso10383.csv")
        if row["STATUS"] in ("ACTIVE", "UPDATED")
    }
    assert {mic: active.get(mic) for mic in exchanges()} == {
        mic: exchange.country for mic, exchange in exchanges().items()
    }


def test_the_exchanges_have_the_codes_of_openfigi():
    """A row without MIC goes on with the one before it; segments of Nasdaq count as Nasdaq."""
    operating, last = {}, ""
    for row in table(DATA / "openfigi/mic_to_figi_exchange_codes.csv", delimiter="|"):
        last = row["MIC"] or last
        market = "XNAS" if row["Operating MIC"] == "XNAS" else last
        operating.setdefault(row["EQUITY EXCH CODE"], set()).add(market)
    for mic, exchange in exchanges().items():
        for code in exchange.figi_codes:
            assert operating[code] == {mic}, code
