"""Count the releases of a part from day to day: a vintage for each day on which anything of it changes."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from typing import NamedTuple, TypeVar

T = TypeVar("T")


class Counted(NamedTuple):
    """Releases that count from the same day until the same day; the newest of them is cited."""

    known_from: date
    known_until: date | None  # None while they count
    releases: int
    first_at: datetime
    last_at: datetime
    place: str  # of the newest among those of its date; the first one is cited
    provenance_id: str
    location: str


class Vintage(NamedTuple):
    """A part as it was known from one day until another."""

    available_at: date
    known_until: date | None
    first_release: date
    last_release: date
    releases: int
    provenance_id: str
    location: str


def vintages(counted: Sequence[Counted]) -> Iterator[Vintage]:
    """Yield the vintages of a part, oldest first. Days on which no release counts have none."""
    known: list[Vintage] = []
    for vintage in _by_day(counted):
        if known and vintage[2:] == known[-1][2:] and vintage.available_at == known[-1].known_until:
            known[-1] = known[-1]._replace(known_until=vintage.known_until)
            continue
        yield from known
        known = [vintage]
    yield from known


def _by_day(counted: Sequence[Counted]) -> Iterator[Vintage]:
    """Yield the part on each day on which a release begins or ends to count.

    The oldest and the newest release are on top of two heaps. Those that ended are dropped when they come to
    the top.
    """
    began = sorted(counted, key=lambda one: one.known_from)
    days = sorted({day for one in counted for day in (one.known_from, one.known_until) if day})
    oldest: list[tuple[datetime, int, Counted]] = []
    newest: list[tuple[tuple[float, str], int, Counted]] = []
    ending: list[tuple[date, int]] = []
    releases = number = 0
    for day, until in zip(days, [*days[1:], None], strict=False):
        while number < len(began) and began[number].known_from == day:
            one = began[number]
            heapq.heappush(oldest, (one.first_at, number, one))
            heapq.heappush(newest, ((-one.last_at.timestamp(), one.place), number, one))
            if one.known_until:
                heapq.heappush(ending, (one.known_until, one.releases))
            releases += one.releases
            number += 1
        while ending and ending[0][0] <= day:
            releases -= heapq.heappop(ending)[1]
        _drop_ended(oldest, day)
        _drop_ended(newest, day)
        if releases:
            first, last = oldest[0][2], newest[0][2]
            yield Vintage(
                available_at=day,
                known_until=until,
                first_release=first.first_at.astimezone(UTC).date(),
                last_release=last.last_at.astimezone(UTC).date(),
                releases=releases,
                provenance_id=last.provenance_id,
                location=last.location,
            )


def _drop_ended(heap: list[tuple[T, int, Counted]], day: date) -> None:
    while heap and heap[0][2].known_until is not None and heap[0][2].known_until <= day:
        heapq.heappop(heap)
