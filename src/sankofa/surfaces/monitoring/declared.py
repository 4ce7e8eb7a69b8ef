"""All metrics, declared once. The exporters, the docs page and the dashboard are made from this list."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

# Upper bounds of the latency histogram, in seconds.
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class Kind(StrEnum):
    """The types of metrics that Prometheus has."""

    COUNTER = "counter"
    GAUGE = "gauge"
    HISTOGRAM = "histogram"


class Part(StrEnum):
    """The process that exports a metric."""

    API = "api"  # `sankofa serve`
    FEEDS = "feeds"  # a `sankofa work` with the ingest login
    EDITIONS = "editions"  # `sankofa publish --watch`, or a `sankofa work` with the publish login
    EVERY = "every"  # both of the last two


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One metric: its name without suffix, its labels, and the query of its panel on the dashboard."""

    name: str
    kind: Kind
    part: Part
    help: str
    labels: tuple[str, ...] = ()
    panel: str
    unit: str = "short"  # of the panel, as Grafana names units

    @property
    def samples(self) -> frozenset[str]:
        """The names under which Prometheus stores its samples."""
        suffixes = {Kind.COUNTER: ("_total",), Kind.HISTOGRAM: ("_bucket", "_sum", "_count")}
        return frozenset(self.name + suffix for suffix in suffixes.get(self.kind, ("",)))


def _counter(name: str, part: Part, text: str, labels: Iterable[str], panel: str) -> Metric:
    return Metric(name=name, kind=Kind.COUNTER, part=part, help=text, labels=tuple(labels), panel=panel)


def _gauge(
    name: str, part: Part, text: str, labels: Iterable[str] = (), *, panel: str = "", unit: str = "short"
) -> Metric:
    return Metric(
        name=name, kind=Kind.GAUGE, part=part, help=text, labels=tuple(labels), panel=panel or name, unit=unit
    )


REQUESTS = _counter(
    "sankofa_requests",
    Part.API,
    "Handled requests by declared endpoint, tier (none: no caller was admitted) and class of status.",
    ("endpoint", "tier", "status"),
    "sum by (status) (rate(sankofa_requests_total[5m]))",
)
SECONDS = Metric(
    name="sankofa_request_seconds",
    kind=Kind.HISTOGRAM,
    part=Part.API,
    help="Seconds from the head of a request to the last byte of its response, by endpoint.",
    labels=("endpoint",),
    panel="histogram_quantile(0.99, sum by (le) (rate(sankofa_request_seconds_bucket[5m])))",
    unit="s",
)
CACHE = _counter(
    "sankofa_cache",
    Part.API,
    "Answers by cache outcome: hit, miss, not_modified (304), edge (sent from there).",
    ("outcome",),
    "sum by (outcome) (rate(sankofa_cache_total[5m]))",
)
ADMISSIONS = _counter(
    "sankofa_admissions",
    Part.API,
    "Requests with a key or for open endpoints: admitted, degraded (admitted without the usage store), "
    "limited (429), unauthorised (401).",
    ("outcome",),
    "sum by (outcome) (rate(sankofa_admissions_total[5m]))",
)
BREAKERS = _gauge(
    "sankofa_breaker_open",
    Part.API,
    "Processes that have stopped calling a store because it does not answer.",
    ("store",),
)
POOL = _gauge(
    "sankofa_pool_connections", Part.API, "Open connections to PostgreSQL, all processes.", ("server",)
)
SERVED = _gauge(
    "sankofa_edition_served",
    Part.API,
    "The newest edition that a PostgreSQL server has reported to the API.",
    ("server", "role"),
)
WORKERS = _gauge("sankofa_workers", Part.API, "Running worker processes of the API.")
WORKER_STARTS = _counter(
    "sankofa_worker_starts",
    Part.API,
    "Worker processes that were started: at the start, after a crash, on SIGHUP.",
    (),
    "increase(sankofa_worker_starts_total[1h])",
)
SHARED_KEYS = _gauge(
    "sankofa_keys_in_many_networks",
    Part.API,
    "Keys that at least SANKOFA_MANY_NETWORKS networks have used today (UTC).",
)
LOG_DROPPED = _counter(
    "sankofa_access_log_dropped",
    Part.API,
    "Lines of the access log that were dropped because its reader was too slow.",
    (),
    "rate(sankofa_access_log_dropped_total[5m])",
)

