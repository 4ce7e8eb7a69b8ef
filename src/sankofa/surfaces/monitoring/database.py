"""The metrics of the database's state, read on each scrape by logins that `sankofa work` already has.

A login of its own would read less, but every installation would have one more secret to make and rotate.
Nothing is counted in the processes that fetch and publish, so no count is lost when one of them is killed.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, cast

import structlog
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from sankofa.core.errors import ServiceError
from sankofa.drift.holds import waiting
from sankofa.feeds.states import feeds, workers_alive
from sankofa.ingest.source import Source
from sankofa.storage.postgres import Connection, connect, within
from sankofa.storage.queries import named
from sankofa.surfaces.monitoring import declared
from sankofa.surfaces.monitoring.declared import Metric, Part

_SQL = named(__package__, "database.sql")
_SCRAPE_SECONDS = 8.0  # less than the 10 s after which Prometheus gives up
_ALWAYS_EXPORTED = ("todo", "doing", "failed")
_log = structlog.get_logger()
# The metric, the values of its labels, and the number.
Sample = tuple[Metric, tuple[str, ...], float]


class DatabaseMetrics(Collector):
    """Metrics of one part, read under one login."""

    part: Part

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn

    @abstractmethod
    def read(self, connection: Connection) -> Iterator[Sample]:
        """Yield all samples of the part."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the metrics of the part; if the database does not answer, only that it does not."""
        try:
            with connect(self._dsn) as connection, within(connection, _SCRAPE_SECONDS):
                samples = list(self.read(connection))
        except ServiceError as error:
            _log.warning("metrics could not be read", part=self.part, reason=str(error))
            samples = []
        families: dict[str, GaugeMetricFamily] = {}
        for metric, labels, value in (*samples, (declared.READ, (self.part,), float(bool(samples)))):
            family = families.setdefault(
                metric.name, GaugeMetricFamily(metric.name, metric.help, labels=metric.labels)
            )
            family.add_metric(labels, value)
        yield from families.values()


class EditionMetrics(DatabaseMetrics):
    """Publishing, holds, takedowns, and the age of the usage of keys; needs the publish login."""

    part = Part.EDITIONS

    def read(self, connection: Connection) -> Iterator[Sample]:
        """Yield all samples of the part."""
        edition = connection.execute(_SQL["edition"]).fetchone()
        if edition:
            yield from _edition(cast("tuple[int, float, float | None, Any]", edition))
        row = connection.execute(_SQL["publishing"]).fetchone()
        building_seconds, pending, takedowns = cast("tuple[float, int, int]", row)
        yield declared.BUILDING_SECONDS, (), building_seconds
        yield declared.PENDING, (), pending
        yield declared.TAKEDOWNS, (), takedowns
        yield declared.HELD, (), waiting(connection)
        settled = connection.execute(_SQL["usage_settled"]).fetchone()
        if settled:
            yield declared.USAGE_SETTLED_AT, (), cast("float", settled[0])


class FeedMetrics(DatabaseMetrics):
    """Feeds and the queue; needs the ingest login."""

    part = Part.FEEDS

    def __init__(self, dsn: str, sources: Callable[[], Mapping[str, Source]]) -> None:
        super().__init__(dsn)
        self._sources = sources

    def read(self, connection: Connection) -> Iterator[Sample]:
        """Yield all samples of the part."""
        now = datetime.now(UTC)
        for feed in feeds(connection, self._sources().values()):
            name = feed.source.name
            yield declared.FEED_STATE, (name, feed.state(now)), 1
            if feed.good_at:
                yield declared.FEED_GOOD_AT, (name,), feed.good_at.timestamp()
            if feed.stale_at:
                yield declared.FEED_STALE_AT, (name,), feed.stale_at.timestamp()
        jobs = dict(cast("list[tuple[str, int]]", connection.execute(_SQL["jobs"]).fetchall()))
        for status in sorted({*jobs, *_ALWAYS_EXPORTED}):
            yield declared.JOBS, (status,), jobs.get(status, 0)
        yield declared.FETCHERS, (), workers_alive(connection)


def _edition(row: tuple[int, float, float | None, Any]) -> Iterator[Sample]:
    number, published_at, build_seconds, changes = row
    yield declared.EDITION, (), number
    yield declared.PUBLISHED_AT, (), published_at
    if build_seconds is not None:
        yield declared.BUILD_SECONDS, (), build_seconds
    for dataset, change in sorted(changes.items()):
        for act in ("put", "removed"):
            yield declared.ROWS, (dataset, act), sum(change[act].values())
