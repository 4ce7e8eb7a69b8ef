"""Claims: rows of somebody's table, read from whatever holds it, each saying what was known on which day."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

import msgspec

_YEAR = re.compile(r"(?:FY ?)?([12][0-9]{3})")


class Columns(msgspec.Struct, frozen=True, kw_only=True):
    """What the columns of a table are called; a table need not have the last two."""

    service_id: str = "service_id"
    line_item: str = "line_item"
    period: str = "period"
    value: str = "value"
    known_on: str = "known_on"
    period_type: str = "period_type"
    unit: str = "unit"


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """One row: the figure that somebody says they knew on a day. A period: its last day, or a fiscal year."""

    row: int
    service_id: str
    line_item: str
    period: dt.date | int
    value: Decimal | float | None
    known_on: dt.date
    period_type: str | None = None
    unit: str | None = None


_NEEDED = ("service_id", "line_item", "period", "value", "known_on")


def claims(table: object, names: Columns) -> Iterator[Claim]:
    """Yield the claims of a table of Polars, pandas or Arrow, a mapping of columns or a list of mappings."""
    held = _columns(table)
    missing = [getattr(names, each) for each in _NEEDED if getattr(names, each) not in held]
    if missing:
        raise ValueError(
            f"the table has no column {', '.join(missing)}; say with `columns` what it is called"
        )
    taken = {each: held[name] for each in names.__struct_fields__ if (name := getattr(names, each)) in held}
    for row, cells in enumerate(zip(*taken.values(), strict=True)):
        yield _claim(row, dict(zip(taken, cells, strict=True)))


def _columns(table: object) -> Mapping[str, Sequence[Any]]:
    read: Any = table
    if hasattr(read, "collect"):  # a lazy frame
        read = read.collect()
    if hasattr(read, "to_pydict"):  # Arrow
        columns: Mapping[str, Sequence[Any]] = read.to_pydict()
    elif hasattr(read, "get_columns"):  # Polars
        columns = read.to_dict(as_series=False)
    elif hasattr(read, "iloc"):  # pandas
        columns = {str(name): read[name].tolist() for name in read.columns}
    elif isinstance(read, Mapping):
        columns = read
    else:
        rows = list(read)
        columns = {
            name: [row.get(name) for row in rows]
            for name in dict.fromkeys(key for row in rows for key in row)
        }
    return columns


def _claim(row: int, cells: dict[str, Any]) -> Claim:
    known = {name: None if _is_missing(value) else value for name, value in cells.items()}
    empty = [name for name in _NEEDED if name != "value" and known[name] is None]
    if empty:
        raise ValueError(f"row {row} has no {', '.join(empty)}")
    try:
        return Claim(
            row=row,
            service_id=str(known["service_id"]),
            line_item=str(known["line_item"]),
            period=_period(known["period"]),
            value=_figure(known["value"]),
            known_on=_day(known["known_on"]),
            period_type=known.get("period_type"),
            unit=known.get("unit"),
        )
    except (ValueError, TypeError, ArithmeticError) as error:
        raise ValueError(f"row {row} cannot be read: {error}") from None


def _is_missing(value: object) -> bool:
    return value is None or bool(value != value)  # noqa: PLR0124  # NaN and NaT are not what they are


def _day(value: object) -> dt.date:
    if isinstance(value, dt.datetime):
        return value.date()
    return value if isinstance(value, dt.date) else dt.date.fromisoformat(str(value)[:10])


def _period(value: object) -> dt.date | int:
    year = _YEAR.fullmatch(f"{value:g}" if isinstance(value, float) else str(value))
    return int(year[1]) if year else _day(value)


def _figure(value: object) -> Decimal | float | None:
    """Return a figure; a binary float stays one, so that it is held against the float nearest to ours."""
    if value is None:
        return None
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError("expected a finite number")
        return float(value)
    return Decimal(str(value))
