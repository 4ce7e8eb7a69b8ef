"""Leases: requests of a busy key that this process may admit for two seconds without asking the usage store.

The store counts a lease when it grants it, so a lease admits nothing beyond the limits. Only a key that is
busy in this process gets one, and only while much of its minute and month is left. Unused requests are given
back. Public keys get none.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from sankofa.access.decision import MINUTE_SECONDS, Window

LEASE_SECONDS = 2.0  # as AHEAD in limiter.lua
_BUSY = 4  # requests of a key in this process within the time of a lease
_ROWS_PART = 16  # all processes together may send this part of the rows left before they report them
_REMEMBERED = 10_000


@dataclass(slots=True, kw_only=True)
class Lease:
    """Requests that the store has counted in advance, and the windows of the request that got them."""

    names: tuple[str, ...]
    limits: tuple[int, ...]
    windows: tuple[Window, ...]
    month: str
    counted_in: int  # the second of the store's window
    began: float  # by this process's clock, before the call to the store
    left: int
    used: int = 0
    rows: int = 0  # that may be sent before they are counted; set by `Leases.begin`

    def is_over(self, now: float) -> bool:
        """Return whether the lease is used up or too old."""
        return not self.left or now - self.began >= LEASE_SECONDS

    def admits(self, limits: tuple[int, ...], rows_sent: int, now: float) -> bool:
        """Return whether the next request may use this lease: same limits, and few unreported rows."""
        return limits == self.limits and rows_sent < self.rows and not self.is_over(now)

    def standing(self, now: float, rows_sent: int) -> tuple[Window, ...]:
        """Return the windows after the last request of this lease.

        What other processes admitted since the lease began is not known here.
        """
        age = int(now - self.began)
        burst, month, rows = self.windows
        return (_moved(burst, self.used, age), _moved(month, self.used, age), _moved(rows, rows_sent, age))


@dataclass(slots=True)
class _Pace:
    """The requests of one key in this process: since `began`, and in the period before."""

    began: float
    count: int = 0
    before: int = 0


class Leases:
    """The leases of one process, and how busy each key is. Least recently used keys are dropped first."""

    def __init__(self, processes: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._processes = processes
        self._clock = clock
        self._leases: dict[str, Lease] = {}
        self._paces: OrderedDict[str, _Pace] = OrderedDict()
        self._requesting: set[str] = set()

    def wanted(self, name: str) -> int:
        """Return the size of the lease to ask the store for, 0 for none.

        Of concurrent requests only one asks, until `request_ended` is called.
        """
        pace = self._paces[name]
        busy = max(pace.count, pace.before)
        if busy < _BUSY or name in self._requesting:
            return 0
        self._requesting.add(name)
        return busy

    def request_ended(self, name: str) -> None:
        """Record that a request for a lease has ended, whatever the result."""
        self._requesting.discard(name)

    def begin(self, lease: Lease) -> None:
        """Use a lease that the store granted, and limit the rows that may be sent under it."""
        lease.rows = lease.windows[2].remaining // (_ROWS_PART * self._processes)
        self._leases[lease.names[0]] = lease

    def find(self, name: str) -> Lease | None:
        """Return the lease of a key, which may be over."""
        return self._leases.get(name)

    def end(self, lease: Lease) -> None:
        """Forget a lease."""
        if self._leases.get(lease.names[0]) is lease:
            del self._leases[lease.names[0]]

    def all(self) -> list[Lease]:
        """Return every lease."""
        return list(self._leases.values())

    def count(self, name: str) -> None:
        """Count one request of a key, to see how busy it is."""
        now = self._clock()
        pace = self._paces.get(name)
        if pace is None:
            pace = self._paces[name] = _Pace(now)
            if len(self._paces) > _REMEMBERED:
                self._paces.popitem(last=False)
        elif now - pace.began >= LEASE_SECONDS:
            pace.before = pace.count if now - pace.began < 2 * LEASE_SECONDS else 0
            pace.began, pace.count = now, 0
        pace.count += 1
        self._paces.move_to_end(name)


def _moved(window: Window, used: int, seconds: int) -> Window:
    """Return a window after some more requests or rows and some seconds."""
    remaining = max(0, window.remaining - used)
    reset = max(1, window.reset - seconds) if window.reset else MINUTE_SECONDS + 1 if used else 0
    return Window(window.policy, window.quota, window.seconds, remaining, reset)
