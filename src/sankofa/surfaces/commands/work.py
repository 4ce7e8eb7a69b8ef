"""The command that works: it fetches what is due, publishes and exports it, shares builds, and tidies up.

It also runs the follower, which copies the usage of keys to PostgreSQL, and exports metrics of the database's
state, if there is an address for them.

Each duty is a process of its own, under the login of that duty. One machine may do all of them and another
only one; of each there may be as many as one likes.
"""

from __future__ import annotations

import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from enum import StrEnum
from typing import Annotated

import typer
from rich.console import Console

from sankofa.core.errors import Refused
from sankofa.editions.work import work as join_builds
from sankofa.feeds.declared import Declared
from sankofa.feeds.worker import Feeding
from sankofa.feeds.worker import work as take_jobs
from sankofa.storage.postgres import connect
from sankofa.surfaces import logs
from sankofa.surfaces.command_settings import settings_of
from sankofa.surfaces.commands.feeds import means
from sankofa.surfaces.monitoring.database import DatabaseMetrics, EditionMetrics, FeedMetrics
from sankofa.surfaces.monitoring.exporter import exported
from sankofa.surfaces.parent import follow_parent
from sankofa.surfaces.publishing import publisher
from sankofa.surfaces.settings import Settings
from sankofa.surfaces.settings_check import PAGE, require
from sankofa.surfaces.terminal import keep_on, running

app = typer.Typer()
out = Console(soft_wrap=True)
_AGAIN_SECONDS = 1.0  # after which a duty that ended is begun again


class Duty(StrEnum):
    """What a worker can do."""

    FETCH = "fetch"
    PUBLISH = "publish"
    BUILD = "build"
    EXPORT = "export"
    TIDY = "tidy"
    FOLLOW = "follow"
    METRICS = "metrics"


_COMMANDS: Mapping[Duty, tuple[str, ...]] = {
    Duty.FETCH: ("work", "fetch"),
    Duty.PUBLISH: ("publish", "--watch"),
    Duty.BUILD: ("work", "build"),
    Duty.EXPORT: ("export", "--watch"),
    Duty.TIDY: ("tidy", "--every", "1"),
    Duty.FOLLOW: ("follow",),
    Duty.METRICS: ("work", "metrics"),
}


# The command that has the same settings as a duty.
_SETTINGS_OF: Mapping[Duty, str] = {
    Duty.FETCH: "fetch",
    Duty.PUBLISH: "publish",
    Duty.BUILD: "publish",
    Duty.EXPORT: "export",
    Duty.TIDY: "tidy",
    Duty.FOLLOW: "follow",
}


