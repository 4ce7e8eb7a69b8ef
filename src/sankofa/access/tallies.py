"""The tallies of one API process, reported to the usage store once a second until PostgreSQL has them.

A report has absolute counts and is repeated until the store confirms that PostgreSQL has them (`settling.py`
copies them). So nothing is counted twice, and a usage store that loses its contents loses no count.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path

import structlog

from sankofa.access.tally import Tally
from sankofa.core.background import in_background
from sankofa.core.errors import StoreUnavailable
from sankofa.storage.redis import Store, Word

UNSETTLED = "usage:unsettled"  # the names of tallies with counts that PostgreSQL lacks
# Beside the counts of a tally: no request will be added to it.
COMPLETE = "complete"
_REPORT = resources.files(__package__).joinpath("report.lua").read_text(encoding="utf-8")
_REPORT_SECONDS = 1.0
_BATCH = 500
_log = structlog.get_logger()


def store_keys(tally: str) -> tuple[str, str, str]:
    """Return the Redis keys of a tally: the names, its unsettled counts, its settled counts."""
    return UNSETTLED, f"{UNSETTLED}:{tally}", f"usage:settled:{tally}"


class Tallies:
    """Counts charged requests by key and UTC day."""

    def __init__(self, store: Store, folder: Path | None) -> None:
        self._store = store
        self._folder = folder
        self._current: Tally | None = None
        self._finished: list[Tally] = []  # of earlier days, and of processes that have ended

    def count(self, key_id: str, moment: datetime) -> None:
        """Count one request of a key."""
        tally = self._current
        if tally is None or tally.day != moment.date():
            self._finish()
            tally = self._current = Tally.begin(moment.date(), self._folder)
        tally.add(key_id)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Report once a second, and at the end all that is left.

        A file whose counts PostgreSQL lacks then is taken over by the next process.
        """
        try:
            async with in_background(self._report_forever()):
                yield
        finally:
            self._finish()
            await self.report()
            for tally in self._finished:
                tally.close()
            await self._store.close()

    async def report(self) -> None:
        """Report all counts that PostgreSQL may lack, also of processes that have ended."""
        if self._folder:
            self._finished += Tally.left_behind(self._folder)
        if self._current and self._current.day < datetime.now(UTC).date():
            self._finish()
        try:
            if self._current:
                await self._send(self._current, sorted(self._current.unsettled))
            for tally in [*self._finished]:
                if await self._complete(tally):
                    self._finished.remove(tally)
                    tally.remove()
        except StoreUnavailable:
            pass  # the next report has the same counts, or larger ones

    def _finish(self) -> None:
        if self._current:
            self._finished.append(self._current)
            self._current = None

    async def _complete(self, tally: Tally) -> bool:
        """Report a tally to which nothing is added, and return whether PostgreSQL has all of it.

        That it is complete comes with its last counts, so it is never settled before them.
        """
        keys = sorted(tally.unsettled)
        last = len(keys) - len(keys) % _BATCH
        await self._send(tally, keys[:last])
        is_settled = await self._send(tally, keys[last:], (COMPLETE, 1))
        return is_settled and not tally.unsettled

    async def _send(self, tally: Tally, keys: Sequence[str], more: tuple[Word, ...] = ()) -> bool:
        """Report counts in batches; return whether the entry `more`, if there is one, is settled."""
        settled: list[int] = []
        for start in range(0, len(keys) or len(more), _BATCH):
            batch = keys[start : start + _BATCH]
            entries = [word for key_id in batch for word in (key_id, tally.count(key_id))]
            names = store_keys(tally.name)
            settled = await self._store.ask("EVAL", _REPORT, len(names), *names, tally.name, *entries, *more)
            for key_id, count in zip(batch, settled, strict=False):
                tally.settle(key_id, count)
        return bool(more and settled[-1])

    async def _report_forever(self) -> None:
        while True:
            try:
                await self.report()
            except OSError as error:
                _log.error("tallies cannot be read", folder=str(self._folder), reason=error.strerror)
            await asyncio.sleep(_REPORT_SECONDS)
