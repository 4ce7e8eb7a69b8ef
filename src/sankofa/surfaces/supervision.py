"""What the server process and its workers share: that the service is stopping, and when each worker last ran.

Both are in shared memory, so that neither side waits for the other: a worker that was stopped or hangs cannot
answer a question.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from multiprocessing.sharedctypes import RawArray, RawValue

BEAT_SECONDS = 0.5
# A worker whose event loop did not run for so long answers nobody. It must be longer than any work that a
# busy worker does in one piece: one that is merely slow would be replaced by one that is as slow.
SILENT_SECONDS = 10.0
_START_SECONDS = 60.0


class Supervision:
    """The shared memory of one server: made before the workers are, one place for each of them."""

    def __init__(self, workers: int = 1) -> None:
        self._stopping = RawValue("b", 0)
        self._beats = RawArray("d", workers)

    @property
    def is_stopping(self) -> bool:
        """Whether the service is about to stop."""
        return bool(self._stopping.value)

    def stop(self) -> None:
        """Announce to all workers that the service is about to stop."""
        self._stopping.value = 1

    def start(self, index: int) -> None:
        """Grant a new worker the time that it needs to load the application."""
        self._beats[index] = time.monotonic() + _START_SECONDS

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
            self.start(index)  # what is left of it is closing its stores
            task.cancel()

    async def _beat(self, index: int) -> None:
        while True:
            self._beats[index] = time.monotonic()
            await asyncio.sleep(BEAT_SECONDS)
