"""CIK-to-LEI tables: one record for each LEI that has a filer of its own."""

from __future__ import annotations

import gzip
from datetime import UTC, date, datetime

import pytest

from sankofa.core.errors import UnreadableDocument
from sankofa.entities.model import Identifier, OrganisationRecord
from sankofa.ingest.bytes.bounds import Limits, Rejections
from sankofa.ingest.registers.cik_lei import parse
from support.lei_documents import an_lei

FETCHED = datetime(2024, 5, 5, 23, tzinfo=UTC)


def read(document, **limits):
    rejections = Rejections()
    given = {"limits": Limits(**limits)} if limits else {}
    return list(parse(document, rejections, fetched_at=FETCHED, **given)), dict(rejections.counts)


def table(*pairs):
    return "".join(f"{lei},{cik}\n" for lei, cik in [("lei", "cik"), *pairs]).encode("utf-8-sig")


def test_a_pair_is_a_record_of_the_lei_that_states_the_filer_and_no_name():
    records, rejected = read(table((an_lei(1), "320193")))
    assert rejected == {}
    assert records == [
        OrganisationRecord(
            subject=f"lei:{an_lei(1)}",
            legal_name="",
            jurisdiction=None,
            status="unknown",
            identifiers=(
                Identifier("lei", "", an_lei(1)),
                Identifier("registry", "US-SEC", "0000320193"),
            ),
            marks=(),
            duplicate_of=None,
            stated_at=FETCHED,
            available_at=date(2024, 5, 5),
            available_at_basis="first_seen",
        )
    ]


def test_spaces_case_zeros_and_gzip_do_not_matter_and_columns_are_found_by_name():
    document = f"cik,lei,note\n 0000000007 ,{an_lei(1).lower()},x\n".encode()
    [record], rejected = read(gzip.compress(document))
    assert rejected == {}
    assert record.identifiers[1] == Identifier("registry", "US-SEC", "0000000007")


def test_the_same_pair_twice_is_one_record():
    records, rejected = read(table((an_lei(1), "7"), (an_lei(1), "0000000007")))
    assert (len(records), rejected) == (1, {})


@pytest.mark.parametrize(
    "pairs",
    [[(an_lei(1), "7"), (an_lei(1), "8")], [(an_lei(1), "7"), (an_lei(2), "7")]],
    ids=["an LEI with two filers", "a filer with two LEIs"],
)
def test_pairs_that_are_not_one_to_one_say_nothing(pairs):
    records, rejected = read(table(*pairs, (an_lei(3), "9")))
    assert [record.subject for record in records] == [f"lei:{an_lei(3)}"]
    assert rejected == {"not_one_to_one": 2}


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("9999000000000000000A,7", "bad_lei"),
        (f"{an_lei(1)[:-2]}00,7", "bad_lei"),
        (",7", "bad_lei"),
        (f"{an_lei(1)},", "bad_cik"),
        (f"{an_lei(1)},12345678901", "bad_cik"),
        (f"{an_lei(1)},-7", "bad_cik"),
        (f"{an_lei(1)},\u0667", "bad_cik"),
        (f"{an_lei(1)},7,8", "bad_row"),
    ],
)
def test_a_row_that_is_no_pair_is_counted(row, reason):
    assert read(f"lei,cik\n{row}\n".encode()) == ([], {reason: 1})


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (b"", "missing_column"),
        (b"lei,CIK\n", "missing_column"),
        (b"lei,cik\n\xff,7\n", "not_utf8"),
        (b"lei,cik\n\0,7\n", "nul_character"),
        (b'lei,cik\n"x', "malformed_csv"),
    ],
)
def test_a_document_that_is_no_such_table_is_refused(document, reason):
    with pytest.raises(UnreadableDocument) as refusal:
        read(document)
    assert refusal.value.reason == reason


def test_a_document_that_is_too_large_to_hold_is_refused():
    longer = b"lei,cik\n" + (b"x" * 999 + b",7\n") * 17_000
    with pytest.raises(UnreadableDocument, match="document_too_large"):
        read(longer)
    assert read(longer, document_bytes=len(longer)) == ([], {"bad_lei": 17_000})
