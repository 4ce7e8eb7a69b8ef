"""Wikidata's answer to a query: which item is meant for an organisation, and what it states of it."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime

import pytest

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.registers.wikidata import parse
from support.lei_documents import an_lei
from support.wikidata_answers import answer

FETCHED = datetime(2026, 5, 5, 23, tzinfo=UTC)
APPLE, MICROSOFT = "US0378331005", "US5949181045"


def read(data):
    rejections = Rejections()
    found = {record.subject: record for record in parse(data, rejections, fetched_at=FETCHED)}
    return found, dict(rejections.counts)


def values(record):
    return [(one.id_type, one.issuer, one.value) for one in record.identifiers]


def test_an_item_states_its_identifiers_of_an_lei_and_of_a_filer():
    rows = [("Q312", "lei", an_lei(1)), ("Q312", "isin", APPLE), ("Q312", "cik", "0000320193")]
    found, rejected = read(answer(*rows))
    assert rejected == {}
    said = [("aggregator", "wikidata", "Q312"), ("isin", "", APPLE)]
    own = ("lei", "", an_lei(1))
    assert {subject: values(record) for subject, record in found.items()} == {
        f"lei:{an_lei(1)}": [own, *said],
        "cik:0000320193": [("registry", "US-SEC", "0000320193"), *said, own],
    }
    assert {
        (one.legal_name, one.marks, one.available_at, one.available_at_basis) for one in found.values()
    } == {("", ("evidence:third_party",), date(2026, 5, 5), "first_seen")}


def test_what_two_items_have_is_said_of_none():
    shared = [(item, kind, value) for item in ("Q1", "Q2") for kind, value in (("isin", APPLE), ("cik", "7"))]
    found, rejected = read(answer(*shared, ("Q1", "lei", an_lei(1)), ("Q3", "isin", MICROSOFT)))
    assert {subject: values(record) for subject, record in found.items()} == {
        f"lei:{an_lei(1)}": [("lei", "", an_lei(1)), ("aggregator", "wikidata", "Q1")]
    }
    assert rejected == {"not_one_to_one": 2}


def test_an_item_with_two_leis_is_no_one_s():
    found, rejected = read(answer(("Q1", "lei", an_lei(1)), ("Q1", "lei", an_lei(2))))
    assert (found, rejected) == ({}, {"not_one_to_one": 2})


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (("Q1", "lei", "529900T8BM49AURSDO56"), "bad_lei"),
        (("Q1", "cik", "x"), "bad_cik"),
        (("Q1", "isin", "US0378331006"), "bad_isin"),
        (("P31", "cik", "7"), "bad_row"),
        (("Q1", "name", "Apple"), "bad_row"),
    ],
)
def test_a_row_without_an_identifier_is_counted(row, reason):
    assert read(answer(row)) == ({}, {reason: 1})


@pytest.mark.parametrize("data", [b"<html/>", b'{"results": []}', json.dumps({"boolean": True}).encode()])
def test_another_answer_is_refused(data):
    with pytest.raises(UnreadableDocument):
        read(data)
