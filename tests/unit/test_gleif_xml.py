"""Golden copy XML: namespaces, extensions, and hostile documents."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime

import pytest

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import Limits, Rejections
from sankofa.ingest.registers.gleif_xml import parse
from support.lei_documents import NAMESPACE, an_lei, as_xml, stated

FETCHED = datetime(2024, 5, 5, 12, tzinfo=UTC)
SMALL = Limits(document_bytes=20_000_000, line_bytes=10_000, string_bytes=10_000, ratio=200)
OPEN = f'<LEIData xmlns="{NAMESPACE}">'.encode()
INSIDE = OPEN + b"<LEIRecords><LEIRecord>"
END = b"</LEIRecord></LEIRecords></LEIData>"


def read(document, limits=SMALL):
    rejections = Rejections()
    return list(parse(document, rejections, limits, fetched_at=FETCHED)), dict(rejections.counts)


def test_a_namespace_may_have_any_prefix_or_none():
    prefixed = as_xml(stated())
    bare = prefixed.replace(b"lei:", b"").replace(b"xmlns:lei=", b"xmlns=")
    assert read(bare) == read(prefixed)
    assert len(read(bare)[0]) == 1


def test_elements_of_other_namespaces_are_not_mistaken_for_the_records_own():
    foreign = b'<x:LEI xmlns:x="http://example.org/">' + an_lei(7).encode() + b"</x:LEI>"
    document = as_xml(stated()).replace(b"</lei:Entity>", b"</lei:Entity>" + foreign)
    assert read(document) == read(as_xml(stated()))


def test_a_large_document_is_read_in_pieces():
    document = as_xml(*[stated(lei=an_lei(number)) for number in range(2_000)])
    records, rejected = read(document)
    assert [record.subject for record in records] == [f"lei:{an_lei(number)}" for number in range(2_000)]
    assert rejected == {}
    assert read(gzip.compress(document)) == (records, {})


def test_characters_may_be_references_and_sections():
    document = as_xml(stated(name="A & B")).replace(b"A &amp; B", b"A &#38; <![CDATA[B]]>")
    assert read(document)[0][0].legal_name == "A & B"


def test_text_with_elements_in_it_is_not_taken_by_halves():
    document = as_xml(stated()).replace(b"Acm", b"<lei:x/>Acm")
    assert read(document) == ([], {"missing_name": 1})


def test_long_text_that_is_not_wanted_is_passed():
    document = as_xml(stated()).replace(b"1 Secret Street", b"x" * 5_000_000)
    assert read(document) == read(as_xml(stated()))


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (b"", "malformed_xml"),
        (b"LEI", "malformed_xml"),
        (OPEN, "malformed_xml"),
        (INSIDE + END + b"<x/>", "malformed_xml"),
        (OPEN + b"\0</LEIData>", "malformed_xml"),
        (OPEN + b"&#0;</LEIData>", "malformed_xml"),
        (OPEN + b"&#xD800;</LEIData>", "malformed_xml"),
        (OPEN + b"\xed\xa0\x80</LEIData>", "malformed_xml"),
        (OPEN + b"\xff</LEIData>", "malformed_xml"),
        (OPEN + b"&unknown;</LEIData>", "malformed_xml"),
        (b'<?xml version="1.0" encoding="nonsense"?>' + OPEN + b"</LEIData>", "malformed_xml"),
        (b'<?xml version="1.0" encoding="utf-7"?>' + OPEN + b"</LEIData>", "malformed_xml"),
        (b'<!DOCTYPE a [<!ENTITY b "cc">]>' + OPEN + b"&b;</LEIData>", "document_type_declared"),
        (b'<!DOCTYPE a SYSTEM "file:///etc/passwd">' + OPEN + b"</LEIData>", "document_type_declared"),
        (
            b'<!DOCTYPE a [<!ENTITY % b SYSTEM "http://127.0.0.1:1/"> %b;]>' + OPEN + b"</LEIData>",
            "document_type_declared",
        ),
        (b"<html/>", "unexpected_shape"),
        (b"<LEIData/>", "unexpected_shape"),
        (b'<LEIData xmlns="http://example.org/"/>', "unexpected_shape"),
        (OPEN + b"<a>" * 100, "nested_too_deep"),
        (OPEN + b"<a>" * 1_000_000, "nested_too_deep"),
        (OPEN + b"<!--" + b"x" * 5_000_000, "markup_too_long"),
        (OPEN + b"<" + b"x" * 5_000_000, "markup_too_long"),
        (OPEN + b'<a b="' + b"x" * 5_000_000, "markup_too_long"),
        (OPEN + b"<?" + b"x" * 5_000_000, "markup_too_long"),
        (INSIDE + b"<LEI>" + b"x" * 5_000_000, "string_too_long"),
        (INSIDE + b"<LEI>1</LEI><LEI>2</LEI>" + END, "duplicate_element"),
        (b" " * 20_000_001, "document_too_large"),
        (gzip.compress(OPEN + b" " * 15_000_000), "archive_packed_too_densely"),
        (gzip.compress(as_xml(stated()))[:-9], "archive_damaged"),
    ],
)
def test_a_document_that_cannot_be_read_is_refused_with_its_reason(document, reason):
    with pytest.raises(UnreadableDocument) as refused:
        read(document)
    assert refused.value.reason == reason
