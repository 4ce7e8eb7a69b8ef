"""Kenya's inflation, as the website of its central bank exports it: two percentages for each month.

They are changes of the consumer price index, not the index, and have keys of their own. An export has
only the requested months, so it is never whole, and does not state when a month was released.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import BinaryIO

from sankofa.ingest.bytes.bounds import Limits, Rejections
from sankofa.ingest.bytes.packed import content
from sankofa.ingest.bytes.table import read_export
from sankofa.ingest.series.builder import LIMITS, SeriesBuilder, first_seen, snapshots
from sankofa.ingest.series.cbk_rates import CLOCK
from sankofa.macro import periods, series
from sankofa.macro.model import SeriesHead, Snapshot
from sankofa.macro.series import CpiKind

_COLUMNS: dict[str, CpiKind] = {"Annual Average Inflation": "CPI_12M_AVG", "12-Month Inflation": "CPI_YOY"}
_MISSING = ("", "-", "N/A")


def parse(
    document: BinaryIO | bytes, rejections: Rejections, limits: Limits = LIMITS, *, fetched_at: datetime
) -> Iterator[Snapshot]:
    """Yield the two series. Rejections count rows or single values."""
    table = read_export(content(document, limits), ("Year", "Month", *_COLUMNS), limits)
    year, month = table.place("Year"), table.place("Month")
    builders = {
        table.place(name): SeriesBuilder(_head(name, kind), rejections) for name, kind in _COLUMNS.items()
    }
    for row in table.rows:
        period = periods.month(row[year], row[month]) if row else None
        if period is None:
            rejections.add("bad_date" if row else "bad_row", row)
            continue
        for place, found in builders.items():
            found.take(period, row[place], limits, _MISSING)
    yield from snapshots(builders.values(), first_seen(fetched_at, CLOCK))


def _head(name: str, kind: CpiKind) -> SeriesHead:
    return SeriesHead(
        key=series.cpi("KEN", kind),
        series_type="cpi",
        frequency="M",
        country_iso3="KEN",
        unit="percent",
        indicator_name=name,
    )
