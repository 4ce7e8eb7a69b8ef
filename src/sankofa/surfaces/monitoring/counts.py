"""The counts of one worker, and the snapshots in which workers pass them to the server process.

A request adds to numbers in memory. Once a second they are written to a file of the worker, so that a
request does not write to a file or to shared memory. `python -m bench.monitoring` measures the cost.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Callable
from pathlib import Path

import msgspec

from sankofa.surfaces.monitoring.declared import BUCKETS
from sankofa.web.telemetry import Handled

NO_TIER = "none"
# The metric, the values of its labels, and the number.
Gauge = tuple[str, tuple[str, ...], float]


class Cell(msgspec.Struct):
    """Requests that agree in all labels: how many by bucket of latency, and their seconds together."""

    endpoint: str
    tier: str
    status: int
    cache: str | None
    degraded: bool
    seconds: float = 0.0
    buckets: list[int] = msgspec.field(default_factory=lambda: [0] * (len(BUCKETS) + 1))

    @property
    def key(self) -> tuple[object, ...]:
        """What the requests agree in."""
        return (self.endpoint, self.tier, self.status, self.cache, self.degraded)

    def add(self, other: Cell) -> None:
        """Add the requests of another cell with the same key."""
        self.seconds += other.seconds
        self.buckets = [one + two for one, two in zip(self.buckets, other.buckets, strict=True)]


class Snapshot(msgspec.Struct):
    """The counts of one worker since it started, and the state that it is in."""

    cells: list[Cell]
    log_dropped: int = 0
    gauges: list[Gauge] = []


class Counts:
    """Counts the requests of this process."""

    def __init__(self) -> None:
        self._cells: dict[tuple[object, ...], Cell] = {}

    def observe(self, handled: Handled) -> None:
        """Count one request. All labels are declared names, so the number of cells is bounded."""
        tier = handled.tier or NO_TIER
        key = (handled.endpoint, tier, handled.status, handled.cache, handled.degraded)
        cell = self._cells.get(key)
        if cell is None:
            cell = self._cells[key] = Cell(
                handled.endpoint, tier, handled.status, handled.cache, handled.degraded
            )
        seconds = handled.ms / 1_000
        cell.seconds += seconds
        cell.buckets[bisect_left(BUCKETS, seconds)] += 1

    @property
    def cells(self) -> list[Cell]:
        """The cells so far."""
        return list(self._cells.values())


class SnapshotFile:
    """The file in which this worker writes its snapshots, named by its process id."""

    def __init__(self, folder: Path, take: Callable[[], Snapshot]) -> None:
        self._file = folder / f"{os.getpid()}.json"
        self._take = take

    def write(self) -> None:
        """Replace the file by a new snapshot, in one step, because the server process reads at any time."""
        unfinished = self._file.with_suffix(".new")
        unfinished.write_bytes(msgspec.json.encode(self._take()))
        unfinished.replace(self._file)
