"""Golden copy JSON: records cut out of their array, and hostile documents."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime

import pytest

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import Limits, Rejections
from sankofa.ingest.bytes.packed import PIECE_BYTES
from sankofa.ingest.registers.gleif_json import parse
from support.lei_documents import an_lei, as_json, stated

FETCHED = datetime(2024, 5, 5, 12, tzinfo=UTC)
SMALL = Limits(document_bytes=20_000_000, line_bytes=10_000)
GOOD = as_json(stated(lei=an_lei(2))).removeprefix(b'{"records": [').removesuffix(b"]}")


def read(document, limits=SMALL):
    rejections = Rejections()
    return list(parse(document, rejections, limits, fetched_at=FETCHED)), dict(rejections.counts)


def test_records_are_found_wherever_a_piece_ends():
    document = as_json(
        *[stated(lei=an_lei(number), name="«" + "é" * (number % 7)) for number in range(2_000)]
    )
    assert len(document) > 2 * PIECE_BYTES
    found, rejected = read(document)
    assert [record.subject for record in found] == [f"lei:{an_lei(number)}" for number in range(2_000)]
    assert rejected == {}
    assert read(gzip.compress(document)) == (found, {})


@pytest.mark.parametrize("blanks", [0, 1, PIECE_BYTES - 14, PIECE_BYTES - 1, PIECE_BYTES, 3 * PIECE_BYTES])
def test_blanks_are_passed_however_many(blanks):
    space = b" " * blanks
    document = space.join([b"\xef\xbb\xbf{", b'"records"', b":[", GOOD, b",\n", GOOD, b"]}", b""])
    assert len(read(document)[0]) == 2


def test_an_empty_array_is_a_document_without_records():
    assert read(b'{"records":[]}\n') == ([], {})


@pytest.mark.parametrize("extension", [None, {}, {"gleif:Deletion": None}])
def test_an_empty_mark_of_deletion_deletes_nothing(extension):
    record = json.loads(GOOD) | {"Extension": extension}
    assert len(read(json.dumps({"records": [record]}).encode())[0]) == 1


def test_one_successor_may_stand_without_an_array():
    record = json.loads(GOOD)
    record["Entity"]["SuccessorEntity"] = {"SuccessorLEI": {"$": an_lei(9)}}
    [found], _ = read(json.dumps({"records": [record]}).encode())
    assert found.marks[-1] == f"successor:{an_lei(9)}"


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (b'{"LEI":{"$":"a"},"LEI":{"$":"b"}}', "duplicate_key"),
        (b'{"Entity":{"LegalAddress":{"City":1,"City":2}}}', "duplicate_key"),
        (b'{"LEI":NaN}', "malformed_json"),
        (b'{"LEI":{"$":"\\u0000"}}', "nul_character"),
        (b'{"LEI":{"$":"\\ud800"}}', "lone_surrogate"),
        (b'{"x":' + b"[" * 100 + b"]" * 100 + b"}", "nested_too_deep"),
        (b'{"LEI":"529900GRZ2BQY5ZM9N49"}', "unexpected_shape"),
        (b'{"LEI":{"$":1}}', "unexpected_shape"),
        (b"{}", "bad_lei"),
    ],
)
def test_a_record_that_breaks_the_rules_is_counted_and_the_others_stay(record, reason):
    records, rejected = read(b'{"records":[' + record + b"," + GOOD + b"]}")
    assert (len(records), rejected) == (1, {reason: 1})


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (b"", "unexpected_shape"),
        (b" " * 5_000_000, "unexpected_shape"),
        (b"[]", "unexpected_shape"),
        (b'{"data":[]}', "unexpected_shape"),
        (b'{"records":{}}', "unexpected_shape"),
        (b'{"records":[', "malformed_json"),
        (b'{"records":[1]}', "malformed_json"),
        (b'{"records":[' + GOOD, "malformed_json"),
        (b'{"records":[' + GOOD + b",]}", "malformed_json"),
        (b'{"records":[' + GOOD + GOOD + b"]}", "malformed_json"),
        (b'{"records":[' + GOOD + b"]", "malformed_json"),
        (b'{"records":[]}{}', "malformed_json"),
        (b'{"records":[],"records":[]}', "malformed_json"),
        (b'{"records":[{"LEI":{"$":"a\0"}}]}', "nul_character"),
        (b'{"records":[{"x":' + b"1" * 5_000 + b"}]}", "malformed_json"),
        (b'{"records":[{"LEI":{"$":"\xff"}}]}', "not_utf8"),
        (b'{"records":[{"LEI":{"$":"\xed\xa0\x80"}}]}', "not_utf8"),
        ('{"records":[]}'.encode("utf-16"), "not_utf8"),
        (b'{"records":[{"x":' + b"[" * 5_000_000, "nested_too_deep"),
        (b'{"records":[' + b'{"x":' * 1_000_000, "nested_too_deep"),
        (b'{"records":[{"x":"' + b"x" * 5_000_000, "record_too_long"),
        (b'{"records":[{' + b" " * 5_000_000, "record_too_long"),
        (b" " * 20_000_001, "document_too_large"),
        (gzip.compress(b'{"records":[' + b" " * 15_000_000), "archive_packed_too_densely"),
        (gzip.compress(as_json(stated()))[:-9], "archive_damaged"),
    ],
)
def test_a_document_that_cannot_be_read_is_refused_with_its_reason(document, reason):
    with pytest.raises(UnreadableDocument) as refused:
        read(document)
    assert refused.value.reason == reason
