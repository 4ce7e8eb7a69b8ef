"""A table with a header, separated by commas, read row by row: columns are found by name, once.

Decides when a table cannot be read as a whole: text that is not UTF-8, NUL, quotes that do not match, a
row that never ends.
"""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import BinaryIO

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bounds import LIMITS, Limits
from sankofa.ingest.unpacked import pieces

Row = tuple[str, ...]


class Table:
    """One table: its header, then its rows, once."""

    def __init__(self, document: BinaryIO | bytes, limits: Limits = LIMITS) -> None:
        self._lines = _Lines(document, limits)
        self._reader = csv.reader(self._lines, strict=True)
        self.header = next(self._raw_rows(), [])

    def rows(self, columns: Sequence[str], optional: Sequence[str] = ()) -> Iterator[Row]:
        """Yield the named columns of each row, () for one with more or fewer fields than the header.

        A column that is missing is a reason to refuse the table; an optional one is empty then. At least
        two columns are asked for.
        """
        missing = [name for name in columns if self.header.count(name) != 1]
        if missing:
            raise UnreadableDocument("missing_column", ", ".join(missing))
        width = len(self.header)
        places = [self.header.index(name) for name in columns]
        places += [self.header.index(name) if name in self.header else width for name in optional]
        pick = itemgetter(*places)
        for row in self._raw_rows():
            if len(row) == width:
                row.append("")
                yield pick(row)
            elif row:
                yield ()

    def _raw_rows(self) -> Iterator[list[str]]:
        lines = self._lines
        try:
            for row in self._reader:
                lines.row_characters = 0
                yield row
        except csv.Error as wrong:
            raise UnreadableDocument("malformed_csv", str(wrong)) from wrong
        except UnicodeDecodeError as wrong:
            raise UnreadableDocument("not_utf8", f"{wrong.reason} in row {self._reader.line_num}") from wrong


class _Lines:
    """The lines of a table, counted since the last row: a row may span lines, but not without end."""

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
