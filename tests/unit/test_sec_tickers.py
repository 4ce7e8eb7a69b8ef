"""SEC company tickers: one organisation for each filer, with its tickers where the list has exchanges."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime

import pytest

from sankofa.core.errors import UnreadableDocument
from sankofa.entities.model import Identifier, OrganisationRecord
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.registers.sec_tickers import parse

FETCHED = datetime(2024, 5, 5, 23, tzinfo=UTC)


def document(*rows):
    fields = ("cik_str", "ticker", "title")
    return json.dumps({place: dict(zip(fields, row, strict=True)) for place, row in enumerate(rows)}).encode()


def read(data):
    rejections = Rejections()
    return list(parse(data, rejections, fetched_at=FETCHED)), dict(rejections.counts)


def with_exchanges(*rows):
    return json.dumps({"fields": ["cik", "name", "ticker", "exchange"], "data": rows}, indent=1).encode()


def test_where_the_list_has_exchanges_a_filer_trades_under_its_tickers():
    rows = [
        ("314590", "SASOL LTD", "SSL", "NYSE"),
        (314590, "SASOL LTD", "SASOF", "OTC"),
        (320193, "Apple Inc.", "AAPL", "Nasdaq"),
        (2, "Fund Corp", "FND", "CBOE"),
        (3, "Nowhere Corp", "NOW", None),
        (4, "Elsewhere Corp", "ELS", "Mars"),
    ]
    records, rejected = read(with_exchanges(*rows))
    assert rejected == {"repaired_exchange": 1}
    assert {
        record.subject: [(one.issuer, one.value) for one in record.identifiers[1:]] for record in records
    } == {
        "cik:0000314590": [("OTCM", "SASOF"), ("XNYS", "SSL")],
        "cik:0000320193": [("XNAS", "AAPL")],
        "cik:0000000002": [("BATS", "FND")],
        "cik:0000000003": [],
        "cik:0000000004": [],
    }
    assert {record.available_at_basis for record in records} == {"first_seen"}


def test_a_filer_with_two_tickers_is_one_organisation_without_tickers():
    assert read(document((314590, "SSL", "SASOL LTD"), (314590, "SASOF", "SASOL  LTD"))) == (
        [
            OrganisationRecord(
                subject="cik:0000314590",
                legal_name="SASOL LTD",
                jurisdiction=None,
                status="unknown",
                identifiers=(Identifier("registry", "US-SEC", "0000314590"),),
                marks=("files_accounts:US-SEC",),
                duplicate_of=None,
                stated_at=FETCHED,
                available_at=date(2024, 5, 5),
                available_at_basis="first_seen",
            )
        ],
        {},
    )


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([(-1, "X", "ACME")], "bad_cik"),
        ([("12345678901", "X", "ACME")], "bad_cik"),
        ([(1, "X", "")], "missing_name"),
        ([(1, "X", "ACME\u202e")], "bad_name"),
        ([(1, "X", "ACME"), (1, "Y", "ACME LTD")], "name_conflict"),
    ],
)
def test_a_row_that_names_no_filer_is_counted_and_the_others_stay(rows, reason):
    records, rejected = read(document(*rows, (314590, "SSL", "SASOL LTD")))
    assert ([record.subject for record in records], rejected) == (["cik:0000314590"], {reason: len(rows)})


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "malformed_json"),
        (b"[]", "unexpected_shape"),
        (b'{"0":{"cik_str":1,"ticker":"A"}}', "unexpected_shape"),
        (b'{"0":{"cik_str":1,"ticker":"A","title":"A","title":"B"}}', "duplicate_key"),
        (b'{"0":' * 1_000_000, "nested_too_deep"),
        (b'{"fields":["cik","name","exchange","ticker"],"data":[]}', "unexpected_shape"),
        (b'{"fields":["cik","name","ticker","exchange"],"data":[[1,"A"]]}', "unexpected_shape"),
    ],
)
def test_a_document_that_cannot_be_read_is_refused_with_its_reason(data, reason):
    with pytest.raises(UnreadableDocument) as refused:
        read(data)
    assert refused.value.reason == reason
