"""The World Bank's API, version 2, as JSON: one page of the values of indicators.

A page is never whole: other pages and years that were not requested are not in it. So a missing value is an
explicit null. A value filled in by the API (`gapfill`) looks like any other, so that option must not be used.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, BinaryIO

from msgspec import UNSET, Struct

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import Limits, Rejections
from sankofa.ingest.bytes.packed import content
from sankofa.ingest.bytes.strict_json import strict_json
from sankofa.ingest.series import world_bank
from sankofa.ingest.series.builder import LIMITS, SeriesBuilder, snapshots
from sankofa.ingest.series.world_bank import Indicator
from sankofa.macro import periods, series
from sankofa.macro.model import Snapshot


class _Named(Struct, gc=False):
    id: str
    value: Any = UNSET


class _Row(Struct, gc=False):
    """One value. Every known key is named, so that repeated keys are found at full speed."""

    indicator: _Named
    country: _Named
    date: str
    value: Any
    countryiso3code: Any = UNSET
    scale: Any = UNSET
    unit: Any = UNSET
    obs_status: Any = UNSET
    decimal: Any = UNSET
    footnote: Any = UNSET


class _Head(Struct, gc=False):
    """The head of a page; an error is a message in place of rows, with status 200."""

    page: Any = UNSET
    pages: Any = UNSET
    per_page: Any = UNSET
    total: Any = UNSET
    sourceid: Any = UNSET
    sourcename: Any = UNSET
    lastupdated: Any = UNSET
    message: Any = UNSET


_Body = list[_Head | list[_Row] | None]


def parse(
    document: BinaryIO | bytes, rejections: Rejections, limits: Limits = LIMITS, *, fetched_at: datetime
) -> Iterator[Snapshot]:
    """Yield the series of one page, each with the values that are on it."""
    page, rows = _page(strict_json(content(document, limits), _Body, limits))
    last_updated = None if page.lastupdated is UNSET else page.lastupdated
    release = world_bank.release(last_updated, fetched_at)
    builders: dict[str, SeriesBuilder] = {}
    for row in rows:
        problem = _take(row, builders, rejections, limits)
        if problem:
            sample = f"{row.indicator.id} {row.country.id} {row.date} {row.value}"
            rejections.add(problem, sample)
    yield from snapshots(builders.values(), release)


def _page(body: _Body) -> tuple[_Head, list[_Row]]:
    match body:
        case [_Head() as head, *_] if head.message is not UNSET:
            raise UnreadableDocument("world_bank_error", _message(head.message))
        case [_Head() as head, None]:
            return head, []
        case [_Head() as head, list() as rows]:
            return head, rows
    raise UnreadableDocument("unexpected_shape", "neither a page nor a message")


def _message(message: object) -> str:
    """Return id and key of a message: "120 Invalid value"."""
    match message:
        case [{"id": str() as number, "key": str() as key}, *_]:
            return f"{number} {key}"[:80]
    return "a message of another form"


def _take(
    row: _Row, builders: dict[str, SeriesBuilder], rejections: Rejections, limits: Limits
) -> str | None:
    area = world_bank.area(row.countryiso3code or row.country.id) if _is_text(row.countryiso3code) else None
    written = periods.written(row.date)
    if not series.is_indicator(row.indicator.id):
        return "bad_indicator"
    if area is None:
        return "bad_country"
    if written is None:
        return "bad_date"
    if row.scale not in (UNSET, None, ""):
        return "scaled_value"  # the API documents no scales, so none can be applied
    value = world_bank.number(row.value, limits)
    if isinstance(value, str):
        return value
    key = series.world_bank(row.indicator.id, area.code, written.frequency)
    if key not in builders:
        name = row.indicator.value if isinstance(row.indicator.value, str) else None
        unit = row.unit if isinstance(row.unit, str) else None
        head = world_bank.head(Indicator(row.indicator.id, name), area, written.frequency, unit)
        builders[key] = SeriesBuilder(head, rejections)
    builders[key].add(written.period, value)
    return None


def _is_text(code: object) -> bool:
    return code in (UNSET, None) or isinstance(code, str)
