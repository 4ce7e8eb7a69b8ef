"""Feeds under simulation: a publisher whose days advance, workers that are killed, faults that are ordered.

The workers have the real clock and a simulated day takes seconds. So two things follow the simulated day by
hand: sources of pages ask for a fixed number of days before it (`earliest` in their files, which workers read
anew each time), and the day advances only when every source had a good run of it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta

from dev.own_sources import silence
from publisher.faults import FAULTS
from publisher.tables import Indicators
from sankofa.drift.holds import decide, holds

PAUSE_SECONDS = 0.05  # between two requests to a host
PAGE_DAYS = 14  # that sources of pages are asked for again
DAY_SECONDS = 240  # within which every source must have had a good run of a day
LAST_LATE_DAYS = 3  # at the end, on which no page is late any more
LOOK_SECONDS = 0.1
LATER_PAGES = {"half", "duplicate", "late"}
PASSING = {"unavailable", "truncated", "reset", "length_too_large"}  # if they are few
FINAL = {"not_modified", "redirect_private", "redirect_elsewhere"}
TIMES = {
    **dict.fromkeys(PASSING, (1, 1, 2, 6, 18)),  # 5 attempts in each of 3 attempts of a run
    **dict.fromkeys(FINAL, (1, 1, 3)),
    "late": (1, 2),
}
_GOOD = """
SELECT run.source, max(run.began_at) FROM ops.run AS run
INNER JOIN ops.run_end AS ended ON run.run = ended.run AND ended.outcome = 'good' GROUP BY run.source
"""
_TAKEN = "SELECT lock FROM queue.procrastinate_jobs WHERE status = 'doing' AND lock IS NOT NULL"


class Feeding:
    """One simulation, and what it remembers for the checks."""

    def __init__(self, service, publisher, folder, rng, due_seconds):
        self.service, self.publisher, self.rng = service, publisher, rng
        self.due_seconds = due_seconds
        self.folder, self._staging = folder / "sources", folder / "staging"
        self.folder.mkdir()
        silence(self.folder)
        self._staging.mkdir()
        self._logs = folder / "logs"
        self._logs.mkdir()
        self.environment = os.environ | service.installation.environment
        self.environment |= {
            "SANKOFA_SOURCES": str(self.folder),
            "SANKOFA_SPOOL": str(folder / "spool"),
            "SANKOFA_CONTACT": "data@example.org",
        }
        self.advanced = []  # the moment at which each day began
        self.ordered = []  # (day, source, fault, times)
        self.kills = []  # (moment, the sources that some worker was at)
        self.without = []  # (from, to): no worker was ready, because both were killed
        self._down = {}  # by place, since when its worker is not ready; in the order of starting
        self._known = 0  # workers that the queue has ever known
        self.ended = []  # status of each process that ended by itself
        self._noted, self._spoiled = (
            0,
            {},
        )  # entries of the log that were read; last spoiled answer of each source
        self._workers = []

    def run(self, days, faults, kills, seconds):
        """Simulate the days; faults and kills are spread over all of them but the first.

        No day begins after so many seconds.
        """
        last = time.monotonic() + seconds
        with ExitStack() as stack:
            self._write_sources(0)
            self.advanced.append(datetime.now(UTC))
            self._workers = [self._started(stack, "work", "fetch") for _ in range(2)]
            self._publish = self._started(stack, "publish", "--watch", "--interval", "0.5")
            self._stack = stack
            self._until_well(0)
            for day in range(1, days):
                if time.monotonic() > last:
                    break
                self._advance(day)
                self._misbehave(day, _share(faults, day, days), is_ending=day >= days - LAST_LATE_DAYS)
                self._until_well(_share(kills, day, days))
                print(f"day {day}: {time.time() - self.advanced[-1].timestamp():.1f} s", flush=True)
            self.publisher.forgive()
            self._until_well(0)
            self._until_published()

    def _advance(self, day):
        self._write_sources(day)
        self.advanced.append(datetime.now(UTC))
        self.publisher.advance()
        with self.service.connect("review") as connection:
            found = [hold.number for hold in holds(connection) if hold.batch_id]
            decide(connection, found, release=True, because="invented values leap")

    def _misbehave(self, day, count, *, is_ending):
        names = list(self.publisher.world.sources)
        while count:
            name, fault = self.rng.choice(names), self.rng.choice(sorted(FAULTS))
            source = self.publisher.world.sources[name]
            if fault in LATER_PAGES and not source.has_pages:
                continue
            if fault == "late" and (is_ending or not self.publisher.world.new_on(name, day)):
                continue
            times = self.rng.choice(TIMES.get(fault, (1,)))
            self.publisher.misbehave(name, fault, times)
            self.ordered.append((day, name, fault, times))
            count -= 1

    def _until_well(self, kills):
        """Return when every source had a good run since the day began and since its last spoiled answer."""
        deadline = time.monotonic() + DAY_SECONDS
        next_kill = time.monotonic() + self.rng.uniform(0, self.due_seconds / 2)
        while (ill := self._ill()) or kills:
            assert time.monotonic() < deadline, f"not well: {sorted(ill)}; {self.publisher.state()}"
            self._replace_ended()
            self._note_ready()
            if kills and time.monotonic() >= next_kill:
                self._kill(self.rng.randrange(len(self._workers)))
                kills -= 1
                next_kill = time.monotonic() + self.rng.uniform(0, self.due_seconds / 2)
            time.sleep(LOOK_SECONDS)

    def _ill(self):
        entries = self.publisher.log(self._noted)
        self._noted += len(entries)
        for entry in entries:
            if entry["fault"]:
                self._spoiled[entry["source"]] = datetime.fromtimestamp(entry["wall"], UTC)
        good = dict(self.service.rows(_GOOD))
        long_ago = datetime.min.replace(tzinfo=UTC)
        return {
            name
            for name in self.publisher.world.sources
            if good.get(name, long_ago) < max(self.advanced[-1], self._spoiled.get(name, long_ago))
        }

    def _until_published(self):
        """End the workers, and wait until an edition holds everything that is free."""
        for worker in self._workers:
            worker.terminate()
        for worker in self._workers:
            worker.wait(60)
        pending = (
            "SELECT count(*) FROM ops.batch WHERE outcome = 'accepted' AND batch_id NOT IN"
            " (SELECT number FROM ops.edition_holds WHERE kind = 'batch') AND batch_id NOT IN"
            " (SELECT batch_id FROM ops.held_back)"
        )
        building = "SELECT count(*) FROM ops.edition_holds WHERE edition > %s"
        building %= "(SELECT max(edition) FROM serving.edition)"
        deadline = time.monotonic() + DAY_SECONDS
        while self.service.rows(pending)[0][0] or self.service.rows(building)[0][0]:
            assert time.monotonic() < deadline, "not published"
            time.sleep(LOOK_SECONDS)

    def _kill(self, place):
        worker = self._workers[place]
        worker.send_signal(signal.SIGKILL)
        worker.wait()
        self.kills.append((datetime.now(UTC), {name for (name,) in self.service.rows(_TAKEN)}))
        self._down.setdefault(place, self.kills[-1][0])
        self._workers[place] = self._started(self._stack, "work", "fetch")

    def _note_ready(self):
        """Note which workers are ready: each gets a number in the queue, the first started first."""
        ((known,),) = self.service.rows("SELECT coalesce(max(id), 0) FROM queue.procrastinate_workers")
        for _ in range(min(known - self._known, len(self._down))):
            if len(self._down) == len(self._workers):
                self.without.append((max(self._down.values()), datetime.now(UTC)))
            del self._down[next(iter(self._down))]
        self._known = max(known, self._known)

    def _replace_ended(self):
        for place, worker in enumerate(self._workers):
            if worker.poll() is not None:
                self.ended.append(worker.returncode)
                self._workers[place] = self._started(self._stack, "work", "fetch")
        assert self._publish.poll() is None, "publish ended"

    def _started(self, stack, *arguments):
        number = len(list(self._logs.iterdir()))
        log = stack.enter_context((self._logs / f"{number:04}-{arguments[0]}.log").open("wb"))
        line = [sys.executable, "-m", "sankofa.surfaces", *arguments]
        process = subprocess.Popen(line, env=self.environment, stdout=log, stderr=subprocess.STDOUT)
        stack.callback(_end, process)
        return process

    def _write_sources(self, day):
        """Write the folder of sources for a day, each file at once: workers read them at any moment."""
        world = self.publisher.world
        portal = {"pause_seconds": PAUSE_SECONDS, "retry_seconds": 0.05, "again_days": 1_000}
        self.publisher.write_folder(self._staging, **portal)
        for place, (name, source) in enumerate(world.sources.items()):
            path = self._staging / f"{name}.toml"
            text = path.read_text()
            if source.has_pages:
                earliest = world.first_day + timedelta(days=max(0, day - PAGE_DAYS))
                text = text.replace("window = 7", "window = 1000")
                text = text.replace(f"earliest = {world.first_day}", f"earliest = {earliest}")
            text += f'\n[due]\nat = "* * * * * {place % self.due_seconds}-59/{self.due_seconds}"\n'
            text += "\n[expects]\nrejected_percent = 0\n"
            text += f"fewer_percent = {40 if source.has_pages else 0}\n"
            if isinstance(source, Indicators):
                text += "documents = [3, 3]\n"
            path.write_text(text)
            path.replace(self.folder / path.name)


def _share(total, day, days):
    """Return how many of a total fall on a day, of all days but the first."""
    return total * day // (days - 1) - total * (day - 1) // (days - 1)


def _end(process):
    process.kill()
    process.wait()
