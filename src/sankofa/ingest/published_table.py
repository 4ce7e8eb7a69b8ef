"""Tables as publishers export them: comma-separated, with a preamble, a byte order mark, any line ends.

A line is one row. A quoted field cannot hold a line end here, so one lost quote costs one row and not
the rest of the table.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterator
from typing import NamedTuple

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bounds import Limits

_BOM = b"\xef\xbb\xbf"
_PREAMBLE_LINES = 64

Row = list[str]


class Table(NamedTuple):
    """The lines before the header, the names of the columns, and the rows; a torn row is empty."""

    preamble: list[Row]
    header: Row
    rows: Iterator[Row]

    def place(self, *names: str) -> int:
        """Return the place of the column that has one of these names."""
        for name in names:
            if self.header.count(name) == 1:
                return self.header.index(name)
        raise UnreadableDocument("missing_column", " or ".join(names))


def read_table(data: bytes, columns: Collection[str], limits: Limits) -> Table:
    """Find the header, which is the first line that has all these columns, and what follows it."""
    lines = _rows(data, limits)
    preamble: list[Row] = []
    for row in lines:
        if set(columns) <= set(row):
            while row and not row[-1]:  # a comma after the last column
                row.pop()
            repeated = {name for name in row if row.count(name) > 1}
            if repeated:
                raise UnreadableDocument("duplicate_column", ", ".join(sorted(repeated))[:80])
            return Table(preamble, row, (_fitted(fields, len(row)) for fields in lines))
        preamble.append(row)
        if len(preamble) > _PREAMBLE_LINES:
            break
    raise UnreadableDocument("missing_column", ", ".join(sorted(columns)))


def _fitted(fields: Row, width: int) -> Row:
    """Return as many fields as there are columns; empty ones beyond them are no fields."""
    return fields[:width] if len(fields) >= width and not any(fields[width:]) else []


def _rows(data: bytes, limits: Limits) -> Iterator[Row]:
    """Yield the fields of every line that is not blank, without the space around them."""
    for line in _lines(data.removeprefix(_BOM), limits):
        try:
            fields = [field.strip() for field in next(csv.reader([line], strict=True), [])]
        except csv.Error:
            yield []
            continue
        if any(fields):
            yield fields


def _lines(data: bytes, limits: Limits) -> Iterator[str]:
    if b"\0" in data:
        raise UnreadableDocument("nul_character")
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")
    stream = io.BytesIO(data)
    while line := stream.readline(limits.line_bytes + 1):
        if len(line) > limits.line_bytes:
            raise UnreadableDocument("line_too_long", f"more than {limits.line_bytes} bytes")
        try:
            yield from line.decode().rstrip("\r\n").split("\r")
        except UnicodeDecodeError as wrong:
            raise UnreadableDocument("not_utf8", f"{line[:40]!r}") from wrong
