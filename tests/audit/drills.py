"""An installation whose every part can be brought to fail, and what a drill of an alert declares."""

from __future__ import annotations

import itertools
import os
import subprocess
import threading
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta

from contract.keyed import furnish
from dev.background import Background
from dev.follower import Follower
from dev.installation import command
from dev.own_sources import silence
from dev.ports import unused_ports
from support.answering import Answer, Portal
from support.filings import Filer
from support.load import asked
from support.portal_server import package, release
from support.prometheus import Prometheus
from support.waiting import until

SOURCE = """
publisher = "A portal"
license_class = "operator"
parser = "ocds"
country = "ZA"
[portal]
address = "{address}"
pause_seconds = 0
retry_seconds = 0.01
attempts = 2
[due]
at = "{at}"
"""
OFTEN = "* * * * * */5"
# Due when it is declared, and then on 1 January. The two moments are a second apart: after a failure, the
# worker tries again within that time.
ONCE = "0 0 1 1 * 0,1"

_OPEN = """
SELECT EXISTS (SELECT FROM ops.pending WHERE NOT changed_nothing)
    OR EXISTS (SELECT FROM ops.edition_build WHERE edition > serving.current_edition())
"""


@dataclass(frozen=True, kw_only=True)
class Drill:
    """How an alert is made to fire, and what its runbook's commands do then."""

    alert: str
    fault: object  # a context manager on a `World`: enter it to cause the fault, leave it to mend it
    # Commands that need not succeed, by their beginnings: the text by which they name the cause.
    finds: dict[str, str] = field(default_factory=dict)
    afterwards: tuple[str, ...] = ()  # beginnings of the commands that are run when the fault is mended
    stays_because: str = ""


class AccessLogReader:
    """The reader of a pipe; while it is stopped, the pipe fills."""

    def __init__(self, path):
        os.mkfifo(path)
        self._pipe = os.open(path, os.O_RDWR)
        self._may_read, self._is_over = threading.Event(), threading.Event()
        self._may_read.set()
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    @contextmanager
    def stopped(self):
        self._may_read.clear()
        try:
            yield
        finally:
            self._may_read.set()

    def close(self):
        self._is_over.set()
        os.write(self._pipe, b"\n")  # wakes the reader
        self._thread.join()
        os.close(self._pipe)

    def _read(self):
        while not self._is_over.is_set():
            os.read(self._pipe, 1 << 16)
            self._may_read.wait()


