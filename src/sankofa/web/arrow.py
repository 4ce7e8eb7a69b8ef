"""Rows as an Arrow stream."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import msgspec
import pyarrow as pa  # type: ignore[import-untyped]  # it ships no types

from sankofa.ask.endpoint import Answer, Endpoint
from sankofa.web import envelope
from sankofa.web.formats import ABSENT, TEXT, Kind, column_values, columns, json_text


def stream(endpoint: Endpoint, answer: Answer) -> bytes:
    """Return the rows as one Arrow stream, the rest of the envelope in the schema's metadata."""
    table = columns(endpoint.row)
    schema = _schema(endpoint.row).with_metadata(_metadata(answer))
    values = list(column_values(answer)) or [()] * len(table)
    arrays = [_array(column.kind, each) for column, each in zip(table, values, strict=True)]
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, schema) as written:
        written.write_batch(pa.record_batch(arrays, schema=schema))
    return bytes(sink.getvalue())


@functools.cache
def _schema(row: type[msgspec.Struct]) -> pa.Schema:
    return pa.schema([pa.field(one.name, _type(one.kind), one.nullable) for one in columns(row)])


@functools.cache
def _type(kind: Kind) -> pa.DataType:
    name, *arguments = kind.arrow
    return getattr(pa, str(name))(*arguments)


def _array(kind: Kind, values: Sequence[Any]) -> pa.Array:
    if kind.arrow == TEXT and kind.text is not str:
        values = [None if value in ABSENT else kind.text(value) for value in values]
    elif msgspec.UNSET in values:
        values = [None if value is msgspec.UNSET else value for value in values]
    return pa.array(values, _type(kind))


def _metadata(answer: Answer) -> dict[str, str]:
    """Return the envelope without its rows: text as it is, the rest as JSON, null left out."""
    return {
        name.lstrip("_"): value if isinstance(value, str) else json_text(value)
        for name, value in msgspec.to_builtins(envelope.without_rows(answer)).items()
        if value is not None
    }
