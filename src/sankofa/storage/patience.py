"""A deadline for a store's reply that excludes the time in which this process itself did not run.

A timer that fires late shows that the process did not run: the machine was busy, or the process was stopped.
Replies may wait unread meanwhile, and a new connection needs the process several times. Without this rule, a
busy machine would look like a silent store. So a deadline is a row of short timers; late ones do not count.
"""

from __future__ import annotations

import asyncio
from types import TracebackType

_STEP = 0.025  # seconds between looks at the clock
_LATE = 0.02  # seconds by which a timer may fire late on a machine that keeps up
_LONGEST = 4  # times the deadline, after which also a process that is always late gives up


class Patience:
    """Raises `TimeoutError` in its block after `seconds` in which this process could run."""

    def __init__(self, seconds: float) -> None:
        self._loop = asyncio.get_running_loop()
        self._left = seconds
        self._latest = self._loop.time() + _LONGEST * seconds
        self._limit = asyncio.timeout(None)

    async def __aenter__(self) -> None:
        await self._limit.__aenter__()
        self._wait()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        await self._limit.__aexit__(kind, error, trace)

    def _wait(self) -> None:
        """Wait for one more step, or for what is left of the deadline."""
        self._step = min(_STEP, self._left)
        self._due = self._loop.time() + self._step
        self._timer = self._loop.call_at(self._due, self._look)

    def _look(self) -> None:
        """End the block if enough steps were on time, else go on."""
        now = self._loop.time()
        if now - self._due <= _LATE:
            self._left -= self._step
        if self._left > 0 and now < self._latest:
            self._wait()
        else:
            self._limit.reschedule(now)