@app.command()
def work(
    duties: Annotated[
        list[Duty] | None, typer.Argument(help="Which duties. Default: all that there are logins for.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="How many sources one process fetches at a time.")] = 4,
    attached: Annotated[bool, typer.Option(hidden=True, help="End when stdin is closed.")] = False,  # noqa: FBT002  # an option
) -> None:
    """Fetch sources when they are due, publish what is good, write its files and tidy up, until ended."""
    with running("work", needs=()) as settings:
        wanted = duties or possible(settings)
        needed = {name for duty in wanted for name in _settings_of(duty, settings)}
        require(f"work {' '.join(wanted)}", settings, needed, {})
        if wanted == [Duty.BUILD]:
            _build(settings, attached=attached)
        elif wanted == [Duty.FETCH]:
            _fetch(settings, jobs)
        elif wanted == [Duty.METRICS]:
            _export_metrics(settings)
        else:
            _together(wanted, jobs)


def possible(settings: Settings) -> list[Duty]:
    """Return the duties that there are logins for."""
    found = [Duty.FETCH, Duty.TIDY] if settings.ingest_dsn else []
    found += [Duty.PUBLISH, Duty.BUILD] if settings.publish_dsn else []
    found += [Duty.EXPORT] if settings.export_dsn and settings.open_url else []
    found += [Duty.FOLLOW] if settings.follow_dsn and settings.keys_url and settings.usage_url else []
    found += [Duty.METRICS] if settings.metrics and (settings.ingest_dsn or settings.publish_dsn) else []
    if not found:
        raise Refused(
            "no login to work with: set SANKOFA_INGEST_DSN (fetch, tidy), SANKOFA_PUBLISH_DSN (publish, "
            "build), SANKOFA_EXPORT_DSN and SANKOFA_OPEN_URL (export), or SANKOFA_FOLLOW_DSN, "
            f"SANKOFA_KEYS_URL and SANKOFA_USAGE_URL (follow). See {PAGE}."
        )
    return found


def _settings_of(duty: Duty, settings: Settings) -> tuple[str, ...]:
    """Return the settings of a duty. Metrics are read under the logins of whichever duties there are."""
    if duty is not Duty.METRICS:
        return settings_of(_SETTINGS_OF[duty])
    if not settings.metrics:
        raise Refused(f"the duty metrics needs an address: set SANKOFA_METRICS. See {PAGE}.")
    logins = [name for name in ("ingest_dsn", "publish_dsn") if getattr(settings, name)]
    return ("metrics", "sources", *(logins or ["ingest_dsn"]))


def _export_metrics(settings: Settings) -> None:
    """Answer scrapes of Prometheus until ended."""
    logs.configure()
    found: list[DatabaseMetrics] = []
    if settings.ingest_dsn:
        found.append(FeedMetrics(settings.ingest_dsn, Declared(settings.sources)))
    if settings.publish_dsn:
        found.append(EditionMetrics(settings.publish_dsn))
    with exported(settings.metrics_address(), *found):
        out.print(f"metrics at {settings.metrics}; Ctrl-C ends this")
        signal.pause()


def _fetch(settings: Settings, jobs: int) -> None:
    logs.configure()
    declared = Declared(settings.sources)
    declared()  # report a mistake in a file before anything begins
    take_jobs(Feeding(dsn=settings.ingest_dsn, means=means(settings), sources=declared), jobs)


def _build(settings: Settings, *, attached: bool) -> None:
    writer = publisher(settings, signing_key=settings.signing())
    if not attached:
        out.print("waiting for a build to join; Ctrl-C ends this")
    if attached:  # whoever started this process sees to it
        join_builds(writer.dsn, writer.stages, writer.versions(), is_wanted=_is_input_open)
        return
    connect(writer.dsn).close()  # a wrong login is no reason to try again
    keep_on("build", lambda: join_builds(writer.dsn, writer.stages, writer.versions(), report=_report))


def _together(wanted: list[Duty], jobs: int) -> None:
    """Keep a process for each duty; one that ends is begun again. SIGTERM and Ctrl-C end all of them.

    If this process is killed, the kernel ends them.
    """
    commands = {duty: _command(duty, jobs) for duty in dict.fromkeys(wanted)}
    processes: dict[Duty, subprocess.Popen[bytes]] = {}

    def end(*_: object) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, end)
    out.print(f"working: {', '.join(commands)}; Ctrl-C ends this")
    try:
        while True:
            for duty, command in commands.items():
                if duty in processes and processes[duty].poll() is None:
                    continue
                if duty in processes:
                    out.print(f"{duty} ended with status {processes[duty].returncode}; it begins again")
                processes[duty] = subprocess.Popen(command, preexec_fn=follow_parent())  # noqa: PLW1509 - one thread
            time.sleep(_AGAIN_SECONDS)
    except KeyboardInterrupt:
        pass
    finally:
        _end(list(processes.values()))


def _command(duty: Duty, jobs: int) -> list[str]:
    more = ("--jobs", str(jobs)) if duty is Duty.FETCH else ()
    return [sys.executable, "-m", "sankofa.surfaces", *_COMMANDS[duty], *more]


def _report(edition: int, chunks: int) -> None:
    out.print(f"edition {edition}: {chunks:,} {'part' if chunks == 1 else 'parts'} done")


def _is_input_open() -> bool:
    """Return whether the process that started this one still holds its standard input."""
    return not select.select([sys.stdin], [], [], 0)[0]


def _end(started: list[subprocess.Popen[bytes]]) -> None:
    for worker in started:
        worker.terminate()
    for worker in started:
        with suppress(KeyboardInterrupt):
            worker.wait()


@contextmanager
def attached_workers(count: int) -> Iterator[Callable[[], None]]:
    """Yield a function that starts `count` workers when it is first called; they end with the block.

    They also end, after the part they are at work on, if this process is killed.
    """
    started: list[subprocess.Popen[bytes]] = []

    def start() -> None:
        if not started:
            command = [sys.executable, "-m", "sankofa.surfaces", "work", "build", "--attached"]
            started.extend(subprocess.Popen(command, stdin=subprocess.PIPE) for _ in range(count))

    try:
        yield start
    finally:
        _end(started)
