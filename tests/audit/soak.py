"""What the soak is made of: faults with their causes, callers who keep every answer, and the judgement."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException

from dev import process

# After its end, a fault may still be the cause for so long: polls and reconnections come once a second.
AFTERWARDS = 3.0
PACE_SECONDS = 0.2


@dataclass(frozen=True)
class Kind:
    """A way to break something, and which components may say that they are unavailable because of it."""

    name: str
    begin: object
    end: object
    causes: frozenset[str] = frozenset()
    breaks_connections: bool = False


def kinds(stack, api):
    """Return every kind of fault."""
    answers = {"datastore": frozenset({"datastore", "keys"}), "keys": frozenset({"keys"})}
    stores = (
        (stack.postgres, answers["datastore"]),
        (stack.redis_keys, answers["keys"]),
        (stack.redis_usage, frozenset()),
        (stack.s3, frozenset()),
    )
    for store, causes in stores:
        yield Kind(f"kill -9 {store.name}", store.kill9, store.start, causes)
        yield Kind(f"SIGSTOP {store.name}", store.pause, store.resume, causes)

    def one_worker(sent):
        return lambda: process.send(min(process.children(api.pid)), sent)

    def thaw():
        for worker in process.children(api.pid):
            process.send(worker, signal.SIGCONT)

    yield Kind("kill -9 a worker", one_worker(signal.SIGKILL), lambda: None, breaks_connections=True)
    yield Kind("SIGSTOP a worker", one_worker(signal.SIGSTOP), thaw)


@dataclass
class Fault:
    """One fault as it happened."""

    kind: Kind
    began: float
    ended: float = float("inf")

    def covers(self, answer):
        """Return whether an answer may have met this fault."""
        return answer.began < self.ended + AFTERWARDS and answer.ended > self.began


@dataclass(frozen=True)
class Answer:
    """What came of one request."""

    path: str
    began: float
    ended: float
    status: int | str
    component: str | None = None
    is_right: bool = False
    request_id: str | None = None


@dataclass
class Callers:
    """Threads that ask at a pace of their own, each request on a new connection."""

    port: int
    expected: dict[str, bytes]
    keys: list[str]
    answers: list[Answer] = field(default_factory=list)
    is_over: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def asking(self):
        paths = list(self.expected)
        threads = [
            threading.Thread(target=self._ask, args=(key, paths[number:] + paths[:number]))
            for number, key in enumerate(self.keys)
        ]
        for thread in threads:
            thread.start()
        try:
            yield self
        finally:
            self.is_over.set()
            for thread in threads:
                thread.join()

    def _ask(self, key, paths):
        turn = 0
        while not self.is_over.is_set():
            answer = self._answer(paths[turn % len(paths)], key)
            self.answers.append(answer)
            turn += 1
            self.is_over.wait(max(0.0, PACE_SECONDS - (answer.ended - answer.began)))

    def _answer(self, path, key):
        began = time.monotonic()
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("GET", path, headers={"X-API-Key": key})
            response = connection.getresponse()
            body = response.read()
        except (OSError, HTTPException) as error:
            return Answer(path, began, time.monotonic(), type(error).__name__)
        finally:
            connection.close()
        component = None
        if response.status == 503:
            component = json.loads(body).get("component")
        is_right = response.status == 200 and body == self.expected[path]
        request_id = response.headers["X-Request-Id"]
        return Answer(path, began, time.monotonic(), response.status, component, is_right, request_id)


def causeless(answer, faults):
    """Return whether a request failed though no fault explains it."""
    met = [fault for fault in faults if fault.covers(answer)]
    if answer.status == 503:
        return not any(answer.component in fault.kind.causes for fault in met)
    return not any(fault.kind.breaks_connections for fault in met)


@contextmanager
def loaded_machine():
    """Keep every processor busy with something else."""
    burners = [multiprocessing.Process(target=_burn, daemon=True) for _ in range(os.cpu_count() or 1)]
    for burner in burners:
        burner.start()
    try:
        yield
    finally:
        for burner in burners:
            burner.terminate()
            burner.join()


def _burn():
    with suppress(KeyboardInterrupt):
        while True:
            sum(range(10_000))
