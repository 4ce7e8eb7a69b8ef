"""GLEIF golden copy as JSON: {"records": [...]}, each text of a record as {"$": text}.

Records are extracted from the array one after the other, and each is parsed as strict JSON. An invalid record
is counted under its reason; an error between records rejects the document.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, BinaryIO

from msgspec.structs import replace

from sankofa.core.errors import UnreadableDocument
from sankofa.entities.model import OrganisationRecord
from sankofa.ingest.bytes.bounds import LIMITS, Limits, Rejections
from sankofa.ingest.bytes.json_stream import Scanner
from sankofa.ingest.bytes.packed import pieces
from sankofa.ingest.bytes.strict_json import strict_json
from sankofa.ingest.registers.gleif_record import PATHS, LeiRecord, Reading

Json = dict[str, Any]
_PATHS = [path.split("/") for path in PATHS]
_KINDS = {dict: "object", list: "array", str: "str", int: "int", bool: "bool", type(None): "null"}
_SUCCESSOR = ("SuccessorLEI",)
_DEPTH = 1_000  # the scanner follows brackets up to this depth; the record's own limit is checked later


def parse(
    document: BinaryIO | bytes, rejections: Rejections, limits: Limits = LIMITS, *, fetched_at: datetime
) -> Iterator[OrganisationRecord]:
    """Yield the organisations of a golden copy in JSON: plain, gzip, or the one file of a zip archive."""
    reading = Reading(rejections, fetched_at)
    # The limits of a record are checked when it is decoded.
    scanner = Scanner(
        pieces(document, limits), replace(limits, depth=_DEPTH, string_bytes=limits.document_bytes)
    )
    for place, written in enumerate(_records(scanner, limits.line_bytes), 1):
        try:
            record = _lei_record(strict_json(written, Json, limits))
        except UnreadableDocument as unreadable:
            _refuse_unreadable(written)
            rejections.add(unreadable.reason, f"record {place}: {unreadable.detail}")
            continue
        if organisation := reading.organisation(record):
            yield organisation


def _lei_record(source: Json) -> LeiRecord:
    texts = [_text(source, path) for path in _PATHS]
    successors = _object(source.get("Entity"), "Entity").get("SuccessorEntity")
    if not isinstance(successors, list):
        successors = [_object(successors, "Entity.SuccessorEntity", "object | array | null")]
    for place, one in enumerate(successors):
        if not isinstance(one, dict):
            raise _unexpected("object", one, f"Entity.SuccessorEntity[{place}]")
    # A full copy has the key with null; a delta has the time of deletion.
    deleted = _object(source.get("Extension"), "Extension").get("gleif:Deletion")
    return LeiRecord._make((*texts, str(deleted or ""), [_text(one, _SUCCESSOR) for one in successors]))


def _text(record: Json, path: Sequence[str]) -> str:
    """Return the text at a path; empty if a part of the path is missing or null."""
    inner = record
    for depth, name in enumerate(path, 1):
        found = inner.get(name)
        if found is None:
            return ""
        inner = found if isinstance(found, dict) else _object(found, ".".join(path[:depth]))
    text = inner.get("$", "")
    if not isinstance(text, str):
        raise _unexpected("str", text, ".".join((*path, "$")))
    return text


def _object(value: Any, place: str, expected: str = "object | null") -> Json:  # noqa: ANN401  # JSON
    if not isinstance(value, dict | None):
        raise _unexpected(expected, value, place)
    return value or {}


def _unexpected(expected: str, value: object, place: str) -> UnreadableDocument:
    """Return the error for a value of the wrong type, worded like those of the decoder."""
    found = _KINDS.get(type(value), "float")
    return UnreadableDocument("unexpected_shape", f"Expected `{expected}`, got `{found}` - at `$.{place}`")


def _records(scanner: Scanner, longest: int) -> Iterator[bytes]:
    """Yield the bytes of each record of the array, holding one record and one piece of the document."""
    keys = scanner.each_key()
    if scanner.peek() != b"{" or next(keys, None) != "records" or scanner.peek() != b"[":
        raise UnreadableDocument("unexpected_shape", "no array of records")
    for _ in scanner.each_item():
        if scanner.peek() != b"{":
            raise UnreadableDocument("malformed_json", "a record that is no object")
        yield scanner.take_record(longest)
    if next(keys, None) is not None or not scanner.at_end():
        raise UnreadableDocument("malformed_json", "more after the array of records, or less")


def _refuse_unreadable(record: bytes) -> None:
    """Raise if a record is not JSON at all, because then its end is unknown."""
    try:
        json.loads(record)
    except RecursionError as wrong:
        raise UnreadableDocument("nested_too_deep", "in a record") from wrong
    except ValueError as wrong:
        raise UnreadableDocument("malformed_json", str(wrong)) from wrong
