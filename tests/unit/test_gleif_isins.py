"""ISIN-to-LEI tables and pages: one record for each LEI, and none that contradicts another."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, date, datetime

import pytest
from stdnum.isin import calc_check_digit

from sankofa.core.errors import UnreadableDocument
from sankofa.entities.model import Identifier, OrganisationRecord
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.registers.gleif_isins import ISINS_OF_ONE, parse
from support.lei_documents import an_lei

FETCHED = datetime(2024, 5, 5, 23, tzinfo=UTC)


def an_isin(number):
    body = f"ZAE{number:08d}"
    return body + calc_check_digit(body)


def read(document):
    rejections = Rejections()
    return list(parse(document, rejections, fetched_at=FETCHED)), dict(rejections.counts)


def table(*pairs):
    return "".join(f"{lei},{isin}\n" for lei, isin in [("LEI", "ISIN"), *pairs]).encode("utf-8-sig")


def page(*pairs, published="2024-05-04T16:00:00Z"):
    items = [
        {"type": "isins", "id": str(place), "attributes": {"lei": lei, "isin": isin}}
        for place, (lei, isin) in enumerate(pairs)
    ]
    meta = {"goldenCopy": {"publishDate": published}, "pagination": {"total": len(items)}}
    return json.dumps({"meta": meta, "links": {}, "data": items}).encode()


PAIRS = [(an_lei(1), an_isin(1)), (an_lei(1), an_isin(2)), (an_lei(2), an_isin(3))]


def test_a_table_gives_one_record_for_each_lei_without_a_name():
    records, rejected = read(table(*PAIRS))
    assert rejected == {}
    assert records[0] == OrganisationRecord(
        subject=f"lei:{an_lei(1)}",
        legal_name="",
        jurisdiction=None,
        status="unknown",
        identifiers=(
            Identifier("lei", "", an_lei(1)),
            Identifier("isin", "", an_isin(1)),
            Identifier("isin", "", an_isin(2)),
        ),
        marks=(),
        duplicate_of=None,
        stated_at=FETCHED,
        available_at=date(2024, 5, 5),
        available_at_basis="first_seen",
    )
    assert [record.subject for record in records] == [f"lei:{an_lei(1)}", f"lei:{an_lei(2)}"]
    assert read(gzip.compress(table(*PAIRS))) == (records, {})


def test_a_page_says_the_same_from_its_own_day_on():
    from_table, _ = read(table(*PAIRS))
    from_page, rejected = read(page(*PAIRS))
    assert rejected == {}
    assert [record.identifiers for record in from_page] == [record.identifiers for record in from_table]
    assert {(record.stated_at, record.available_at, record.available_at_basis) for record in from_page} == {
        (datetime(2024, 5, 4, 16, tzinfo=UTC), date(2024, 5, 4), "publisher")
    }


@pytest.mark.parametrize(
    ("pairs", "reason"),
    [
        ([(an_lei(9), "ZAE000000000")], "bad_isin"),
        ([(an_lei(9), "")], "bad_isin"),
        ([("99990000000000000009", an_isin(9))], "bad_lei"),
        ([(an_lei(1), an_isin(9))], "lei_comes_again"),
    ],
)
@pytest.mark.parametrize("written", [table, page])
def test_a_pair_that_is_not_taken_is_counted_and_the_others_stay(written, pairs, reason):
    records, rejected = read(written(*PAIRS, *pairs))
    assert (len(records), rejected) == (2, {reason: 1})


def test_who_issues_without_end_is_not_recognised_by_it():
    pairs = [(an_lei(1), an_isin(number)) for number in range(ISINS_OF_ONE + 1)]
    records, rejected = read(table(*pairs, PAIRS[2]))
    assert ([record.subject for record in records], rejected) == (
        [f"lei:{an_lei(2)}"],
        {"too_many_isins": ISINS_OF_ONE + 1},
    )


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (b"", "missing_column"),
        (b"ISIN\n", "missing_column"),
        (b"{}", "unexpected_shape"),
        (b'{"data":[{"type":"lei-records","attributes":{}}]}', "unexpected_shape"),
        (b'{"data":[],"data":[]}', "duplicate_key"),
        (b'{"data":' + b"[" * 1_000_000, "nested_too_deep"),
        (page(*PAIRS, published="2024-05-07T00:00:00Z"), "stated_after_fetch"),
        (page(*PAIRS, published="2024-05-04T00:00:00"), "bad_moment"),
        (table(*PAIRS) + b"a\0,b\n", "nul_character"),
        (gzip.compress(table(*PAIRS))[:-9], "archive_damaged"),
    ],
)
def test_a_document_that_cannot_be_read_is_refused_with_its_reason(document, reason):
    with pytest.raises(UnreadableDocument) as refused:
        read(document)
    assert refused.value.reason == reason
