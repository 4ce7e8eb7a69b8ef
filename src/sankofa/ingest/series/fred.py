"""FRED and ALFRED observations as JSON: every value with the days on which it was the one in force.

Determines the day on which a value was released. ALFRED gives each value a `realtime_start`, but never one
before the requested window: a value already in force when the window opens gets the window's first day, which
is no release day. Such a value is dated by our fetch if it was still in force then; an older one is counted
and left out, since too late a day would order it after its successor.

The documents do not name their series, so the source declares it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime
from typing import Any, BinaryIO
from zoneinfo import ZoneInfo

from msgspec import UNSET, Struct

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import Limits, Rejections
from sankofa.ingest.bytes.packed import content
from sankofa.ingest.bytes.strict_json import strict_json
from sankofa.ingest.series.builder import LIMITS, SeriesBuilder, first_seen, is_later, written_number
from sankofa.macro import periods
from sankofa.macro.model import Release, SeriesHead, Snapshot

_CLOCK = ZoneInfo("America/Chicago")
_ISO_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_VINTAGE = re.compile(r"(.+)_([0-9]{4})([0-9]{2})([0-9]{2})")
_MISSING = "."
_BY_PERIOD, _BY_VINTAGE, _NEW_BY_VINTAGE, _INITIAL = "1", "2", "3", "4"
_ALL_PERIODS = ("1600-01-01", "9999-12-31")

_Row = dict[str, Any]


class _Answer(Struct, gc=False):
    """An answer of FRED: a window and its observations, or an error."""

    realtime_start: Any = UNSET
    realtime_end: Any = UNSET
    observation_start: Any = UNSET
    observation_end: Any = UNSET
    units: Any = UNSET
    output_type: Any = UNSET
    file_type: Any = UNSET
    order_by: Any = UNSET
    sort_order: Any = UNSET
    count: Any = UNSET
    offset: Any = UNSET
    limit: Any = UNSET
    observations: Any = UNSET
    error_code: Any = UNSET
    error_message: Any = UNSET


def parse(
    document: BinaryIO | bytes,
    rejections: Rejections,
    limits: Limits = LIMITS,
    *,
    fetched_at: datetime,
    series: SeriesHead,
) -> Iterator[Snapshot]:
    """Yield the vintages of a series in the order of their days."""
    answer = _answer(document, limits)
    window = _day(answer.realtime_start)
    if not isinstance(answer.observations, list) or window is None:
        raise UnreadableDocument("unexpected_shape", "no observations, or no window")
    if answer.units != "lin":
        raise UnreadableDocument("transformed_values", f"units {answer.units!s:.40}")
    reading = _Reading(series, rejections, limits, fetched_at, window)
    output_type = str(answer.output_type)
    if output_type in (_BY_PERIOD, _INITIAL):
        for row in answer.observations:
            reading.take_dated(row)
    elif output_type in (_BY_VINTAGE, _NEW_BY_VINTAGE):
        for row in answer.observations:
            reading.take_by_vintage(row)
    else:
        raise UnreadableDocument("unexpected_shape", f"output_type {output_type:.40}")
    yield from reading.snapshots(has_all_periods=_has_all_periods(answer), output_type=output_type)


def _answer(document: BinaryIO | bytes, limits: Limits) -> _Answer:
    answer = strict_json(content(document, limits), _Answer, limits)
    if answer.error_code is not UNSET or answer.error_message is not UNSET:
        raise UnreadableDocument("fred_error", f"{answer.error_code} {answer.error_message}"[:80])
    return answer


def _has_all_periods(answer: _Answer) -> bool:
    """Return whether neither the query nor the page left out a period."""
    requested = (answer.observation_start, answer.observation_end)
    return requested == _ALL_PERIODS and answer.offset == 0 and answer.count == len(answer.observations)


def _day(text: object) -> date | None:
    return periods.day(text) if isinstance(text, str) and _ISO_DAY.fullmatch(text) else None


class _Reading:
    """The vintages of one document, found row by row."""

    def __init__(
        self,
        head: SeriesHead,
        rejections: Rejections,
        limits: Limits,
        fetched_at: datetime,
        window: date,
    ) -> None:
        self._head = head
        self._rejections = rejections
        self._limits = limits
        self._fetched_at = fetched_at
        self._window = window
        self._is_damaged = False
        self._vintages: dict[date | None, SeriesBuilder] = {}  # None: in force when we fetched it

    def take_dated(self, row: _Row) -> None:
        """Add a row with the days on which its value was in force."""
        if not isinstance(row, dict):
            raise UnreadableDocument("unexpected_shape", "an observation that is no object")
        began, ended = _day(row.get("realtime_start")), _day(row.get("realtime_end"))
        if began is None or ended is None or began > ended:
            self._rejections.add("bad_date", row)
            self._is_damaged = True
        elif began != self._window:
            self._take(began, row.get("date"), row.get("value"))
        elif ended >= self._fetched_at.astimezone(_CLOCK).date():
            self._take(None, row.get("date"), row.get("value"))
        else:
            self._rejections.add("realtime_clipped", row)

    def take_by_vintage(self, row: _Row) -> None:
        """Add a row that has a value for each vintage: {"date": …, "GDP_19940217": "21.48", …}."""
        if not isinstance(row, dict):
            raise UnreadableDocument("unexpected_shape", "an observation that is no object")
        for name, value in row.items():
            if name == "date":
                continue
            named = _VINTAGE.fullmatch(name)
            day = _day("-".join(named.groups()[1:])) if named else None
            if named is None or day is None or named[1] != self._head.indicator:
                self._rejections.add("series_mismatch", name)
            elif day == self._window:
                self._rejections.add("realtime_clipped", f"{name} {row.get('date')}")
            else:
                self._take(day, row.get("date"), value)

    def _take(self, vintage: date | None, written: object, value: object) -> None:
        builder = self._vintages.get(vintage)
        if builder is None:
            builder = self._vintages[vintage] = SeriesBuilder(self._head, self._rejections)
        first = _day(written)
        period = periods.beginning(first, self._head.frequency) if first else None
        number = written_number(value, self._limits) if isinstance(value, str) else "bad_value"
        if period is None:
            builder.reject("bad_date", f"{written} {value}")
        elif vintage and is_later(vintage, self._fetched_at):
            builder.reject("released_after_fetch", f"{vintage} {written}")
        elif value == _MISSING:
            builder.add(period, None)
        elif isinstance(number, str):
            builder.reject(number, f"{written} {value}")
        else:
            builder.add(period, number)

    def snapshots(self, *, has_all_periods: bool, output_type: str) -> Iterator[Snapshot]:
        """Yield the vintages; values in force at our fetch come last.

        Only the second form repeats unchanged values in each vintage. If all values of a document were in
        force at our fetch, the document is complete.
        """
        is_whole = has_all_periods and output_type == _BY_VINTAGE
        is_only = len(self._vintages) == 1 and not self._is_damaged
        is_all = has_all_periods and output_type == _BY_PERIOD and is_only
        for day in sorted(self._vintages, key=lambda day: day or date.max):
            release = Release(day, "publisher") if day else first_seen(self._fetched_at, _CLOCK)
            snapshot = self._vintages[day].snapshot(release, is_whole=is_whole if day else is_all)
            if snapshot:
                yield snapshot
