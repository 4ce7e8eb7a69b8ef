"""The World Bank's archive of World Development Indicators: a page of one indicator in one earlier edition.

An edition is named by its month, so it counts from the last day of that month. An answer with all its values
on one page is whole. A month without an edition is answered by an error in XML, also where JSON is requested.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import Any, BinaryIO, NamedTuple

from msgspec import UNSET, Struct

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import Limits, Rejections
from sankofa.ingest.bytes.packed import content
from sankofa.ingest.bytes.strict_json import strict_json
from sankofa.ingest.series import world_bank
from sankofa.ingest.series.builder import LIMITS, SeriesBuilder, named_month
from sankofa.ingest.series.world_bank import Indicator
from sankofa.macro import periods, series
from sankofa.macro.model import Period, SeriesHead, Snapshot

_ARCHIVE = "57"  # the archive's number among the sources of the API
_CONCEPTS = frozenset({"Country", "Series", "Time", "Version"})
_EDITION = re.compile(r"([0-9]{4})([0-9]{2})")
_YEAR = re.compile(r"YR([0-9]{4})")
_ERROR = re.compile(rb'<wb:message id="([0-9]{1,4})" key="([^"<>]{1,80})"')
_NOT_FOUND = b"160"


class _Variable(Struct, gc=False):
    concept: str
    id: str
    value: Any = UNSET


class _Row(Struct, gc=False):
    variable: list[_Variable]
    value: Any


class _Archive(Struct, gc=False):
    id: str
    data: list[_Row]
    name: Any = UNSET


class _Page(Struct, gc=False):
    source: _Archive
    page: int
    pages: int
    total: int
    per_page: Any = UNSET
    lastupdated: Any = UNSET


class _Value(NamedTuple):
    head: SeriesHead
    edition: Period
    period: Period
    value: Decimal | None


def parse(
    document: BinaryIO | bytes, rejections: Rejections, limits: Limits = LIMITS, *, fetched_at: datetime
) -> Iterator[Snapshot]:
    """Yield the series of a page, which is of one indicator in one edition."""
    data = content(document, limits)
    if data.lstrip().startswith(b"<"):
        _require_not_found(data, rejections)
        return
    page = strict_json(data, _Page, limits)
    if page.source.id != _ARCHIVE:
        raise UnreadableDocument("unexpected_shape", f"source {page.source.id:.20}")
    builders: dict[str, SeriesBuilder] = {}
    editions: set[Period] = set()
    is_whole = page.pages == 1 and page.total == len(page.source.data)
    for row in page.source.data:
        found = _value(row, limits)
        if isinstance(found, str):
            rejections.add(found, f"{[one.id for one in row.variable]} {row.value}")
            is_whole = False  # the gap is ours, and of an unknown series
            continue
        editions.add(found.edition)
        builder = builders.setdefault(found.head.key, SeriesBuilder(found.head, rejections))
        builder.add(found.period, found.value)
    if len(editions) > 1 or len({one.head.indicator for one in builders.values()}) > 1:
        raise UnreadableDocument("unexpected_shape", "several editions or indicators on one page")
    for edition in editions:
        release = named_month(edition, fetched_at, world_bank.CLOCK)
        for builder in builders.values():
            areas = series.world_bank_areas(str(builder.head.indicator))
            covers = areas if is_whole and len(builders) > 1 else None
            if snapshot := builder.snapshot(release, is_whole=is_whole, covers=covers):
                yield snapshot


def _require_not_found(data: bytes, rejections: Rejections) -> None:
    """Count a month without an edition. Raise for any other error, and for a page that is none."""
    error = _ERROR.search(data)
    if error is None:
        raise UnreadableDocument("unexpected_shape", "neither a page nor an error")
    message = b" ".join(error.groups()).decode("utf-8", "replace")
    if error[1] != _NOT_FOUND:
        raise UnreadableDocument("world_bank_error", message)
    rejections.add("no_edition", message)


def _value(row: _Row, limits: Limits) -> _Value | str:
    """Return the value of a row, or the reason why it is rejected."""
    given = {one.concept: one for one in row.variable}
    if given.keys() != _CONCEPTS or len(row.variable) != len(_CONCEPTS):
        return "bad_concepts"
    edition, year = _EDITION.fullmatch(given["Version"].id), _YEAR.fullmatch(given["Time"].id)
    month = periods.written(f"{edition[1]}M{edition[2]}") if edition else None
    written = periods.written(year[1]) if year else None
    area, code = world_bank.area(given["Country"].id), given["Series"].id
    if month is None or written is None:
        return "bad_date"
    if area is None or not series.is_indicator(code):
        return "bad_indicator" if area else "bad_country"
    value = world_bank.number(row.value, limits)
    if isinstance(value, str):
        return value
    name = given["Series"].value
    head = world_bank.head(Indicator(code, name if isinstance(name, str) else None), area, "A")
    return _Value(head, month.period, written.period, value)
