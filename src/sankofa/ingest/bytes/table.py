"""Comma-separated tables. Columns are located once, by name.

A register dump is parsed strictly as a stream: its header is the first row, a quoted field may span lines,
and a syntax error rejects the whole file. An export for people is parsed leniently: lines may precede the
header, and a line is a row, so that one lost quote costs one row and not the rest of the table. In a table
without quoting, a line is a row and quotes are letters.
"""

from __future__ import annotations

import codecs
import csv
import io
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any, BinaryIO, NamedTuple

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import LIMITS, Limits, Rejections
from sankofa.ingest.bytes.packed import BOM, pieces

_PREAMBLE_LINES = 64

Row = tuple[str, ...]


class Table(NamedTuple):
    """The column names, the rows (an iterator), and the lines before the header."""

    header: list[str]
    rows: Iterator[list[str]]
    preamble: Sequence[list[str]] = ()

    def place(self, *names: str) -> int:
        """Return the index of the column with one of these names."""
        for name in names:
            if self.header.count(name) == 1:
                return self.header.index(name)
        raise UnreadableDocument("missing_column", " or ".join(names))

    def picked(
        self, rejections: Rejections, columns: Sequence[str], optional: Sequence[str] = ()
    ) -> Iterator[Row]:
        """Yield the named columns of each row; count rows with more or fewer fields than the header."""
        pick, width = picker(self.header, columns, optional), len(self.header)
        for row in self.rows:
            if len(row) == width:
                row.append("")
                yield pick(row)
            elif row:
                rejections.add("bad_row", "a row with other columns than the header")


def picker(
    header: Sequence[str], columns: Sequence[str], optional: Sequence[str] = (), table: str = ""
) -> Callable[[Any], Any]:
    """Return a function that picks the columns from a row with one empty field appended.

    A missing column raises; a missing optional column is that empty field. At least two columns must be
    requested.
    """
    missing = [name for name in columns if header.count(name) != 1]
    if missing:
        raise UnreadableDocument("missing_column", f"{table}{', '.join(missing)}")
    places = [header.index(name) for name in columns]
    return itemgetter(*places, *[header.index(name) if name in header else len(header) for name in optional])


def read_dump(document: BinaryIO | bytes, limits: Limits = LIMITS) -> Table:
    """Read the header and return the table; its rows are unpacked lazily."""
    rows = _rows(_Lines(document, limits))
    return Table(next(rows, []), rows)


def _rows(lines: _Lines) -> Iterator[list[str]]:
    reader = csv.reader(lines, strict=True)
    try:
        for row in reader:
            lines.row_characters = 0
            yield row
    except csv.Error as wrong:
        raise UnreadableDocument("malformed_csv", str(wrong)) from wrong
    except UnicodeDecodeError as wrong:
        raise UnreadableDocument("not_utf8", f"{wrong.reason} in row {reader.line_num}") from wrong


class _Lines:
    """The lines of a dump, counted since the last row, because the lines of a row are limited."""

    def __init__(self, document: BinaryIO | bytes, limits: Limits) -> None:
        self.row_characters = 0
        self._longest = limits.line_bytes
        self._blocks = _blocks(document, limits)

    def __iter__(self) -> Iterator[str]:
        longest = self._longest
        for block in self._blocks:
            for line in io.StringIO(block, newline="\n"):
                self.row_characters += len(line)
                if self.row_characters > longest:
                    raise UnreadableDocument("line_too_long", f"more than {longest} characters in a row")
                yield line


def _blocks(document: BinaryIO | bytes, limits: Limits) -> Iterator[str]:
    """Yield the text in blocks of whole lines."""
    decode = codecs.getincrementaldecoder("utf-8-sig")().decode
    rest = ""
    for piece in pieces(document, limits):
        if b"\0" in piece:
            raise UnreadableDocument("nul_character")
        whole, end, rest = (rest + decode(piece)).rpartition("\n")
        if len(rest) > limits.line_bytes:
            raise UnreadableDocument("line_too_long", f"more than {limits.line_bytes} characters")
        if end:
            yield whole + end
    rest += decode(b"", final=True)
    if rest:
        yield rest


def read_unquoted(lines: Iterable[bytes], separator: str) -> Table:
    """Read a table without quoting. A line that is not UTF-8 is read as ISO-8859-1."""
    rows = (_text(line).split(separator) for line in lines if line.strip())
    header = next(rows, [""])
    return Table([header[0].removeprefix("\ufeff"), *header[1:]], rows)


def _text(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("iso-8859-1")


def read_export(data: bytes, columns: Collection[str], limits: Limits) -> Table:
    """Read an export: the header is the first line with all these columns. A torn row becomes empty.

    Where the header ends with a comma, so does every whole row. A last row without it and without a line end
    is torn, because its last number may have lost digits. In other tables a last row without a line end is
    accepted: publishers write such files.
    """
    rows = _line_rows(data.removeprefix(BOM), limits)
    preamble: list[list[str]] = []
    for row, _ in rows:
        if set(columns) <= set(row):
            is_closed = not row[-1]  # a comma after the last column
            while row and not row[-1]:
                row.pop()
            repeated = {name for name, times in Counter(row).items() if times > 1}
            if repeated:
                raise UnreadableDocument("duplicate_column", ", ".join(sorted(repeated))[:80])
            width = len(row)
            fitted = (
                _fitted(fields, width, width + (is_closed and not is_ended)) for fields, is_ended in rows
            )
            return Table(row, fitted, preamble)
        preamble.append(row)
        if len(preamble) > _PREAMBLE_LINES:
            break
    raise UnreadableDocument("missing_column", ", ".join(sorted(columns)))


def _fitted(fields: list[str], width: int, least: int) -> list[str]:
    """Return the fields of a row without empty ones beyond the last column."""
    return fields[:width] if len(fields) >= least and not any(fields[width:]) else []


def _line_rows(data: bytes, limits: Limits) -> Iterator[tuple[list[str], bool]]:
    """Yield the fields of every line that is not blank, without the space around them.

    With them comes whether the line has an end.
    """
    if b"\0" in data:
        raise UnreadableDocument("nul_character")
    stream = io.BytesIO(data if b"\n" in data else data.replace(b"\r", b"\n"))
    while line := stream.readline(limits.line_bytes + 1):
        if len(line) > limits.line_bytes:
            raise UnreadableDocument("line_too_long", f"more than {limits.line_bytes} bytes")
        try:
            texts = line.decode().rstrip("\n").split("\r")
        except UnicodeDecodeError as wrong:
            raise UnreadableDocument("not_utf8", f"{line[:40]!r}") from wrong
        for place, text in enumerate(texts, 1):
            is_ended = place < len(texts) or line.endswith(b"\n")
            try:
                fields = [field.strip() for field in next(csv.reader([text], strict=True), [])]
            except csv.Error:
                yield [], is_ended
            else:
                if any(fields):
                    yield fields, is_ended
