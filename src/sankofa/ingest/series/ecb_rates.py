"""The euro reference rates of the European Central Bank: as CSV, as CSV in a zip archive, or as XML.

The Bank publishes each rate on its own day, around 16:00 in Frankfurt, so a rate is known from that day on. A
rate that a later document states differently is known from the day we fetched that document.

Only a history that goes back to the first day of the euro is whole. The files of one day and of ninety
days say nothing about other days.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from typing import BinaryIO
from xml.parsers import expat
from zoneinfo import ZoneInfo

from sankofa.core.countries import issuer
from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import Limits, Rejections
from sankofa.ingest.bytes.packed import BOM, files
from sankofa.ingest.bytes.table import read_export
from sankofa.ingest.series.builder import LIMITS, SeriesBuilder, first_seen, is_later
from sankofa.macro import periods, series
from sankofa.macro.model import Period, SeriesHead, Snapshot

_FIRST_DAY = date(1999, 1, 4)
_CLOCK = ZoneInfo("Europe/Berlin")
_ENVELOPE = "http://www.gesmes.org/xml/2002-08-01 Envelope"
_CUBE = "http://www.ecb.int/vocabulary/2002-08-01/eurofxref Cube"
_MISSING = ("", "N/A")


def parse(
    document: BinaryIO | bytes, rejections: Rejections, limits: Limits = LIMITS, *, fetched_at: datetime
) -> Iterator[Snapshot]:
    """Yield one series for each currency. Rejections count rates, or unreadable days."""
    rates = _Rates(rejections, limits, fetched_at)
    for data in files(document, rejections, limits, endings=(".csv", ".xml"), holds="rates"):
        is_xml = data.removeprefix(BOM).lstrip().startswith(b"<")
        (_take_xml if is_xml else _take_csv)(data, rates, limits)
    yield from rates.snapshots()


def _take_csv(data: bytes, rates: _Rates, limits: Limits) -> None:
    table = read_export(data, ("Date", "USD"), limits)
    place = table.place("Date")
    for row in table.rows:
        if not row:
            rates.lose("bad_row", "a row with other columns than the header")
        for currency, rate in zip(table.header, row, strict=False):
            if currency != "Date":
                rates.take(row[place], currency, rate)


def _take_xml(data: bytes, rates: _Rates, limits: Limits) -> None:
    """Add the rates of the envelope: a cube of days, each a cube of currencies.

    A document type or an entity is rejected before it is read: no rate needs one.
    """
    path: list[str] = []  # the elements that are open, and in place of a day's cube its day

    def opened(name: str, attributes: dict[str, str]) -> None:
        if not path and name != _ENVELOPE:
            raise UnreadableDocument("unexpected_shape", name[:80])
        if len(path) >= limits.depth:
            raise UnreadableDocument("nested_too_deep", f"more than {limits.depth} levels")
        if name == _CUBE and "currency" in attributes:
            rates.take(path[-1], attributes["currency"], attributes.get("rate", ""))
        path.append(attributes.get("time", name))

    def refused(*_: object) -> None:
        raise UnreadableDocument("xml_doctype", "a document type or an entity")

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = opened
    parser.EndElementHandler = lambda _: path.pop()
    parser.StartDoctypeDeclHandler = refused
    parser.EntityDeclHandler = refused
    try:
        parser.Parse(data, True)
    except expat.ExpatError as wrong:
        raise UnreadableDocument("malformed_xml", str(wrong)) from wrong


class _Rates:
    """The rates of one document, currency by currency."""

    def __init__(self, rejections: Rejections, limits: Limits, fetched_at: datetime) -> None:
        self._rejections = rejections
        self._limits = limits
        self._fetched_at = fetched_at
        self._builders: dict[str, SeriesBuilder] = {}
        self._earliest = date.max
        self._is_damaged = False

    def take(self, written: str, currency: str, rate: str) -> None:
        """Add one rate as written."""
        day = periods.day(written)
        if not series.is_currency(currency):
            self.lose("bad_currency", f"{written} {currency}")
            return
        if day is None or is_later(day, self._fetched_at):
            self.lose("bad_date", f"{written} {currency}")
            return
        self._earliest = min(self._earliest, day)
        builder = self._builders.get(currency)
        if builder is None:
            builder = self._builders[currency] = SeriesBuilder(_head(currency), self._rejections)
        builder.take(Period(day, day), rate, self._limits, _MISSING, is_rate=True)

    def lose(self, reason: str, sample: str) -> None:
        """Count a rejection of an unknown currency or day, after which no series is whole."""
        self._rejections.add(reason, sample)
        self._is_damaged = True

    def snapshots(self) -> Iterator[Snapshot]:
        """Yield the snapshots. Raise if the document has no rate."""
        if not self._builders:
            raise UnreadableDocument("unexpected_shape", "no rates")
        is_whole = self._earliest == _FIRST_DAY and not self._is_damaged
        release = first_seen(self._fetched_at, _CLOCK)
        for builder in self._builders.values():
            snapshot = builder.snapshot(
                release,
                is_whole=is_whole,
                covers=series.fx("EUR", "") if is_whole else None,
                is_released_daily=True,
            )
            if snapshot:
                yield snapshot


def _head(currency: str) -> SeriesHead:
    """Return the series of the euro in a currency, assigned to the country of that currency."""
    country = issuer(currency)
    return SeriesHead(
        key=series.fx("EUR", currency),
        series_type="fx",
        frequency="D",
        country_iso3=country.alpha3 if country else None,
        unit=currency,
    )
