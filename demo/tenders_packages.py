"""How releases come to documents: a portal's package of a month has what it published in that month.

A package is fetched on the second day of the next month. Releases that are stated anew under an old id stand
again in the packages of later months.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple

from demo.documents import DEFLATE_LEVEL
from demo.tenders_portals import Portal
from demo.tenders_processes import MONTHS, Process, opened_in, place_of
from demo.tenders_showcase import TOLD

# No process lasts longer.
LONGEST_MONTHS = 6

Json = dict[str, Any]


class Notice(NamedTuple):
    """A release, and the day from which it stands on the portal."""

    day: date
    release: Json


Notices = Callable[[Process], list[Notice]]


def published(seed: int, portal: Portal, place: int, notices: Notices) -> Iterator[list[Notice]]:
    """Yield, of each process that had news in a month, all its notices so far."""
    return grown(seed, portal, MONTHS[place], next_month(MONTHS[place]), notices)


def grown(seed: int, portal: Portal, first: date, end: date, notices: Notices) -> Iterator[list[Notice]]:
    """Yield, of each process that had news from a day to the one before `end`, all its notices so far."""
    place = place_of(end - timedelta(days=1))
    drawn = (opened_in(seed, portal, back) for back in range(max(0, place - LONGEST_MONTHS), place + 1))
    told = [process for process in TOLD if process.portal is portal]
    for process in (*told, *(process for month in drawn for process in month)):
        so_far = [notice for notice in notices(process) if notice.day < end]
        if any(notice.day >= first for notice in so_far):
            yield so_far


def news(seed: int, portal: Portal, place: int, notices: Notices) -> list[Json]:
    """Return the releases that a portal published in a month."""
    return [
        notice.release
        for so_far in published(seed, portal, place, notices)
        for notice in so_far
        if notice.day >= MONTHS[place]
    ]


def fetched_at(month: date) -> datetime:
    """Return when the package of a month was fetched."""
    after = next_month(month)
    return datetime(after.year, after.month, 2, 4, tzinfo=UTC)


def next_month(month: date, months: int = 1) -> date:
    """Return the first day of a later month."""
    number = month.year * 12 + month.month - 1 + months
    return date(number // 12, number % 12 + 1, 1)


def restated_on(opened: date, turn: int) -> date:
    """Return the day on which a release is stated anew, the `turn`-th time, from 1."""
    return next_month(opened, turn).replace(day=15)


def package(portal: Portal, month: date, **held: list[Json]) -> bytes:
    """Return a package of the releases or of the records of a month."""
    return _package(portal, f"{month:%Y-%m}", next_month(month), held)


def package_of_day(portal: Portal, day: date, **held: list[Json]) -> bytes:
    """Return a package of the releases or of the records of a day."""
    return _package(portal, f"{day}", day, held)


def _package(portal: Portal, name: str, published: date, held: dict[str, list[Json]]) -> bytes:
    return as_json(
        {
            "uri": f"https://tenders.example/{portal.country.lower()}/{name}",
            "version": "1.1",
            "publishedDate": f"{published}T02:00:00Z",
            "publisher": {"name": "The demo world"},
            **held,
        }
    )


def as_json(value: object) -> bytes:
    """Return JSON on one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def as_lines(records: Iterable[Json]) -> bytes:
    """Return JSON lines, packed by gzip without the clock."""
    return gzip.compress(b"".join(as_json(record) + b"\n" for record in records), DEFLATE_LEVEL, mtime=0)
