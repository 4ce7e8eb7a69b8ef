"""The command behind `make live`: the local stack, fed by a demo publisher, a day every few seconds.

`python -m dev.live --days 3` plays three days. The next run begins with the day after the last one played.
"""

import argparse
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from pathlib import Path

from demo import tenders_ke
from demo.days import Day, days
from demo.world import FETCHED_AT, World
from dev import application
from dev.installation import Installation
from dev.live_news import News
from dev.live_publisher import Publisher
from dev.service import StackError
from dev.stack import ROOT, Stack
from dev.worker import Worker

_LOOK_SECONDS = 0.5
WELCOME = """
A demo publisher now plays one working day of the demo world every {seconds:g} seconds, and `sankofa work`
fetches and publishes what is new. Explorer: {url}/
Feeds, in another terminal:

  eval "$(.venv/bin/python -m dev env)" && .venv/bin/sankofa feeds

Ctrl-C ends the publisher and the worker; the stack goes on running. The worker's log: {log}
"""


@dataclass(frozen=True, kw_only=True)
class Live:
    """An installation that is fed day by day, and how it is asked."""

    installation: Installation
    url: str
    key: str
    world: World

    def run(self, seconds: float, most: int | None = None) -> None:
        """Play days until Ctrl-C; after the last one, go on showing what arrives."""
        worker = Worker(self.installation)
        with Publisher() as publisher, _at_work(worker, publisher):
            news = News(self.url, self.key, self.world)
            log = worker.log.relative_to(ROOT) if worker.log.is_relative_to(ROOT) else worker.log
            _print(WELCOME.format(seconds=seconds, url=self.url, log=log))
            if not publisher.await_request(worker.start_seconds):
                raise StackError(f"the worker asked for nothing; its log is {log}")
            for day in islice(self._days(worker.home / "last-day"), most):
                publisher.publish(day)
                _print(self._published(day))
                _show(news, until=time.monotonic() + seconds)
            _print("That was the last day. Ctrl-C ends this.")
            while True:
                _show(news, until=time.monotonic() + seconds)

    def _days(self, kept: Path) -> Iterator[Day]:
        """Yield the days that were not played yet, up to yesterday, and note each in a file."""
        begin = date.fromisoformat(kept.read_text()) if kept.exists() else FETCHED_AT.date()
        yesterday = datetime.now(UTC).date() - timedelta(days=1)
        for day in days(self.world, begin):
            if day.day > yesterday:
                return
            kept.write_text(str(day.day))
            yield day

    def _published(self, day: Day) -> str:
        tenders = ", tenders of Kenya" if tenders_ke.SOURCE in day.documents else ""
        return f"{day.day}  published: a filing of {self.world.profile(day.issuer).name}, rates{tenders}"


@contextmanager
def _at_work(worker: Worker, publisher: Publisher) -> Iterator[None]:
    """Run the worker on the sources of the publisher; afterwards neither is there any more."""
    worker.stop()  # one that a killed run left asks a publisher that is gone
    publisher.write_sources(worker.sources)
    try:
        worker.start()
        yield
    finally:
        worker.stop()
        shutil.rmtree(worker.sources, ignore_errors=True)


def _show(news: News, until: float) -> None:
    """Print what arrives until a moment."""
    while time.monotonic() < until:
        for line in news.lines():
            _print(line)
        time.sleep(_LOOK_SECONDS)


def _print(line: str) -> None:
    print(line, flush=True)


def _local() -> Live:
    """Return the installation of `make up`, started if it does not run."""
    stack = Stack.local()
    server = application.api(stack)
    if not all(service.alive for service in (*stack.services, server)):
        application.bring_up(stack)
    key = (stack.home / "key").read_text().strip()
    return Live(
        installation=Installation(stack), url=server.url, key=key, world=World(facts=application.FACTS)
    )


def until_interrupted(act: Callable[[], None]) -> int:
    """Run something until Ctrl-C, SIGTERM or the end of the terminal, and return the exit status."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    # Also Ctrl-C: whoever is started in the background of a script begins by ignoring it.
    for ending in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, interrupt)
    try:
        with suppress(KeyboardInterrupt):
            act()
    except StackError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def main() -> int:
    """Feed the local stack until Ctrl-C."""
    parser = argparse.ArgumentParser(prog="python -m dev.live", description=__doc__)
    parser.add_argument("--seconds", type=float, default=5, help="how long a day takes")
    parser.add_argument("--days", type=int, help="how many days to play; default: all until yesterday")
    given = parser.parse_args()
    return until_interrupted(lambda: _local().run(given.seconds, given.days))


if __name__ == "__main__":
    sys.exit(main())
