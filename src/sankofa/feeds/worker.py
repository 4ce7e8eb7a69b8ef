"""The worker: takes due sources from the queue and runs them. Any number of workers can run.

The queue is procrastinate's. A job names a source and nothing else; what it does is safe to repeat, because
the queue cannot distinguish a slow worker from a dead one.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import structlog
from procrastinate import App, BaseRetryStrategy, PsycopgConnector, RetryDecision
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException, UniqueViolation
from procrastinate.jobs import DeleteJobCondition, Job, Status

from sankofa.core.errors import Refused, ServiceError
from sankofa.feeds.running import Ended, Means, UnderWay, give_up, run
from sankofa.feeds.states import due, note, workers_alive
from sankofa.ingest.source import Source
from sankofa.ingest.sources import named
from sankofa.storage.postgres import connect
from sankofa.storage.queries import named as named_statements
from sankofa.storage.queue import queue_dsn

_log = structlog.get_logger()
_SQL = named_statements(__package__)
_LOOK = "* * * * * *"  # every second
_HEARTBEAT_SECONDS = 2.0
_STALLED_SECONDS = 6.0  # without a heartbeat, the worker of a job is considered dead
_POLL_SECONDS = 1.0
_ATTEMPTS = 3
_LONGEST_WAIT = timedelta(minutes=15)
_MOST_STALLED = 20  # times that a job may lose its worker, since the job itself may kill workers
_FIRST = 100  # priority of the scheduling job


@dataclass(frozen=True, slots=True, kw_only=True)
class Feeding:
    """The settings of a worker; sources are loaded each time, because their files can change."""

    dsn: str
    means: Means
    sources: Callable[[], Mapping[str, Source]]


def work(feeding: Feeding, jobs: int) -> None:
    """Work until stopped, on a number of sources at a time.

    A worker that was suspended for a while is no longer registered in the queue: it restarts under a new
    number. So does one that lost the database.
    """
    with connect(feeding.dsn) as connection:
        workers_alive(connection)  # a wrong login or a missing schema is no reason to restart
    while True:
        try:
            queue(feeding).run_worker(
                concurrency=jobs + 1,  # scheduling must not wait for a fetch
                fetch_job_polling_interval=_POLL_SECONDS,
                update_heartbeat_interval=_HEARTBEAT_SECONDS,
                stalled_worker_timeout=_STALLED_SECONDS,
                delete_jobs=DeleteJobCondition.SUCCESSFUL,
            )
        except ConnectorException as lost:
            _log.warning("the queue was lost; the worker begins again", reason=type(lost.__cause__).__name__)
            time.sleep(_POLL_SECONDS)
        else:
            return


def queue(feeding: Feeding) -> App:
    """Return the queue with its two kinds of jobs: schedule due sources, and fetch a source."""
    connector = PsycopgConnector(conninfo=queue_dsn(feeding.dsn), min_size=1, max_size=4)
    app = App(connector=connector)

    @app.periodic(cron=_LOOK)
    @app.task(name="look", queue="look", queueing_lock="look", priority=_FIRST)
    async def look(timestamp: int) -> None:  # noqa: ARG001 - as the queue calls it
        """Queue the due sources, and requeue jobs that lost their worker."""
        await _recover(app)
        for name in await asyncio.to_thread(_due, feeding):
            with suppress(AlreadyEnqueued):
                await fetch.configure(lock=name, queueing_lock=name).defer_async(source=name)

    @app.task(name="fetch", queue="fetch", pass_context=True, retry=_Within(feeding))
    def fetch(context: object, source: str) -> None:
        attempts: int = context.job.attempts  # type: ignore[attr-defined]  # a JobContext
        _fetch(feeding, source, is_last=attempts + 1 >= _ATTEMPTS)

    return app


class _Within(BaseRetryStrategy):
    """Retries within the time until the source is due again, with random delays to spread sources."""

    def __init__(self, feeding: Feeding) -> None:
        self._feeding = feeding

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:  # noqa: ARG002
        """Return when to retry; None if no attempt is left."""
        if job.attempts + 1 >= _ATTEMPTS:
            return None
        source = self._feeding.sources().get(str(job.task_kwargs["source"]))
        wait = min(_interval(source) / 8 * 2**job.attempts, _LONGEST_WAIT)
        return RetryDecision(retry_in={"seconds": wait.total_seconds() * random.uniform(0.5, 1)})  # noqa: S311


def _interval(source: Source | None) -> timedelta:
    if source is None or source.due is None:
        return _LONGEST_WAIT
    following = source.due.after(datetime.now(UTC))
    return source.due.after(following) - following


async def _recover(app: App) -> None:
    """Put the jobs of dead workers back into the queue."""
    for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=_STALLED_SECONDS):
        _log.warning("a worker was lost", job=job.id, task=job.task_name, attempts=job.attempts)
        with suppress(ConnectorException):  # another worker was faster
            try:
                if job.attempts < _MOST_STALLED:
                    await app.job_manager.retry_job(job)
                else:
                    await app.job_manager.finish_job(job, Status.FAILED, delete_job=False)
            except UniqueViolation:  # the same job is queued already
                await app.job_manager.finish_job(job, Status.FAILED, delete_job=True)


def _due(feeding: Feeding) -> list[str]:
    with connect(feeding.dsn) as connection:
        found = [feed.source.name for feed in due(note(connection, feeding.sources().values()))]
        queued = {name for (name,) in connection.execute(_SQL["queued"])}
    return [name for name in found if name not in queued]


def _fetch(feeding: Feeding, name: str, *, is_last: bool) -> None:
    source = named(name, feeding.sources())
    with connect(feeding.dsn) as connection:
        try:
            _log_end(source, run(connection, feeding.means, source))
        except UnderWay:
            raise  # another process ends it
        except Exception as failed:
            reason = str(failed) if isinstance(failed, ServiceError) else type(failed).__name__
            _log.warning("a fetch failed", source=name, reason=reason, is_last=is_last)
            if is_last and not connection.broken and (ended := give_up(connection, source, reason)):
                _log_end(source, ended)
            raise Refused(reason) from failed  # the job stores no more of it


def _log_end(source: Source, ended: Ended) -> None:
    log = _log.info if ended.outcome == "good" else _log.error
    brought = ended.brought
    log(
        f"a run was {ended.outcome}",
        source=source.name,
        run=ended.run,
        documents=brought.documents,
        new=brought.new_documents,
        rows=brought.rows,
        reasons=list(ended.reasons),
    )
