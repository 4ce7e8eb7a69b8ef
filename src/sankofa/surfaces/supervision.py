"""Shared state of the server process and its workers: who is about to stop, and when each last ran.

It is in shared memory, so that neither side waits for the other: a stopped or hanging worker cannot answer.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from multiprocessing.sharedctypes import RawArray, RawValue

BEAT_SECONDS = 0.5
# A worker whose event loop did not run for this long is considered hung. It must be longer than the longest
# uninterrupted work of a busy worker: otherwise a slow worker would be replaced by one that is as slow.
SILENT_SECONDS = 10.0
START_SECONDS = 60.0


class Supervision:
    """The shared memory of one server: made before the workers are, one place for each of them."""

    def __init__(self, workers: int = 1) -> None:
        self._stopping = RawValue("b", 0)
        self._replaced = RawArray("q", workers)
        self._beats = RawArray("d", workers)
        self._granted = [0.0] * workers

    @property
    def is_stopping(self) -> bool:
        """Whether the service is about to stop."""
        return bool(self._stopping.value)

    @property
    def is_ending(self) -> bool:
        """Whether this process is about to stop: with the service, or because another one replaces it."""
        return self.is_stopping or self._is_replaced

    @property
    def _is_replaced(self) -> bool:
        return os.getpid() in self._replaced

    def stop(self) -> None:
        """Announce to all workers that the service is about to stop."""
        self._stopping.value = 1

    def replace(self, index: int, process: int | None) -> None:
        """Announce to a worker process that another one replaces it; None cancels that."""
        self._replaced[index] = process or 0

    def start(self, index: int) -> None:
        """Allow a new worker the time that it needs to load the application."""
        self._granted[index] = self._beats[index] = time.monotonic() + START_SECONDS

    def has_begun(self, index: int) -> bool:
        """Return whether the event loop of a worker has run since it was started."""
        return bool(self._beats[index] != self._granted[index])

    def silent(self) -> set[int]:
        """Return the workers whose event loop did not run for `SILENT_SECONDS`."""
        latest = time.monotonic() - SILENT_SECONDS
        return {index for index, beat in enumerate(self._beats) if beat < latest}

    @asynccontextmanager
    async def beating(self, index: int) -> AsyncIterator[None]:
        """Record twice a second that the event loop of a worker runs."""
        task = asyncio.create_task(self._beat(index))
        try:
            yield
        finally:
            if not self._is_replaced:
                self.start(index)  # only closing the stores is left
            task.cancel()

    async def _beat(self, index: int) -> None:
        while True:
            if not self._is_replaced:  # the slot then belongs to its successor
                self._beats[index] = time.monotonic()
            await asyncio.sleep(BEAT_SECONDS)
