"""The formats of an answer: the JSON envelope, and its rows as CSV, NDJSON or an Arrow stream.

Every format holds the same rows, the columns in the row's own order, decimals exact. Columns are derived
from the row's annotations; a type that no format can hold exactly, such as float, raises.

Names and titles in CSV come from third parties, and a spreadsheet runs a cell such as `=HYPERLINK(…)` as a
formula. A text that begins like one is therefore written with an apostrophe in front, and so is a text that
begins with an apostrophe. Removing one leading apostrophe gives every text back. Numbers are not altered.
"""

from __future__ import annotations

import functools
import importlib
import re
import types
import typing
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints
from uuid import UUID

import msgspec

from sankofa.ask.endpoint import Answer, Endpoint
from sankofa.web import envelope

JSON = "application/json"
CSV = "text/csv"
NDJSON = "application/x-ndjson"
ARROW = "application/vnd.apache.arrow.stream"
_ARROW_MODULE = "sankofa.web.arrow"

# The envelope's number format: a decimal is a JSON number, digit for digit.
_ENCODER = msgspec.json.Encoder(decimal_format="number")
ABSENT = (None, msgspec.UNSET)  # null or left out: the same in a table
_NEEDS_QUOTES = re.compile(r'[",\r\n]')
# How a formula begins, in spreadsheets of any locale, and the apostrophe itself.
_LIKE_A_FORMULA = tuple("=+-@\t\r\n'＝＋－＠")  # noqa: RUF001 - full-width forms are formulas too


@dataclass(frozen=True, slots=True)
class Format:
    """One format: its media type and its writer."""

    content_type: str
    write: Callable[[Endpoint, Answer], bytes]
    module: str = ""  # loaded when the format is first asked for


@dataclass(frozen=True, slots=True)
class Kind:
    """How values of one type are written; a kind whose Arrow type is text is written as its text there."""

    arrow: tuple[str | int, ...]  # the function of pyarrow that makes its type, with the arguments
    text: Callable[[Any], str]
    is_repeated: bool = True  # equal values have equal texts, so each is written once for a page


@dataclass(frozen=True, slots=True)
class Column:
    """One field of a row, by its name on the wire."""

    name: str
    kind: Kind
    nullable: bool


def json_text(value: object) -> str:
    """Return a value as the envelope has it."""
    return _ENCODER.encode(value).decode()


TEXT = ("utf8",)
_KINDS: dict[Any, Kind] = {
    bool: Kind(("bool_",), json_text),
    int: Kind(("int64",), str),
    str: Kind(TEXT, str),
    UUID: Kind(TEXT, "{}".format),
    Decimal: Kind(("decimal128", 38, 12), "{:f}".format, is_repeated=False),
    date: Kind(("date32",), date.isoformat),
    datetime: Kind(("timestamp", "us", "UTC"), msgspec.to_builtins),
}
_NESTED = Kind(TEXT, json_text, is_repeated=False)
_NUMBER_OR_WORD = Kind(
    TEXT, lambda value: value if isinstance(value, str) else f"{value:f}", is_repeated=False
)


@functools.cache
def columns(row: type[msgspec.Struct]) -> tuple[Column, ...]:
    """Return a row type's columns in order."""
    hints = get_type_hints(row, include_extras=True)
    names = zip(row.__struct_encode_fields__, row.__struct_fields__, strict=True)
    return tuple(Column(name, *_kind(hints[attribute])) for name, attribute in names)


def _kind(hint: object) -> tuple[Kind, bool]:
    origin, args = get_origin(hint), get_args(hint)
    present = [arg for arg in args if arg not in {types.NoneType, msgspec.UnsetType}]
    if origin in {typing.Union, types.UnionType} and len(present) == 1:
        return _kind(present[0])[0], True
    if origin is Annotated and args[0] is Any:
        return _NUMBER_OR_WORD, False
    if origin is Annotated:
        kind, nullable = _kind(args[0])
        return _sized(kind, args[1:]), nullable
    if origin is Literal and all(isinstance(arg, str) for arg in args):
        return _KINDS[str], False
    if hint in _KINDS:
        return _KINDS[hint], False
    container = origin or hint
    if isinstance(container, type) and issubclass(container, dict | list | tuple | msgspec.Struct):
        return _NESTED, False
    raise TypeError(f"{hint} cannot be written exactly in every form")


def _sized(kind: Kind, notes: tuple[object, ...]) -> Kind:
    """Return the kind with the declared number of digits if it is a decimal; any other kind unchanged."""
    for note in notes:
        if isinstance(note, msgspec.Meta) and note.extra and "precision" in note.extra:
            return replace(kind, arrow=("decimal256", note.extra["precision"], note.extra["scale"]))
    return kind


def as_csv(endpoint: Endpoint, answer: Answer) -> bytes:
    """Return the rows as RFC 4180, with a header row; null is empty, the empty text is `""`."""
    table = columns(endpoint.row)
    cells = [
        _cells(column.kind, values) for column, values in zip(table, column_values(answer), strict=False)
    ]
    head = ",".join(column.name for column in table)
    return "\r\n".join([head, *map(",".join, zip(*cells, strict=True)), ""]).encode()


def column_values(answer: Answer) -> Iterable[tuple[Any, ...]]:
    """Return the values of each column; nothing if there are no rows."""
    return zip(*map(msgspec.structs.astuple, answer.rows), strict=True)


def _cells(kind: Kind, values: Sequence[Any]) -> list[str]:
    """Return the texts of a column. Most columns repeat a few values."""
    if not kind.is_repeated:
        return [_cell(kind, value) for value in values]
    written = {value: _cell(kind, value) for value in set(values)}
    return [written[value] for value in values]


def _cell(kind: Kind, value: object) -> str:
    if value in ABSENT:
        return ""
    text = kind.text(value)
    if isinstance(value, str) and text.startswith(_LIKE_A_FORMULA):
        text = f"'{text}"
    if text and not _NEEDS_QUOTES.search(text):
        return text
    return '"' + text.replace('"', '""') + '"'


def as_ndjson(_endpoint: Endpoint, answer: Answer) -> bytes:
    """Return the rows one per line, each as it is in the envelope."""
    return _ENCODER.encode_lines(answer.rows)


def as_arrow(endpoint: Endpoint, answer: Answer) -> bytes:
    """Return the rows as one Arrow stream."""
    stream: bytes = importlib.import_module(_ARROW_MODULE).stream(endpoint, answer)
    return stream


FORMATS: dict[str, Format] = {
    JSON: Format(JSON, envelope.as_json),
    CSV: Format(f"{CSV}; charset=utf-8; header=present", as_csv),
    NDJSON: Format(NDJSON, as_ndjson),
    ARROW: Format(ARROW, as_arrow, _ARROW_MODULE),
}
