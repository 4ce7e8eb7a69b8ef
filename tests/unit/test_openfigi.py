"""OpenFIGI answers: one organisation for each share class, and nothing that is no share."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime

import pytest

from sankofa.core.errors import UnreadableDocument
from sankofa.entities.model import Identifier, OrganisationRecord
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.registers.openfigi import parse

FETCHED = datetime(2024, 5, 5, 23, tzinfo=UTC)


def instrument(**changed):
    return {
        "figi": "BBG000BLNNH6",
        "name": "SASOL LTD",
        "ticker": "SOL",
        "exchCode": "SJ",
        "compositeFIGI": "BBG000BLNNH6",
        "securityType": "Common Stock",
        "marketSector": "Equity",
        "shareClassFIGI": "BBG001S5S399",
        "securityType2": "Common Stock",
        "securityDescription": "SOL",
    } | changed


def read(document):
    rejections = Rejections()
    data = document if isinstance(document, bytes) else json.dumps(document).encode()
    return list(parse(data, rejections, fetched_at=FETCHED)), dict(rejections.counts)


def test_the_exchanges_of_a_share_class_are_one_subject():
    instruments = [
        instrument(),
        instrument(figi="BBG000BLNQ16", exchCode="AJ"),
        instrument(exchCode="US"),
        instrument(),
    ]
    expected = OrganisationRecord(
        subject="figi:BBG001S5S399",
        legal_name="SASOL LTD",
        jurisdiction=None,
        status="unknown",
        identifiers=(
            Identifier("figi", "", "BBG001S5S399"),
            Identifier("ticker", "XJSE", "SOL"),
            Identifier("ticker", "A2XX", "SOL"),
        ),
        marks=(),
        duplicate_of=None,
        stated_at=FETCHED,
        available_at=date(2024, 5, 5),
        available_at_basis="first_seen",
    )
    assert read([{"data": instruments[:2]}, {"data": instruments[2:]}]) == ([expected], {})
    assert read({"data": instruments, "next": "abc", "total": 4}) == ([expected], {})


def test_an_instrument_without_share_class_is_named_by_its_own_figi():
    assert read([{"data": [instrument(shareClassFIGI=None)]}])[0][0].subject == "figi:BBG000BLNNH6"


@pytest.mark.parametrize(
    "answer", [{"error": "Invalid idValue format."}, {"warning": "No identifier found."}]
)
def test_an_answer_that_found_nothing_is_counted(answer):
    records, rejected = read([answer, {"data": [instrument()]}])
    assert (len(records), rejected) == (1, {"not_found": 1})


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"securityType2": "Option"}, "not_shares"),
        ({"securityType2": "Mutual Fund"}, "not_shares"),
        ({"marketSector": "Corp"}, "not_shares"),
        ({"shareClassFIGI": "BBG001S5S398"}, "bad_figi"),
        ({"shareClassFIGI": None, "figi": ""}, "bad_figi"),
        ({"shareClassFIGI": None, "name": ""}, "missing_name"),
        ({"shareClassFIGI": None, "name": None}, "missing_name"),
        ({"shareClassFIGI": None, "name": "SASOL\u202e"}, "bad_name"),
    ],
)
def test_an_instrument_that_names_no_organisation_is_counted(changed, reason):
    records, rejected = read([{"data": [instrument(), instrument(**changed)]}])
    assert ([record.subject for record in records], rejected) == (["figi:BBG001S5S399"], {reason: 1})


def test_a_share_class_with_two_names_has_none():
    assert read([{"data": [instrument(), instrument(name="SASOL"), instrument()]}]) == (
        [],
        {"name_conflict": 3},
    )


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (b"", "malformed_json"),
        (b"{}", "unexpected_shape"),
        (b"[{}]", "unexpected_shape"),
        (b"[1]", "unexpected_shape"),
        (b'[{"data":[{"figi":1}]}]', "unexpected_shape"),
        (b'{"data":[{"type":"lei-records"}]}', "unexpected_shape"),
        (b'[{"data":[{"figi":"a","figi":"b"}]}]', "duplicate_key"),
        (b'[{"data":[{"figi":"\\ud800"}]}]', "lone_surrogate"),
        (b"[" * 1_000_000, "nested_too_deep"),
    ],
)
def test_a_document_that_cannot_be_read_is_refused_with_its_reason(document, reason):
    with pytest.raises(UnreadableDocument) as refused:
        read(document)
    assert refused.value.reason == reason


ISINS = ("US0378331005", "ZAE000006896")


def exchange(*answers, ids=ISINS):
    return {"request": [{"idType": "ID_ISIN", "idValue": one} for one in ids], "answer": list(answers)}


def test_the_share_class_of_an_isin_is_a_third_partys_word():
    ((record,), rejected) = read(exchange({"warning": "No identifier found."}, {"data": [instrument()]}))
    assert rejected == {"not_found": 1}
    assert record.subject == "figi:BBG001S5S399"
    assert record.marks == ("evidence:third_party",)
    assert record.identifiers == (
        Identifier("figi", "", "BBG001S5S399"),
        Identifier("ticker", "XJSE", "SOL"),
        Identifier("isin", "", "ZAE000006896"),
    )


def test_an_isin_with_two_share_classes_is_counted():
    both = [instrument(), instrument(shareClassFIGI="BBG000BLNNH6")]
    records, rejected = read(exchange({"data": both}, {"error": "Invalid idValue format."}))
    assert (records, rejected) == ([], {"not_one_to_one": 2, "not_found": 1})


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (exchange({"data": [instrument()]}), "unexpected_shape"),
        (exchange({"data": []}, ids=["US0378331006"]), "unexpected_shape"),
        (exchange() | {"more": 1}, "unexpected_shape"),
        (b'{"request":[],"answer":[],"request":[]}', "duplicate_key"),
        (b'{"request":[],"answer":<html></html>}', "malformed_json"),
        (b'{"request":[],"answer":[{"da}', "malformed_json"),
    ],
)
def test_an_answer_that_does_not_fit_its_request_is_refused(document, reason):
    with pytest.raises(UnreadableDocument) as refused:
        read(document)
    assert refused.value.reason == reason
