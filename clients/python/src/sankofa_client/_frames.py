"""Answers as tables: Arrow as the service streams it, Polars and pandas made from that."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pandas import DataFrame as PandasFrame  # type: ignore[import-untyped]  # it ships no types
    from polars import DataFrame as PolarsFrame
    from pyarrow import Table as ArrowTable  # type: ignore[import-untyped]  # it ships no types
else:  # none of them needs to be there
    ArrowTable = PolarsFrame = PandasFrame = Any

__all__ = ["ARROW", "ArrowTable", "PandasFrame", "PolarsFrame"]

ARROW = "application/vnd.apache.arrow.stream"
_PLACES = (12, 18, 24)  # decimal places that are tried before a column's own
_DIGITS = 38  # of the decimals that Polars and most engines have
_OF_PAGES = {b"count", b"truncated", b"next_cursor"}


def library(name: str) -> Any:
    """Return an optional package, or say how to get it."""
    try:
        return importlib.import_module(name)
    except ImportError:
        extra = "arrow" if name.startswith("pyarrow") else name
        raise ImportError(f"{name} is needed for this: pip install 'sankofa-client[{extra}]'") from None


def arrow(content: bytes) -> ArrowTable:
    """Return one page."""
    return library("pyarrow.ipc").open_stream(content).read_all()


def next_cursor(page: ArrowTable) -> str | None:
    """Return how to go on after a page; None if it is the last."""
    cursor = (page.schema.metadata or {}).get(b"next_cursor")
    return cursor.decode() if cursor else None


def joined(pages: Sequence[ArrowTable], most: int | None) -> ArrowTable:
    """Return pages as one table, with what the first envelope says of all of them."""
    about = {name: text for name, text in (pages[0].schema.metadata or {}).items() if name not in _OF_PAGES}
    bare = [page.replace_schema_metadata(None) for page in pages]
    whole = library("pyarrow").concat_tables(bare).replace_schema_metadata(about)
    return whole if most is None else whole.slice(0, most)


def polars(table: ArrowTable) -> PolarsFrame:
    """Return a table for Polars, which has decimals of 38 digits."""
    frame: PolarsFrame = library("polars").DataFrame(narrowed(table))
    return frame  # its type is told above


def pandas(table: ArrowTable, *, exact: bool = False) -> PandasFrame:
    """Return a table for pandas: NumPy's numbers and dates, or with `exact` Arrow's own types."""
    pd_ = library("pandas")
    if exact:
        return table.to_pandas(types_mapper=pd_.ArrowDtype)
    pa_ = library("pyarrow")
    with_gaps = {
        pa_.int32(): pd_.Int32Dtype(),
        pa_.int64(): pd_.Int64Dtype(),
        pa_.bool_(): pd_.BooleanDtype(),
    }
    frame = {}
    for name, column in zip(table.column_names, table.columns, strict=True):
        plain = _plain(column)
        gaps = with_gaps if column.null_count else {}
        frame[name] = plain.to_pandas(types_mapper=gaps.get)
    return pd_.DataFrame(frame)


def _plain(column: Any) -> Any:
    """Return decimals as the floats nearest to them, and dates as moments, which pandas counts with."""
    pa_ = library("pyarrow")
    if pa_.types.is_decimal(column.type):
        # A direct cast can miss the nearest float.
        return column.cast(pa_.string()).cast(pa_.float64())
    return column.cast(pa_.timestamp("us")) if pa_.types.is_date(column.type) else column


def narrowed(table: ArrowTable) -> ArrowTable:
    """Return the table with decimals of at most 38 digits, each column with as many places as it needs."""
    pa_ = library("pyarrow")
    for place, field in enumerate(table.schema):
        if pa_.types.is_decimal256(field.type):
            column = _narrowed(table.column(place), field.name)
            table = table.set_column(place, field.with_type(column.type), column)
    return table


def _narrowed(column: Any, name: str) -> Any:
    pa_ = library("pyarrow")
    precision, scale = column.type.precision, column.type.scale
    for places in (*(each for each in _PLACES if each < scale), scale):
        try:
            # Arrow refuses a cast that would lose a digit, before the point or after it.
            return column.cast(pa_.decimal256(precision, places)).cast(pa_.decimal128(_DIGITS, places))
        except pa_.ArrowInvalid:
            continue
    raise OverflowError(f"{name} has values of more than {_DIGITS} digits; to_arrow() holds them exactly")
