"""What one worker of the API records about its requests, and when it is written."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import structlog

from sankofa.access.gate import Gate
from sankofa.access.tallies import Tallies
from sankofa.storage.reading import Reader
from sankofa.surfaces.monitoring.access_log import AccessLog
from sankofa.surfaces.monitoring.counts import Counts, Gauge, Snapshot, SnapshotFile
from sankofa.surfaces.monitoring.declared import BREAKERS, POOL, SERVED, SHARED_KEYS
from sankofa.web.telemetry import Handled

_WRITE_SECONDS = 1.0
_log = structlog.get_logger()


class Monitoring:
    """The usage of keys, the metrics and the access log of one worker; the last two may be off."""

    def __init__(
        self,
        tallies: Tallies,
        folder: Path | None,
        access_log: str,
        state: Callable[[], Iterable[Gauge]] = lambda: (),
    ) -> None:
        """Record metrics if there is a folder for snapshots, and lines if there is a target for them."""
        self._tallies = tallies
        self._counts = Counts()
        self._log = AccessLog(access_log) if access_log else None
        self._state = state
        self._file = SnapshotFile(folder, self._snapshot) if folder else None

    def observe(self, handled: Handled) -> None:
        """Record one request. Usage and access log are made from the same record."""
        if handled.key and handled.charged:
            self._tallies.count(handled.key, handled.time)
        if self._file:
            self._counts.observe(handled)
        if self._log:
            self._log.observe(handled)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Write once a second what was recorded, and at the end what is left."""
        task = asyncio.create_task(self._write_forever())
        try:
            yield
        finally:
            task.cancel()
            self._write()
            if self._log:
                self._log.close()

    async def _write_forever(self) -> None:
        while True:
            self._write()
            await asyncio.sleep(_WRITE_SECONDS)

    def _write(self) -> None:
        if self._log:
            self._log.flush()
        if self._file:
            try:
                self._file.write()
            except OSError as error:
                _log.warning("metrics cannot be written", reason=error.strerror)

    def _snapshot(self) -> Snapshot:
        dropped = self._log.dropped if self._log else 0
        return Snapshot(cells=self._counts.cells, log_dropped=dropped, gauges=list(self._state()))


def store_gauges(gate: Gate, reader: Reader) -> Iterable[Gauge]:
    """Yield what this worker observes of its stores."""
    for store, is_open in gate.open_breakers().items():
        yield BREAKERS.name, (store,), float(is_open)
    yield SHARED_KEYS.name, (), gate.networks.many
    for server in reader.standings():
        yield BREAKERS.name, (f"datastore {server.name}",), float(server.is_breaker_open)
        yield POOL.name, (server.name,), server.connections
        yield SERVED.name, (server.name, "primary" if server.is_primary else "replica"), server.edition
