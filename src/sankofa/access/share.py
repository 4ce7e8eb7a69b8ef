"""One process's share of every limit, used while the usage store does not answer.

Each process admits at most its part of a limit, so all of them together stay within it. The sliding minute is
the same as in the store and also counts the requests that the store admitted, so losing the store does not
reset a minute. For the month, the last count from the store is used.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from sankofa.access.decision import BURST, CEILING, MINUTE_SECONDS, MONTH, ROWS, Violation

_BUCKETS = MINUTE_SECONDS + 1
_REMEMBERED = 10_000


class Minute:
    """A count of the current second and the 60 before it; the oldest second counts in full."""

    __slots__ = ("_counts", "_newest")

    def __init__(self) -> None:
        self._counts = [0] * _BUCKETS
        self._newest = 0

    def used(self, now: int) -> int:
        """Return the count at this second."""
        now = max(now, self._newest)
        for second in range(max(self._newest + 1, now - _BUCKETS + 1), now + 1):
            self._counts[second % _BUCKETS] = 0
        self._newest = now
        return sum(self._counts)

    def add(self, now: int, amount: int = 1) -> None:
        """Count one request, or some rows."""
        self.used(now)
        self._counts[self._newest % _BUCKETS] += amount

    def seconds_until(self, limit: int) -> int:
        """Return the seconds until the count falls below `limit`."""
        left = sum(self._counts)
        for second in range(self._newest - _BUCKETS + 1, self._newest + 1):
            left -= self._counts[second % _BUCKETS]
            if left < limit:
                return second + _BUCKETS - self._newest
        return _BUCKETS  # a share of zero never recovers


class Month:
    """One calendar month of a counter: the store's last count and the requests admitted here since."""

    __slots__ = ("name", "own", "seen")

    def __init__(self, name: str, seen: int = 0) -> None:
        self.name = name
        self.seen = seen
        self.own = 0


class Share:
    """Counters by name, least recently used dropped first."""

    def __init__(self, processes: int, clock: Callable[[], float] = time.time) -> None:
        self._processes = processes
        self._clock = clock
        self._minutes: OrderedDict[str, Minute] = OrderedDict()
        self._months: OrderedDict[str, Month] = OrderedDict()

    def note(self, names: tuple[str, ...], month: str, month_used: int) -> None:
        """Count a request that the store admitted."""
        now = int(self._clock())
        self._months[names[1]] = Month(month, month_used)
        _trim(self._months)
        for name in (names[0], *names[3:]):
            self._minute(name).add(now)

    def sent(self, name: str, rows: int) -> None:
        """Count rows that were sent."""
        self._minute(name).add(int(self._clock()), rows)

    def take(self, names: tuple[str, ...], limits: tuple[int, ...]) -> Violation | None:
        """Decide about one request without the store, and count it if it is admitted."""
        now = int(self._clock())
        moment = datetime.fromtimestamp(now, UTC)
        month = self._month(names[1], moment)
        if month.own >= (limits[1] - month.seen) // self._processes:
            return Violation(MONTH, limits[1], _seconds_to_next_month(moment))
        policies = ((0, BURST), (2, ROWS), (3, CEILING))
        minutes = [(policy, names[at], limits[at]) for at, policy in policies if at < len(names)]
        for policy, name, limit in minutes:
            minute, part = self._minute(name), limit // self._processes
            if minute.used(now) >= part:
                return Violation(policy, limit, minute.seconds_until(part))
        for policy, name, _ in minutes:
            self._minute(name).add(now, policy != ROWS)
        month.own += 1
        return None

    def give_back(self, name: str) -> None:
        """Subtract one request from a month that was counted here."""
        month = self._months.get(name)
        if month and month.own:
            month.own -= 1

    def _minute(self, name: str) -> Minute:
        minute = self._minutes.setdefault(name, Minute())
        _trim(self._minutes, name)
        return minute

    def _month(self, name: str, moment: datetime) -> Month:
        current = f"{moment:%Y-%m}"
        month = self._months.get(name)
        if month is None or month.name != current:
            month = self._months[name] = Month(current)
        _trim(self._months, name)
        return month


def _trim(counters: OrderedDict[str, Minute] | OrderedDict[str, Month], used: str | None = None) -> None:
    if used is not None:
        counters.move_to_end(used)
    if len(counters) > _REMEMBERED:
        counters.popitem(last=False)


def _seconds_to_next_month(moment: datetime) -> int:
    first = moment.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    following = (first + timedelta(days=32)).replace(day=1)
    return max(1, int((following - moment).total_seconds()))
