"""The IMF's World Economic Outlook as its website exports it: text that is called xls.

One line is a subject in one country, with a column for each requested year. The last line names the edition.
Fields are separated by tabs, in UTF-16 without a byte order mark, or in the encoding a spreadsheet chose.

Only outturns are used. The column `Estimates Start After` has the last year that is not an estimate of the
IMF's staff. Later years are counted and left out, and so are lines without it.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import BinaryIO, NamedTuple
from zoneinfo import ZoneInfo

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import Limits, Rejections
from sankofa.ingest.bytes.packed import BOM, content
from sankofa.ingest.series import imf_weo_words as words
from sankofa.ingest.series.builder import LIMITS, SeriesBuilder, first_seen, named_month
from sankofa.macro import periods, series
from sankofa.macro.model import Period, Release, SeriesHead, Snapshot

CLOCK = ZoneInfo("America/New_York")
_UTF16_MARK = b"\xff\xfe"
_EDITION = re.compile(
    r"International Monetary Fund, World Economic Outlook Database, ([A-Z][a-z]+) ([0-9]{4})"
)
_LINE_END = re.compile(r"\r\n|\r|\n")
_YEAR = re.compile(r"[0-9]{4}")
_COMMA = re.compile(r"[+-]?[0-9]+(?:,[0-9]+)+(?:\.[0-9]+)?")
_GROUPED = re.compile(r"[+-]?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_ESTIMATES = "Estimates Start After"
_MISSING = ("n/a", "--", "")


class _Columns(NamedTuple):
    """Where the fields of a line are."""

    country: int
    descriptor: int
    units: int
    scale: int
    estimates: int
    iso: int | None
    code: int | None
    years: tuple[tuple[int, Period], ...]


def parse(
    document: BinaryIO | bytes, rejections: Rejections, limits: Limits = LIMITS, *, fetched_at: datetime
) -> Iterator[Snapshot]:
    """Yield the series of an export. Rejections count lines or single values."""
    header, *rows = _rows(content(document, limits), limits)
    columns = _columns(header)
    _refuse_decimal_commas(rows, columns)
    release = _release(rows, fetched_at)
    found: dict[str, SeriesBuilder] = {}
    for row in rows:
        head = None if _EDITION.fullmatch(row[0]) else _head(row, columns, rejections)
        if head is None:
            continue
        builder = found.get(head.key)
        if builder is None:
            builder = found[head.key] = SeriesBuilder(head, rejections)
        _take(builder, row, columns, release=release, rejections=rejections, limits=limits)
    for builder in found.values():
        # An export has only the requested years, so it is never whole.
        snapshot = builder.snapshot(release)
        if snapshot:
            yield snapshot


def _rows(data: bytes, limits: Limits) -> list[list[str]]:
    """Return the fields of every line that is not blank, without the empty ones at its end."""
    lines = _LINE_END.split(_text(data))
    separator = "\t" if "\t" in lines[0] else ";"
    rows = []
    for line in lines:
        if len(line) > limits.line_bytes:
            raise UnreadableDocument("line_too_long", f"more than {limits.line_bytes} characters")
        try:
            fields = [field.strip() for field in next(csv.reader([line], delimiter=separator), [])]
        except csv.Error as wrong:
            raise UnreadableDocument("malformed_csv", str(wrong)) from wrong
        while fields and not fields[-1]:
            fields.pop()
        if fields:
            rows.append(fields)
    return rows or [[]]


def _text(data: bytes) -> str:
    """Return the decoded text: UTF-16 if Latin letters have zero bytes, else UTF-8, else ISO-8859-1."""
    body = data.removeprefix(_UTF16_MARK)
    try:
        if len(body) < len(data) or (body[1:2] == b"\0" and body[:1] != b"\0"):
            text = body.decode("utf-16-le")
        else:
            text = data.removeprefix(BOM).decode()
    except UnicodeDecodeError as wrong:
        if wrong.encoding != "utf-8":
            raise UnreadableDocument("not_utf16", wrong.reason) from wrong
        text = data.decode("iso-8859-1")
    if "\0" in text:
        raise UnreadableDocument("nul_character")
    return text


def _columns(header: Sequence[str]) -> _Columns:
    named = Counter(header)
    needed = ("Country", "Subject Descriptor", "Units", "Scale", _ESTIMATES)
    missing = [name for name in needed if named[name] != 1]
    years = tuple(
        (place, parsed.period)
        for place, name in enumerate(header)
        if _YEAR.fullmatch(name) and (parsed := periods.written(name))
    )
    if missing or not years:
        raise UnreadableDocument("missing_column", ", ".join(missing) or "a year")
    if len(years) > len({period for _, period in years}):
        raise UnreadableDocument("duplicate_column", "a year stands there twice")
    place = list(header).index
    return _Columns(
        country=place("Country"),
        descriptor=place("Subject Descriptor"),
        units=place("Units"),
        scale=place("Scale"),
        estimates=place(_ESTIMATES),
        iso=place("ISO") if named["ISO"] == 1 else None,
        code=place("WEO Subject Code") if named["WEO Subject Code"] == 1 else None,
        years=years,
    )


def _refuse_decimal_commas(rows: Sequence[Sequence[str]], columns: _Columns) -> None:
    """Raise if a comma does not separate thousands: then others could be decimal commas too."""
    for row in rows:
        for place, _ in columns.years:
            text = row[place] if place < len(row) else ""
            if _COMMA.fullmatch(text) and not _GROUPED.fullmatch(text):
                raise UnreadableDocument("decimal_commas", text)


def _release(rows: Sequence[Sequence[str]], fetched_at: datetime) -> Release:
    """Return the day by which the edition was public: the end of its month, or our fetch if earlier."""
    named = {found.groups() for row in rows if (found := _EDITION.fullmatch(row[0]))}
    if len(named) > 1:
        raise UnreadableDocument("bad_date", "several editions")
    if not named:
        return first_seen(fetched_at, CLOCK)
    ((month, year),) = named
    edition = periods.month(year, month)
    if edition is None:
        raise UnreadableDocument("bad_date", f"{month} {year}")
    return named_month(edition, fetched_at, CLOCK)


def _head(row: Sequence[str], columns: _Columns, rejections: Rejections) -> SeriesHead | None:
    fields = [*row, *[""] * (columns.estimates + 1 - len(row))]
    iso = fields[columns.iso] if columns.iso is not None else None
    code = fields[columns.code] if columns.code is not None else None
    descriptor, units = fields[columns.descriptor], fields[columns.units]
    place = words.area(iso, fields[columns.country])
    subject = words.subject(code, descriptor, units, fields[columns.scale])
    if place is None or subject is None:
        reason = "bad_subject" if place else "bad_country"
        rejections.add(reason, f"{fields[columns.country]}: {descriptor}, {units}")
        return None
    return SeriesHead(
        key=series.outlook(subject.code, place),
        series_type="indicator",
        frequency="A",
        country_iso3=place,
        unit=subject.unit,
        indicator=subject.code,
        indicator_name=f"{descriptor} ({units})",
    )


def _take(
    builder: SeriesBuilder,
    row: Sequence[str],
    columns: _Columns,
    *,
    release: Release,
    rejections: Rejections,
    limits: Limits,
) -> None:
    """Add the outturns of a line. A year that is an estimate now has no value, even if it had one earlier."""
    written = row[columns.estimates] if columns.estimates < len(row) else ""
    last = int(written) if written.isascii() and written.isdigit() else None
    for place, period in columns.years:
        text = row[place] if place < len(row) else ""
        is_missing = text in _MISSING
        if last is None:
            if not is_missing:
                rejections.add("estimates_unmarked", f"{builder.head.key} {period.start.year}")
        elif is_missing:
            builder.add(period, None)
        elif period.start.year > last or (release.available_at and period.end > release.available_at):
            reason = "estimate" if period.start.year > last else "year_not_over"
            rejections.add(reason, f"{builder.head.key} {period.start.year}")
            builder.add(period, None)
        else:
            builder.take(period, text, limits, _MISSING)
