"""A highly available service under load: who asks, who writes, and how each answer is judged."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from contextlib import contextmanager

import httpx
import psutil

from audit.soak import Callers
from dev.installation import command
from dev.service import StackError, wait_until
from sankofa.core.errors import StoreUnavailable
from sankofa.storage.postgres import OperationalError
from support.filings import Filer
from support.service import Service
from support.waiting import until

LATE_SECONDS = 2.0  # ERR-7
# Patroni alone takes about 20 s. Beside other tests, everything takes longer.
WRITES_BACK_SECONDS = 25.0 if os.environ.get("AUDIT_SIZE") == "full" else 60.0
CALLERS = 4
SOME = 10  # documents before a fault, and after it


def verdict(answer):
    """Return whether an answer is right, late, refused or wrong; a lost connection is wrong too."""
    if answer.is_right:
        return "right" if answer.ended - answer.began <= LATE_SECONDS else "late"
    return "refused" if answer.status == 503 and answer.component else "wrong"


def running_below(folder):
    """Return a line for each process of a service: its state, and what it says it does."""
    every = (str(each.info) for each in psutil.process_iter(["pid", "status", "cmdline", "cwd"]))
    return "\n".join(line for line in every if str(folder) in line)


class Writer:
    """A thread that ingests one document after the other and repeats each until it is acknowledged."""

    def __init__(self, service, first):
        self.acknowledged = []  # filers, with the moment of each acknowledgement
        self._service = service
        self._next = first
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._write)

    @contextmanager
    def writing(self):
        self._thread.start()
        try:
            until(lambda: len(self.acknowledged) >= SOME)
            yield self
        finally:
            self._is_over.set()
            self._thread.join()

    def back_after(self, fail):
        """Return the seconds from a failure to the first document that was begun after it and stored."""
        start = time.monotonic()
        fail()
        failed = time.monotonic()
        until(
            lambda: sum(began > failed for _, began, _ in self.acknowledged) >= SOME, 2 * WRITES_BACK_SECONDS
        )
        return next(ended - start for _, began, ended in self.acknowledged if began > failed)

    def _write(self):
        while not self._is_over.is_set():
            filer = Filer(self._next).says(self._next, filed="2024-02-01")
            self._next += 1
            while not self._is_over.is_set():
                began = time.monotonic()
                try:
                    self._service.ingest(filer.document())
                except (OperationalError, StoreUnavailable):
                    self._is_over.wait(0.2)
                    continue
                self.acknowledged.append((filer, began, time.monotonic()))
                break
            self._is_over.wait(0.1)


class Available:
    """The service on a stack of `make ha`, with both API processes behind the proxy."""

    def __init__(self, stack, callers=CALLERS, environment=None):
        self.stack = stack
        self.service = Service(stack, "sankofa", template=None)
        self.service.ingest(*(Filer(n).says(n, filed="2024-02-01").document() for n in range(1, 6)))
        self.service.publish()
        self.url = stack.proxy().url
        self.apis = stack.apis(self.service.installation, environment)
        for api in self.apis:
            api.start()
        self.keys = [self.service.issue().key for _ in range(callers)]
        until(lambda: httpx.get(f"{self.url}/ready").status_code == 200)
        self.expected = {path: self.get(path).content for path in self._paths()}
        self._written = 1_000

    def close(self):
        for api in self.apis:
            api.stop()

    def _paths(self):
        ids = [self.service.id_of(Filer(n).identifier) for n in range(1, 6)]
        return [f"/v1/{kind}/{one}?edition=1" for one in ids for kind in ("fundamentals", "entities")]

    def get(self, path, key=None):
        response = httpx.get(f"{self.url}{path}", headers={"X-API-Key": key or self.keys[0]}, timeout=30)
        assert response.status_code == 200, response.text
        return response

    @contextmanager
    def asking(self):
        """Send requests without a pause; yield a counter that holds the verdicts afterwards."""
        verdicts = Counter()
        callers = Callers(self.stack.ports.api, self.expected, self.keys)
        try:
            with callers.asking():
                yield verdicts
        finally:
            verdicts.update(map(verdict, callers.answers))
            self.answers = callers.answers

    @contextmanager
    def writing(self):
        """Write all the time; each writer has documents of its own."""
        self._written += 1_000
        with Writer(self.service, self._written).writing() as writer:
            yield writer

    def every_fact_is_served(self, writer):
        """Publish, and check every acknowledged document through the API; return how many there are."""
        edition = self.service.publish().edition
        for api in self.apis:
            until(lambda api=api: httpx.get(f"{api.url}/v1/status").json()["edition"] == edition)
        for filer, _, _ in writer.acknowledged:
            path = f"/v1/fundamentals/{self.service.id_of(filer.identifier)}"
            assert [row["value_reported"] for row in self.get(path).json()["data"]] == [filer.number]
        return len(writer.acknowledged)

    def heal(self):
        """Start whatever was killed, thaw whatever was frozen, and wait until any node may be lost again."""
        for process in (*self.stack.processes.values(), *self.apis):
            try:
                process.start()
            except StackError as error:
                raise StackError(f"{error}\nwhat runs there:\n{running_below(process.home)}") from error
        self.stack.postgres.await_redundant(120)
        assert wait_until(lambda: httpx.get(f"{self.url}/ready").status_code == 200, 30), self._standing()

    def _standing(self):
        """Return what each API process reports, and what runs and in which role."""
        reports = [httpx.get(f"{api.url}/v1/status", timeout=10).text for api in self.apis]
        masters = [
            [(sentinel.alive, sentinel.alive and sentinel.master_port()) for sentinel in watched.sentinels]
            for watched in (self.stack.redis_keys, self.stack.redis_usage)
        ]
        alive = {name: process.alive for name, process in self.stack.processes.items()}
        return reports, masters, alive

    def command(self, *arguments):
        """Return an operator's command with its environment."""
        return command(self.service.installation, *arguments)
