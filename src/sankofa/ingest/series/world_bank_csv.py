"""The World Bank's tables: one line for a series and a column for a year, or one line for a value.

The wide table is the Bank's own download, plain or in its zip archive, after a preamble of any length; it
names its indicator and the day it was updated. The long one is published by others and names neither, so the
source declares them. Both are whole: each download replaces the previous one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import BinaryIO, NamedTuple

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import Limits, Rejections
from sankofa.ingest.bytes.packed import files
from sankofa.ingest.bytes.table import Table, read_export
from sankofa.ingest.series import world_bank
from sankofa.ingest.series.builder import LIMITS, SeriesBuilder
from sankofa.ingest.series.world_bank import Area, Indicator
from sankofa.macro import periods, series
from sankofa.macro.model import Frequency, Period, Release, Snapshot

_CODES = ("Country Code", "Indicator Code")
_NAMES = ("Country Name", "Indicator Name", *_CODES)
_MISSING = ("", "..")


def parse(
    document: BinaryIO | bytes,
    rejections: Rejections,
    limits: Limits = LIMITS,
    *,
    fetched_at: datetime,
    indicator: Indicator | None = None,
) -> Iterator[Snapshot]:
    """Yield the series of a table; `indicator` is that of a long table, and unused for a wide one.

    Rejections count unreadable lines, and values otherwise.
    """
    tables = files(
        document, rejections, limits, endings=(".csv",), holds="table of values", ignored="Metadata_"
    )
    for data in tables:
        table = read_export(data, ("Country Code",), limits)
        if "Indicator Code" in table.header:
            yield from _wide(data, rejections, limits, fetched_at)
        elif indicator is None:
            raise UnreadableDocument("missing_column", "Indicator Code")
        else:
            release = world_bank.release(None, fetched_at)
            yield from _long(table, indicator, release, rejections, limits)


class _Line(NamedTuple):
    """One series of a wide table."""

    indicator: Indicator
    area: Area
    values: list[str]


def _wide(data: bytes, rejections: Rejections, limits: Limits, fetched_at: datetime) -> Iterator[Snapshot]:
    """Yield the series of a wide table, each as soon as its last line is read.

    The full download has too many values to hold at once. So a first pass counts the lines of each
    series, and only those with several are held.
    """
    table = read_export(data, _CODES, limits)
    release = world_bank.release(_last_updated(table), fetched_at)
    frequency, columns = _columns(table)
    left: Counter[tuple[str, str]] = Counter()
    unread = 0
    for line in _lines(table):
        if isinstance(line, str):
            unread += 1
        else:
            left[line.indicator.code, line.area.code] += 1
    areas = Counter(indicator for indicator, _ in left)
    held: dict[tuple[str, str], SeriesBuilder] = {}
    for line in _lines(read_export(data, _CODES, limits)):
        if isinstance(line, str):
            rejections.add(line, "a line of the table")
            continue
        codes = (line.indicator.code, line.area.code)
        builder = held.setdefault(
            codes, SeriesBuilder(world_bank.head(line.indicator, line.area, frequency), rejections)
        )
        for period, text in zip(columns, line.values, strict=True):
            builder.take(period, text, limits, _MISSING)
        left[codes] -= 1
        if not left[codes]:
            # A download of one country has the same format, and says nothing about the others.
            is_covered = not unread and areas[line.indicator.code] > 1
            covers = series.world_bank_areas(line.indicator.code) if is_covered else None
            snapshot = held.pop(codes).snapshot(release, is_whole=True, covers=covers)
            if snapshot:
                yield snapshot


def _last_updated(table: Table) -> str | None:
    dates = [row[1] for row in table.preamble if len(row) > 1 and row[0] == "Last Updated Date"]
    return dates[0] if dates else None


def _columns(table: Table) -> tuple[Frequency, list[Period]]:
    """Return the period of each column of values, all of one frequency."""
    named = [name for name in table.header if name not in _NAMES]
    written = [found for name in named if (found := periods.written(name))]
    frequencies = {found.frequency for found in written}
    if len(written) < len(named) or len(frequencies) != 1:
        raise UnreadableDocument("unexpected_column", ", ".join(named)[:80])
    return frequencies.pop(), [found.period for found in written]


def _lines(table: Table) -> Iterator[_Line | str]:
    """Yield the lines of a wide table, or the reason why one is rejected."""
    country, code = table.place("Country Code"), table.place("Indicator Code")
    name = table.place("Indicator Name")
    values = [place for place, column in enumerate(table.header) if column not in _NAMES]
    for row in table.rows:
        if not row:
            yield "bad_row"
        elif not (area := world_bank.area(row[country])):
            yield "bad_country"
        elif not series.is_indicator(row[code]):
            yield "bad_indicator"
        else:
            yield _Line(Indicator(row[code], row[name]), area, [row[place] for place in values])


def _long(
    table: Table, indicator: Indicator, release: Release, rejections: Rejections, limits: Limits
) -> Iterator[Snapshot]:
    country, year = table.place("Country Code"), table.place("Year")
    name = table.place("Country Name", "Country")
    others = set(range(len(table.header))) - {country, year, name}
    if len(others) != 1:
        raise UnreadableDocument("unexpected_column", ", ".join(table.header)[:80])
    value = others.pop()
    found: dict[str, SeriesBuilder] = {}
    torn = unnamed = 0  # lines of an unknown series; lines of an unknown area
    for row in table.rows:
        area = world_bank.area(row[country]) if row else None
        if area is None:
            torn, unnamed = torn + (not row), unnamed + 1
            rejections.add("bad_country" if row else "bad_row", " ".join(row))
            continue
        written = periods.written(row[year])
        builder = found.get(area.code)
        if builder is None:
            builder = found[area.code] = SeriesBuilder(world_bank.head(indicator, area, "A"), rejections)
        if written is None or written.frequency != "A":
            builder.reject("bad_date", row[year])
        else:
            builder.take(written.period, row[value], limits, _MISSING)
    covers = None if unnamed else series.world_bank_areas(indicator.code)
    for builder in found.values():
        snapshot = builder.snapshot(release, is_whole=not torn, covers=covers)
        if snapshot:
            yield snapshot
