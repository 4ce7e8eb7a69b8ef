"""Turns: the pacing of requests to a host, over all its callers."""

from __future__ import annotations

import threading
import time
from typing import Protocol


class Turns(Protocol):
    """Reserves times at which a host may be called.

    An implementation that several processes share makes their requests together keep the declared pause.
    """

    def take(self, host: str, pause: float) -> float:
        """Reserve the next free time at a host and return the seconds until then.

        It is at least `pause` seconds after the previous reservation.
        """

    def rest(self, host: str, seconds: float) -> None:
        """Reserve nothing at a host for the given seconds, because it sent `Retry-After`."""


class OwnTurns:
    """The turns of one process; safe for threads."""

    def __init__(self) -> None:
        self._free: dict[str, float] = {}  # by host, the next free time
        self._lock = threading.Lock()

    def take(self, host: str, pause: float) -> float:
        """Reserve the next free time."""
        with self._lock:
            now = time.monotonic()
            start = max(now, self._free.get(host, now))
            self._free[host] = start + pause
        return start - now

    def rest(self, host: str, seconds: float) -> None:
        """Reserve nothing for the given seconds."""
        with self._lock:
            self._free[host] = max(self._free.get(host, 0.0), time.monotonic() + seconds)
