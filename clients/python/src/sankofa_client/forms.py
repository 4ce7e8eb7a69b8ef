"""CSV answers and header fields that were fetched without this client, such as with curl or a browser.

`csv_rows` returns the cells exactly as the service has them. `envelope` returns what the fields `X-Answer`
and `Link` state about the rows of a CSV, NDJSON or Arrow answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec

from sankofa_client._answer import Envelope

__all__ = ["Envelope", "csv_rows", "envelope", "original_text"]

_NEXT = re.compile(r'<([^<>]*)>; rel="next"')
_CELL = re.compile(r'(?:"((?:[^"]|"")*+)"|([^",\r\n]*+))(,|\r\n)')


def envelope(headers: Mapping[str, str]) -> Envelope:
    """Return the envelope of an answer in a form that has none, from its header fields, in any case."""
    fields = {name.lower(): text for name, text in headers.items()}
    if "x-answer" not in fields:
        raise ValueError("expected the header fields of a CSV, NDJSON or Arrow answer, with X-Answer")
    following = _NEXT.search(fields.get("link", ""))
    cursor = parse_qs(urlsplit(following[1]).query)["cursor"][0] if following else None
    stated: dict[str, Any] = msgspec.json.decode(fields["x-answer"])
    return msgspec.convert(stated | {"next_cursor": cursor}, Envelope, strict=False)


def original_text(cell: str) -> str:
    """Return a CSV cell without the apostrophe that keeps spreadsheets from running it as a formula.

    The service puts one before each text that begins with = + - @, a tab, a line break, a full-width form of
    these, or an apostrophe. No other cell begins with an apostrophe, so one is removed wherever there is one.
    """
    return cell.removeprefix("'")


def csv_rows(text: str) -> list[dict[str, str | None]]:
    """Return the rows of a CSV answer by column; an empty cell is None, a quoted empty one is ""."""
    lines = _lines(text)
    names = [name or "" for name in next(lines)]
    return [dict(zip(names, cells, strict=True)) for cells in lines]


def _lines(text: str) -> Iterator[list[str | None]]:
    position, cells = 0, list[str | None]()
    while position < len(text):
        found = _CELL.match(text, position)
        if found is None:
            raise ValueError(f"expected CSV as the service writes it; character {position} is not")
        quoted, plain, end = found.groups()
        written = plain or None if quoted is None else quoted.replace('""', '"')
        cells.append(written if written is None else original_text(written))
        position = found.end()
        if end != ",":
            yield cells
            cells = []
    if cells:
        raise ValueError("expected a line break at the end; the answer was cut short")
