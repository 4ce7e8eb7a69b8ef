"""A deadline for a store's reply that excludes the time in which this process itself did not run.

A timer that fires late shows that the process did not run: the machine was busy, or the process was stopped.
The reply may have arrived meanwhile. Without a second check, the pause would look like a silent store.
"""

from __future__ import annotations

import asyncio
from types import TracebackType

_LATE = 0.02  # seconds by which a timer may fire late on a machine that keeps up
_SECOND_LOOK = 0.05  # seconds in which a reply that has arrived is read
_LOOKS = 10  # a process that is always late gives up after this many


class Patience:
    """Raises `TimeoutError` in its block after `seconds` in which this process could run."""

    def __init__(self, seconds: float) -> None:
        self._loop = asyncio.get_running_loop()
        self._due = self._loop.time() + seconds
        self._looks = _LOOKS
        self._limit = asyncio.timeout(None)

    async def __aenter__(self) -> None:
        await self._limit.__aenter__()
        self._timer = self._loop.call_at(self._due, self._end)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        await self._limit.__aexit__(kind, error, trace)

    def _end(self) -> None:
        """End the block, or check again shortly if the timer was late."""
        now = self._loop.time()
        if self._looks and now - self._due > _LATE:
            self._looks -= 1
            self._due = now + _SECOND_LOOK
            self._timer = self._loop.call_at(self._due, self._end)
        else:
            self._limit.reschedule(now)