EDITION = _gauge("sankofa_edition_current", Part.EDITIONS, "The number of the current edition.")
PUBLISHED_AT = _gauge(
    "sankofa_edition_published_timestamp_seconds",
    Part.EDITIONS,
    "When the current edition was published (Unix time).",
    panel="time() - sankofa_edition_published_timestamp_seconds",
    unit="s",
)
BUILD_SECONDS = _gauge(
    "sankofa_edition_build_seconds",
    Part.EDITIONS,
    "How long the build of the current edition took.",
    unit="s",
)
BUILDING_SECONDS = _gauge(
    "sankofa_edition_building_seconds",
    Part.EDITIONS,
    "How long the build that is under way, or was interrupted, has taken; 0 if there is none.",
    unit="s",
)
ROWS = _gauge(
    "sankofa_edition_rows",
    Part.EDITIONS,
    "Rows that the current edition added and removed.",
    ("dataset", "act"),
)
PENDING = _gauge(
    "sankofa_pending", Part.EDITIONS, "Arrivals (documents, decisions) that no edition holds yet."
)
HELD = _gauge("sankofa_held", Part.EDITIONS, "Holds that wait for the decision of a reviewer.")
TAKEDOWNS = _gauge("sankofa_takedowns", Part.EDITIONS, "Takedowns so far.")
USAGE_SETTLED_AT = _gauge(
    "sankofa_usage_settled_timestamp_seconds",
    Part.EDITIONS,
    "When PostgreSQL last had all counts of requests that API processes had reported (Unix time).",
    panel="time() - sankofa_usage_settled_timestamp_seconds",
    unit="s",
)

FEED_STATE = _gauge(
    "sankofa_feed_state",
    Part.FEEDS,
    "1 for the state that a fetched source is in: good, late, held, failed, running, paused, new.",
    ("source", "state"),
    panel="count by (state) (sankofa_feed_state)",
)
FEED_GOOD_AT = _gauge(
    "sankofa_feed_good_timestamp_seconds",
    Part.FEEDS,
    "When the last good run of a source began (Unix time).",
    ("source",),
    panel="time() - sankofa_feed_good_timestamp_seconds",
    unit="s",
)
FEED_STALE_AT = _gauge(
    "sankofa_feed_stale_timestamp_seconds",
    Part.FEEDS,
    "When a source becomes stale, or became so (Unix time).",
    ("source",),
    panel="sankofa_feed_stale_timestamp_seconds - time()",
    unit="s",
)
JOBS = _gauge("sankofa_queue_jobs", Part.FEEDS, "Jobs of the queue by status.", ("status",))
FETCHERS = _gauge(
    "sankofa_fetch_workers", Part.FEEDS, "Fetching workers with a heartbeat in the last minute."
)
READ = _gauge(
    "sankofa_database_read",
    Part.EVERY,
    "1 if the database answered this scrape. With 0, the other metrics of the part are missing.",
    ("part",),
)

METRICS = (
    *(REQUESTS, SECONDS, CACHE, ADMISSIONS, BREAKERS, POOL, SERVED),
    *(WORKERS, WORKER_STARTS, SHARED_KEYS, LOG_DROPPED),
    *(
        EDITION,
        PUBLISHED_AT,
        BUILD_SECONDS,
        BUILDING_SECONDS,
        ROWS,
        PENDING,
        HELD,
        TAKEDOWNS,
        USAGE_SETTLED_AT,
    ),
    *(FEED_STATE, FEED_GOOD_AT, FEED_STALE_AT, JOBS, FETCHERS, READ),
)