class World:
    """One installation: API, follower, fetcher, publisher, exporters of metrics, a portal, and Prometheus."""

    def __init__(self, service, folder):
        self.service, self.stack = furnish(service), service.installation.stack
        self.parts = ExitStack()  # all that is stopped at the end
        self.feed = "zz-often"  # which the commands of a runbook name
        self.failing, self.answers = set(), threading.Event()  # sources whose portal fails; else it answers
        self.answers.set()
        self.keys = [service.issue().key for _ in range(6)]
        self._numbers = itertools.count(100)  # of filers
        self._days = itertools.count()
        self._folder, self.sources = folder, folder / "sources"
        self.sources.mkdir()
        silence(self.sources)

    def start(self):
        """Start every part."""
        ports = unused_ports()
        metrics = {name: f"127.0.0.1:{next(ports)}" for name in ("api", "feeds", "editions")}
        self.portal = self.parts.enter_context(Portal(self._answer))
        self.access_log = AccessLogReader(self._folder / "access.log")
        self.parts.callback(self.access_log.close)
        self.port = next(ports)
        self._api_environment = self._settings_of_api(metrics["api"])
        self.serve()
        self.declare("zz-often", OFTEN)
        self.follower = self._started(Follower(self.service.installation))
        self.fetcher = self._background("fetcher", "work", "fetch", "--jobs", "1")
        self.publisher = self._background("publisher", "publish", "--watch")
        for name, login in (("feeds", "PUBLISH"), ("editions", "INGEST")):
            others = {"SANKOFA_METRICS": metrics[name], f"SANKOFA_{login}_DSN": ""}
            self._background(name, "work", "metrics", **others)
        data = [metrics["feeds"], metrics["editions"]]
        targets = {"sankofa-api": [metrics["api"]], "sankofa-data": data}
        self.prometheus = Prometheus(self.stack.home / "prometheus", next(ports), targets)
        self.parts.callback(self.prometheus.close)
        self.prometheus.start()

    @property
    def environment(self):
        """The settings of the installation, for its commands."""
        own = {"SANKOFA_SOURCES": str(self.sources), "SANKOFA_CONTACT": "data@example.org"}
        return os.environ | self.service.installation.environment | own

    def line(self, *arguments):
        """Return the line of an operator's command."""
        return command(self.service.installation, *arguments)[0]

    def operate(self, *arguments):
        subprocess.run(self.line(*arguments), env=self.environment, check=True, capture_output=True)

    def names(self, group):
        """Return what the capital words of the runbooks mean, by group of commands."""
        whose = self.service.tiers["sample"].key_id if group == "keys" else self.service.large
        return {"ID": whose, "NAME": self.feed}

    def await_publisher(self):
        """Wait until everything that has arrived is in an edition."""
        until(lambda: self.service.rows(_OPEN) == [(False,)])

    def serve(self, *more_databases):
        """Start the API anew. It reads the database, and others that are named by port."""
        if more_databases:
            self.api.stop()
        ports = [*more_databases, self.stack.ports.postgres]
        hosts = ",".join(["127.0.0.1"] * len(ports))
        read = f"host={hosts} port={','.join(map(str, ports))} user=sankofa_api"
        environment = self._api_environment | {
            "SANKOFA_READ_DSN": f"{read} dbname={self.service.installation.database}"
        }
        self.api = self.service.installation.api(self.port, workers=2, environment=environment)
        self._started(self.api)

    def declare(self, name, at):
        """Declare a source of the portal; it is written at once, because workers read it at any moment."""
        unfinished = self.sources / f"{name}.unfinished"
        unfinished.write_text(SOURCE.format(address=f"{self.portal.url}/{name}?page={{page}}", at=at))
        unfinished.rename(self.sources / f"{name}.toml")

    def ingest(self):
        """Ingest a filing of a new filer, and return the filer."""
        filer = Filer(next(self._numbers)).says(1_000_000, filed="2024-02-01")
        self.service.ingest(filer.document())
        return filer

    @contextmanager
    def asking(self, path=None, key=None, callers=12):
        """Ask without end, each caller at most 20 times a second: one path, or what no cache has."""
        is_over = threading.Event()

        def ask(number):
            while not is_over.wait(0.05):
                chosen = key or self.keys[number % len(self.keys)]
                asked(self.port, path or self._uncached(), {"X-API-Key": chosen})

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(callers)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            is_over.set()
            for thread in threads:
                thread.join()

    def _uncached(self):
        day = date(2025, 12, 31) - timedelta(days=next(self._days))
        return f"/v1/tenders?country=ZA&as_of={day}"

    def _answer(self, request):
        name = request.path.strip("/")
        if name in self.failing:
            return Answer(status=503)
        self.answers.wait()
        return package([release(1)] if request["page"] == "1" else [])

    def _settings_of_api(self, metrics):
        return {
            "SANKOFA_METRICS": metrics,
            "SANKOFA_ACCESS_LOG": str(self._folder / "access.log"),
            "SANKOFA_PROXIES": '["127.0.0.1"]',
            "SANKOFA_MANY_NETWORKS": "3",
            "SANKOFA_REFUSED_KEYS": "1000000",
            "SANKOFA_TIERS": '{"professional": {"per_minute": 1000000}}',
        }

    def _background(self, name, *arguments, **more):
        return self._started(Background(name, self.service.installation, self.environment | more, *arguments))

    def _started(self, part):
        self.parts.callback(part.stop)
        part.start()
        return part
