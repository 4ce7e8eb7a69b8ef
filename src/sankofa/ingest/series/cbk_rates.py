"""Exchange rates of the Central Bank of Kenya, as its website exports them, or sends them to its pages.

Maps a name to a pair of currencies and a direction. Most names are of a currency whose price is in shillings.
The neighbours' are quoted the other way round ("KES / USHS": Uganda shillings for one Kenya shilling) and
stay so; the yen is quoted by the hundred and is divided by it.

The key indicative rates have a mean, a buying and a selling rate, the trade-weighted ones a single rate,
which followed the mean as the Bank's rate in 2024. An export has only the requested days, so it is never
whole. There is no evidence that a rate was published on its own day, so it counts from our fetch.

Pages get a table as JSON, without the names of its columns: their number tells which table it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, BinaryIO, NamedTuple
from zoneinfo import ZoneInfo

from msgspec import UNSET, Struct

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import Limits, Rejections
from sankofa.ingest.bytes.packed import content
from sankofa.ingest.bytes.strict_json import strict_json
from sankofa.ingest.bytes.table import Table, read_export
from sankofa.ingest.series.builder import LIMITS, SeriesBuilder, first_seen, is_later, snapshots
from sankofa.macro import periods, series
from sankofa.macro.model import Period, SeriesHead, Snapshot
from sankofa.macro.series import FxKind

CLOCK = ZoneInfo("Africa/Nairobi")

_COLUMNS: dict[str, FxKind] = {"Mean": "FX", "EXCHANGE RATE": "FX", "Buy": "FX_BUY", "Sell": "FX_SELL"}
_HEADERS = {3: ("Date", "Currency", "EXCHANGE RATE"), 5: ("Date", "Currency", "Mean", "Buy", "Sell")}
_MISSING = ("", "-", "N/A")
_SPACE = re.compile(r"\s*([/(])\s*|\s+")


class _Quote(NamedTuple):
    base: str
    quote: str
    hundreds: int = 0  # the base is quoted by 100 to this power


class _Page(Struct, gc=False, rename="camel"):
    """A table as the page's own program gets it: how many rows there are, and the rows."""

    records_total: int | str
    data: list[list[str]]
    draw: Any = UNSET
    records_filtered: Any = UNSET


_NAMES = {
    "AE DIRHAM": _Quote("AED", "KES"),
    "AUSTRALIAN $": _Quote("AUD", "KES"),
    "AUSTRALIAN DOLLAR": _Quote("AUD", "KES"),
    "CAN $": _Quote("CAD", "KES"),
    "CAN DOLLAR": _Quote("CAD", "KES"),
    "CHINESE YUAN": _Quote("CNY", "KES"),
    "DAN KRONER": _Quote("DKK", "KES"),
    "EURO": _Quote("EUR", "KES"),
    "HONGKONG $": _Quote("HKD", "KES"),
    "HONGKONG DOLLAR": _Quote("HKD", "KES"),
    "IND RUPEE": _Quote("INR", "KES"),
    "INDIAN RUPEE": _Quote("INR", "KES"),
    "JAPANESE YEN(100)": _Quote("JPY", "KES", hundreds=1),
    "JPY(100)": _Quote("JPY", "KES", hundreds=1),
    "KES/BIF": _Quote("KES", "BIF"),
    "KES/RWF": _Quote("KES", "RWF"),
    "KES/TSHS": _Quote("KES", "TZS"),
    "KES/USHS": _Quote("KES", "UGX"),
    "NOR KRONER": _Quote("NOK", "KES"),
    "NORWEGIAN KRONE": _Quote("NOK", "KES"),
    "S FRANC": _Quote("CHF", "KES"),
    "S. AFRICAN RAND": _Quote("ZAR", "KES"),
    "SA RAND": _Quote("ZAR", "KES"),
    "SAUDI RIYAL": _Quote("SAR", "KES"),
    "SINGAPORE $": _Quote("SGD", "KES"),
    "SINGAPORE DOLLAR": _Quote("SGD", "KES"),
    "STG POUND": _Quote("GBP", "KES"),
    "SW KRONER": _Quote("SEK", "KES"),
    "SWEDISH KRONA": _Quote("SEK", "KES"),
    "SWISS FRANC": _Quote("CHF", "KES"),
    "UAE DIRHAM": _Quote("AED", "KES"),
    "US DOLLAR": _Quote("USD", "KES"),
}


def parse(
    document: BinaryIO | bytes, rejections: Rejections, limits: Limits = LIMITS, *, fetched_at: datetime
) -> Iterator[Snapshot]:
    """Yield one series for each pair and kind of rate. Rejections count rows or single rates."""
    data = content(document, limits)
    table = _page(data, limits) if data.startswith(b"{") else read_export(data, ("Currency",), limits)
    day_place, name_place = table.place("Date"), table.place("Currency")
    kinds = [(place, _COLUMNS[name]) for place, name in enumerate(table.header) if name in _COLUMNS]
    if len(kinds) + 2 != len(table.header):
        raise UnreadableDocument("unexpected_column", ", ".join(table.header)[:80])
    builders: dict[str, SeriesBuilder] = {}
    for row in table.rows:
        day = periods.day(row[day_place]) if row else None
        quote = _NAMES.get(_SPACE.sub(_closed_up, row[name_place].upper())) if row else None
        if quote is None or day is None or is_later(day, fetched_at):
            rejections.add("bad_row" if not row else "bad_date" if quote else "unknown_currency", row)
            continue
        for place, kind in kinds:
            key = series.fx(quote.base, quote.quote, kind)
            if key not in builders:
                builders[key] = SeriesBuilder(_head(key, quote), rejections)
            shift = -2 * quote.hundreds
            builders[key].take(Period(day, day), row[place], limits, _MISSING, is_rate=True, shift=shift)
    yield from snapshots(builders.values(), first_seen(fetched_at, CLOCK))


def _page(data: bytes, limits: Limits) -> Table:
    """Return the table of a page; a row of another width becomes empty, as a torn row of an export does."""
    page = strict_json(data, _Page, limits)
    if str(page.records_total) != str(len(page.data)):
        raise UnreadableDocument("incomplete_table", f"{len(page.data)} of {page.records_total!s:.20} rows")
    header = _HEADERS.get(len(page.data[0]) if page.data else 0)
    if header is None:
        raise UnreadableDocument("unexpected_shape", f"a table that begins with {page.data[:1]!s:.80}")
    return Table(list(header), _fitting(page.data, len(header)))


def _fitting(rows: Iterable[Sequence[str]], width: int) -> Iterator[list[str]]:
    return ([cell.strip() for cell in row] if len(row) == width else [] for row in rows)


def _closed_up(space: re.Match[str]) -> str:
    """Return a name without spaces: "KES / USHS" and "KES/USHS", "JPY (100)" and "JPY(100)" are equal."""
    return space[1] or " "


def _head(key: str, quote: _Quote) -> SeriesHead:
    return SeriesHead(key=key, series_type="fx", frequency="D", country_iso3="KEN", unit=quote.quote)
