"""Golden copy tables: their forms, and hostile ones, of which none costs more than its size."""

from __future__ import annotations

import gzip
import io
import zipfile
from datetime import UTC, datetime

import pytest

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import Limits, Rejections
from sankofa.ingest.registers.gleif_csv import parse
from support.lei_documents import HEADER, SUCCESSORS, an_lei, as_csv, stated

FETCHED = datetime(2024, 5, 5, 12, tzinfo=UTC)
SMALL = Limits(document_bytes=20_000_000, line_bytes=10_000)
HEAD = ",".join(HEADER).encode()


def read(document, limits=SMALL):
    rejections = Rejections()
    return list(parse(document, rejections, limits, fetched_at=FETCHED)), dict(rejections.counts)


def zipped(*members, method=zipfile.ZIP_DEFLATED):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return packed.getvalue()


def test_a_table_reads_alike_plain_and_packed():
    plain = as_csv(*[stated(lei=an_lei(number)) for number in range(3_000)])
    assert len(plain) > 2 * (1 << 18)  # more than one piece
    records, rejected = read(plain)
    assert (len(records), rejected) == (3_000, {})
    for packed in (gzip.compress(plain), zipped(("golden-copy.csv", plain)), io.BytesIO(plain)):
        assert read(packed) == (records, {})


def test_the_stream_of_a_document_stays_open():
    stream = io.BytesIO(gzip.compress(as_csv(stated())))
    assert len(read(stream)[0]) == len(read(stream)[0]) == 1


def test_columns_are_found_by_name():
    lines = as_csv(stated()).decode("utf-8-sig").splitlines()
    turned = "\r\n".join(",".join(reversed(line.split(","))) for line in lines)
    assert read(turned.encode()) == read(as_csv(stated()))


def test_a_table_of_the_older_format_has_one_successor_and_no_validation():
    columns = [name for name in HEADER if name not in SUCCESSORS and "Validation" not in name]
    record = stated(registration="DUPLICATE", successors=[an_lei(2)])
    row = [record.get(name, "") for name in columns]
    lines = [*columns, "Entity.SuccessorEntity.SuccessorLEI"], [*row, an_lei(2)]
    [organisation], rejected = read("\n".join(map(",".join, lines)).encode())
    assert (organisation.duplicate_of, rejected) == (f"lei:{an_lei(2)}", {})


def test_a_name_may_span_lines_and_hold_quotes():
    [record], _ = read(as_csv(stated(name='Acme\r\n"Best"\nLtd, The')))
    assert record.legal_name == 'Acme "Best" Ltd, The'


def test_a_row_with_other_columns_is_counted():
    table = as_csv(stated()) + b'"only","three","fields"\r\n\r\n'
    records, rejected = read(table)
    assert (len(records), rejected) == (1, {"bad_row": 1})


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (b"", "missing_column"),
        (b"\n" * 1_000_000, "missing_column"),
        (b"LEI,Name\n", "missing_column"),
        (HEAD + b",LEI\n", "missing_column"),
        (HEAD + b"\n\xff", "not_utf8"),
        (HEAD + b"\n\xed\xa0\x80", "not_utf8"),
        (HEAD + b"\n\xe2\x82", "not_utf8"),
        (HEAD.decode().encode("utf-16"), "nul_character"),
        (HEAD + b"\na\0b", "nul_character"),
        (HEAD + b'\n"a"b,c\n', "malformed_csv"),
        (HEAD + b'\n"a', "malformed_csv"),
        (HEAD + b"\n" + b"x" * 10_001, "line_too_long"),
        (HEAD + b"\n" + b"x" * 10_000_000, "line_too_long"),
        (HEAD + b'\n"' + b"x\n" * 5_000_000, "line_too_long"),
        (HEAD + b"\n" + b'"x\n",' * 1_000_000, "line_too_long"),
        (HEAD + b"\n" + b"," * 1_000_000, "line_too_long"),
        (HEAD + b"\n" * 20_000_000, "document_too_large"),
        (gzip.compress(HEAD + b"\n" * 15_000_000), "archive_packed_too_densely"),
        (zipped(("a.csv", HEAD + b"\n" * 15_000_000)), "archive_packed_too_densely"),
        (gzip.compress(as_csv(stated()))[:-9], "archive_damaged"),
        (gzip.compress(as_csv(stated()))[:-1] + b"x", "archive_damaged"),
        (zipped(("a.csv", HEAD))[:-9], "archive_damaged"),
        (zipped(), "unexpected_members"),
        (zipped(("a.csv", HEAD), ("b.csv", HEAD)), "unexpected_members"),
        (zipped(("a.csv", HEAD), method=zipfile.ZIP_LZMA), "archive_method_unsupported"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused_with_its_reason(document, reason):
    with pytest.raises(UnreadableDocument) as refused:
        read(document)
    assert refused.value.reason == reason
