"""The metrics of the API, which its server process sums over the workers for each scrape."""

from __future__ import annotations

import os
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector

from sankofa.surfaces.monitoring import declared
from sankofa.surfaces.monitoring.counts import NO_TIER, Cell, Snapshot
from sankofa.surfaces.monitoring.declared import BUCKETS, Kind, Metric

Family = CounterMetricFamily | GaugeMetricFamily | HistogramMetricFamily
_BOUNDS = (*(str(bound) for bound in BUCKETS), "+Inf")
_OUTCOMES = {401: "unauthorised", 429: "limited"}
_GAUGES = (declared.BREAKERS, declared.POOL, declared.SERVED, declared.SHARED_KEYS)
_HIGHEST = (declared.SERVED.name, declared.SHARED_KEYS.name)


class ApiMetrics(Collector):
    """Reads the snapshots of all workers. Counts of workers that have ended are kept."""

    def __init__(self, starts: Callable[[], int]) -> None:
        """Sum over the workers of this process; `starts` returns how many were ever started."""
        self._starts = starts
        self._lock = threading.Lock()
        self._place = TemporaryDirectory(prefix="sankofa-metrics-")
        self._ended = Snapshot(cells=[])

    @property
    def folder(self) -> Path:
        """Where the workers write their snapshots."""
        return Path(self._place.name)

    def close(self) -> None:
        """Remove the folder."""
        self._place.cleanup()

    def collect(self) -> Iterator[Family]:
        """Yield all metrics of the API."""
        with self._lock:  # two scrapes at the same time would add an ended worker twice
            running = self._running()
            total = _sum((self._ended, *running))
        yield from _requests(total.cells)
        yield _number(declared.LOG_DROPPED, total.log_dropped)
        yield _number(declared.WORKERS, len(running))
        yield _number(declared.WORKER_STARTS, self._starts())
        yield from _gauges(running)

    def _running(self) -> list[Snapshot]:
        """Return the snapshots of running workers; add those of others to the ended ones."""
        running: list[Snapshot] = []
        for file in sorted(self.folder.glob("*.json")):
            is_running = _is_child(int(file.stem))  # before the file is read: it writes no more afterwards
            snapshot = msgspec.json.decode(file.read_bytes(), type=Snapshot)
            if is_running:
                running.append(snapshot)
            else:
                self._ended = _sum((self._ended, snapshot))
                file.unlink()
        return running


def _is_child(process: int) -> bool:
    """Return whether a process is a running child of this one; its number may be another process's now."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return False
    state, parent = stat.rpartition(")")[2].split()[:2]
    return state != "Z" and int(parent) == os.getpid()


def _sum(snapshots: Iterable[Snapshot]) -> Snapshot:
    cells: dict[tuple[object, ...], Cell] = {}
    dropped = 0
    for snapshot in snapshots:
        dropped += snapshot.log_dropped
        for cell in snapshot.cells:
            if cell.key in cells:
                cells[cell.key].add(cell)
            else:
                cells[cell.key] = msgspec.structs.replace(cell)
    return Snapshot(cells=list(cells.values()), log_dropped=dropped)


def _requests(cells: Iterable[Cell]) -> Iterator[Family]:
    """Yield the metrics that are counted by request."""
    requests: Counter[tuple[str, ...]] = Counter()
    cache: Counter[tuple[str, ...]] = Counter()
    admissions: Counter[tuple[str, ...]] = Counter()
    latency: dict[str, Cell] = {}
    for cell in cells:
        count = sum(cell.buckets)
        requests[cell.endpoint, cell.tier, f"{cell.status // 100}xx"] += count
        if cell.cache:
            cache[(cell.cache,)] += count
        if outcome := _outcome(cell):
            admissions[(outcome,)] += count
        latency.setdefault(cell.endpoint, Cell(cell.endpoint, "", 0, None, False)).add(cell)
    yield _counted(declared.REQUESTS, requests)
    yield _counted(declared.CACHE, cache)
    yield _counted(declared.ADMISSIONS, admissions)
    yield _histogram(latency)


def _outcome(cell: Cell) -> str | None:
    """Return what the gate decided about requests, or None if they did not reach it."""
    if cell.status in _OUTCOMES:
        return _OUTCOMES[cell.status]
    if cell.tier == NO_TIER:
        return None
    return "degraded" if cell.degraded else "admitted"


def _counted(metric: Metric, counts: Counter[tuple[str, ...]]) -> CounterMetricFamily:
    family = CounterMetricFamily(metric.name, metric.help, labels=metric.labels)
    for labels, count in sorted(counts.items()):
        family.add_metric(labels, count)
    return family


def _histogram(latency: dict[str, Cell]) -> HistogramMetricFamily:
    metric = declared.SECONDS
    family = HistogramMetricFamily(metric.name, metric.help, labels=metric.labels)
    for endpoint, cell in sorted(latency.items()):
        buckets = list(zip(_BOUNDS, map(float, accumulate(cell.buckets)), strict=True))
        family.add_metric([endpoint], buckets, cell.seconds)
    return family


def _number(metric: Metric, value: float) -> Family:
    if metric.kind is Kind.COUNTER:
        return CounterMetricFamily(metric.name, metric.help, value=value)
    return GaugeMetricFamily(metric.name, metric.help, value=value)


def _gauges(running: Iterable[Snapshot]) -> Iterator[Family]:
    """Yield the state of the workers: sums, or the highest number where each worker knows the whole."""
    values: dict[str, dict[tuple[str, ...], float]] = defaultdict(dict)
    for snapshot in running:
        for name, labels, value in snapshot.gauges:
            before = values[name].get(labels, 0.0)
            values[name][labels] = max(before, value) if name in _HIGHEST else before + value
    for metric in _GAUGES:
        family = GaugeMetricFamily(metric.name, metric.help, labels=metric.labels)
        for labels, value in sorted(values[metric.name].items()):
            family.add_metric(labels, value)
        yield family
