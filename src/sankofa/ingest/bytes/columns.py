"""The columns of a table, or the fields of its records, as a document itself names them.

Publishers rename and add columns without notice. If a source declares its columns, a document with others is
rejected, and the error names them. For an archive, the largest file is checked; for JSON, the first record.
XML is not checked, nor JSON without any of these names: their parsers are strict.
"""

from __future__ import annotations

import csv
import io
import re
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from typing import BinaryIO

import msgspec

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import LIMITS
from sankofa.ingest.bytes.packed import BOM, content, is_zip, members, pieces

_OPENING_BYTES = 1 << 20
_JSON_BYTES = 64 << 20  # a larger header is not checked
_PREAMBLE_LINES = 64
_SEPARATORS = "\t;|,"
_MOST_LISTED = 12  # names


def require_columns(document: BinaryIO, columns: Collection[str], like: Sequence[str]) -> None:
    """Raise `UnreadableDocument` with the names of missing columns and of unexpected ones."""
    found = _named(document, set(columns))
    if found is None:
        return
    others = [
        name for name in found if name not in columns and not any(re.fullmatch(one, name) for one in like)
    ]
    missing = [name for name in columns if name not in found]
    problems = [
        f"{what}: {_listed(names)}" for what, names in (("unknown", others), ("missing", missing)) if names
    ]
    if problems:
        raise UnreadableDocument("unexpected_columns", "; ".join(problems))


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_LISTED} more" if len(names) > _MOST_LISTED else ""
    return ", ".join(names[:_MOST_LISTED]) + more


def _named(document: BinaryIO, expected: set[str]) -> list[str] | None:
    """Return the names of the columns; None if they are not checked."""
    opening, size = _opening(document)
    mark = opening.lstrip(b" \t\r\n")[:1]
    if mark == b"<":
        return None
    if mark not in (b"{", b"["):
        return _header(opening.decode("utf-8", "replace"), expected)
    if size > _JSON_BYTES:
        return None
    try:
        return _fields(msgspec.json.decode(_whole(document)), expected)
    except msgspec.DecodeError:
        return None  # the parser reports the fault


def _opening(document: BinaryIO) -> tuple[bytes, int]:
    if is_zip(document):
        largest = max(members(document), key=lambda one: one.size, default=None)
        if largest is None:
            return b"", 0
        with largest.opened() as stream:
            return stream.read(_OPENING_BYTES).removeprefix(BOM), largest.size
    size = document.seek(0, io.SEEK_END)
    return next(pieces(document), b"").removeprefix(BOM), size


def _whole(document: BinaryIO) -> bytes:
    if is_zip(document):
        return max(members(document), key=lambda one: one.size).read().removeprefix(BOM)
    return content(document, LIMITS).removeprefix(BOM)


def _header(text: str, expected: set[str]) -> list[str]:
    """Return the line with most of the expected columns, among the first lines."""
    lines = [line for line in text.splitlines()[:_PREAMBLE_LINES] if line.strip()]
    rows = [row for line in lines for separator in _SEPARATORS for row in _row(line, separator)]
    best = max(
        rows,
        key=lambda row: (len(expected & set(row)), len(row) if not expected & set(row) else 0),
        default=[],
    )
    return [name for name in best if name]


def _row(line: str, separator: str) -> Iterator[list[str]]:
    try:
        yield [field.strip() for field in next(csv.reader(io.StringIO(line), delimiter=separator), [])]
    except csv.Error:
        return


def _fields(decoded: object, expected: set[str]) -> list[str] | None:
    """Return the fields of the first object that has one of the expected fields."""
    waiting = deque([decoded])
    while waiting:
        one = waiting.popleft()
        if isinstance(one, dict):
            if expected & one.keys():
                return list(one)
            waiting.extend(list(one.values())[:100])
        elif isinstance(one, list):
            waiting.extend(one[:1])
    return None
