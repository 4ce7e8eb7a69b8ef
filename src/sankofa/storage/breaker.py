"""A circuit breaker: stop calling a store that does not answer, and probe until it does."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable


class Breaker:
    """Opens after several consecutive failures within a short time. While open, it admits one probe a second.

    A success resets the count: a store that answers most calls is not down.
    """

    def __init__(
        self,
        *,
        failures: int = 5,
        within: float = 2.0,
        pause: float = 1.0,
        successes: int = 2,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._within = within
        self._pause = pause
        self._successes = successes
        self._clock = clock
        self._failed: deque[float] = deque(maxlen=failures)
        self._answered = 0
        self._next_probe = 0.0
        self.is_closed = True

    def admits(self) -> bool:
        """Return whether a call may be made now. An open breaker admits the probe that is due."""
        if self.is_closed:
            return True
        now = self._clock()
        if now < self._next_probe:
            return False
        self._next_probe = now + self._pause
        return True

    def succeeded(self) -> None:
        """Record a reply. After a first good probe the next may follow immediately."""
        self._failed.clear()
        if not self.is_closed:
            self._answered += 1
            self._next_probe = self._clock()
            self.is_closed = self._answered >= self._successes

    def failed(self) -> None:
        """Record a call without a reply."""
        now = self._clock()
        self._failed.append(now)
        if not self.is_closed:
            self._answered = 0
            self._next_probe = now + self._pause
        elif len(self._failed) == self._failed.maxlen and now - self._failed[0] <= self._within:
            self.is_closed = False
            self._answered = 0
            self._next_probe = now + self._pause
