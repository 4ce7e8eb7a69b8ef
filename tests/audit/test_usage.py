"""KEY-17: the usage of each key is what was answered, to the unit, while every part of the service crashes.

While only stores and the follower crash, usage, access log and the answers that callers received are equal.
If an API process crashes too, only requests in flight at that moment are uncertain. Each caller here has one
at a time. So at most one answer for each broken connection is not charged, and only requests that were sent
and not answered can be charged beside the answers.
"""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException

import pytest
from redis import Redis as Client

from contract.keyed import furnish
from dev import process
from dev.follower import Follower
from dev.ports import unused_ports
from sankofa.access.usage import read_usage
from support.waiting import until

CALLERS = 8
PATH = "/v1/editions"
STORES = ("follower", "usage store", "datastore")
EVERYTHING = ("API", "worker", *STORES)


@dataclass
class Caller:
    """One caller with a key of its own, who sends one request after the other."""

    key: str
    key_id: str
    answered: int = 0
    refused: Counter = field(default_factory=Counter)
    unanswered: int = 0  # sent, and the connection broke
    broken: int = 0  # connections that broke after an answer


class Crashing:
    """The parts of one service, and how each of them crashes and comes back."""

    def __init__(self, service, log):
        self._stack = service.installation.stack
        self.follower = Follower(service.installation)
        environment = {
            "SANKOFA_ACCESS_LOG": str(log),
            "SANKOFA_PROCESSES": "2",
            "SANKOFA_TIERS": '{"professional": {"per_minute": 100000000, "per_month": 1000000000}}',
        }
        self.api = service.installation.api(next(unused_ports()), workers=2, environment=environment)
        self._parts = {
            "follower": self.follower,
            "usage store": self._stack.redis_usage,
            "datastore": self._stack.postgres,
            "API": self.api,
        }

    def crash(self, part):
        if part == "worker":
            workers = process.children(self.api.pid)
            os.kill(workers[0], signal.SIGKILL)
            until(lambda: len(set(process.children(self.api.pid)) - {workers[0]}) == 2)
        else:
            self._parts[part].kill9()
            self._parts[part].start()

    def stop(self):
        self.api.stop()
        self.follower.stop()


@pytest.fixture
def crashing(module_service, tmp_path):
    service = furnish(module_service)
    crashing = Crashing(service, tmp_path / "access.log")
    crashing.follower.start()
    crashing.api.start()
    yield crashing
    crashing.stop()
    crashing.follower.destroy()


def ask(caller, port, is_enough):
    """Send requests until there are enough, on one connection for as long as it lasts."""
    connection, has_answered = None, False
    while not is_enough():
        try:
            if connection is None:
                connection, has_answered = HTTPConnection("127.0.0.1", port, timeout=30), False
                connection.connect()
        except OSError:
            connection = None
            time.sleep(0.02)
            continue
        try:
            connection.request("GET", PATH, headers={"X-API-Key": caller.key})
            response = connection.getresponse()
            response.read()
        except (OSError, HTTPException):
            caller.unanswered += 1
            caller.broken += has_answered
            connection.close()
            connection = None
            continue
        has_answered = True
        if response.status == 200:
            caller.answered += 1
        else:
            caller.refused[response.status] += 1
    if connection:
        connection.close()


def asked(callers, crashing, requests, order, rng):
    """Have all callers send requests while parts crash in this order."""
    before = sum(caller.answered for caller in callers)

    def answered():
        return sum(caller.answered for caller in callers) - before

    threads = [
        threading.Thread(target=ask, args=(caller, crashing.api.port, lambda: answered() >= requests))
        for caller in callers
    ]
    for thread in threads:
        thread.start()
    for number, part in enumerate(order):
        enough = (number + rng.random()) * requests / len(order)
        until(lambda enough=enough: answered() >= enough, seconds=3_600)
        crashing.crash(part)
    for thread in threads:
        thread.join()


def shuffled(rng, parts, crashes):
    order = [parts[number % len(parts)] for number in range(crashes)]
    rng.shuffle(order)
    return order


def settled(service, crashing):
    """Return the usage by key once PostgreSQL has all that was counted; the API is stopped for that."""
    crashing.api.stop()
    crashing.api.start()  # it reports what killed processes left
    crashing.api.stop()
    crashing.follower.start()

    def is_settled():
        is_open = "SELECT EXISTS (SELECT FROM ops.usage_tally WHERE is_complete IS FALSE)"
        with Client.from_url(service.settings.usage_url) as store:
            return not store.smembers("usage:unsettled") and service.rows(is_open) == [(False,)]

    until(is_settled, seconds=120)
    with service.connect("keys") as connection:
        [[first, last]] = service.rows("SELECT min(day), max(day) FROM ops.usage_day")
        usage = read_usage(connection, first, last)
    used = Counter()
    for day in usage.days:
        used[day.key_id] += day.requests
    assert sum(month.requests for month in usage.months) == used.total()
    return used


def logged(log):
    lines = map(json.loads, log.read_text().splitlines())
    return Counter(line["key"] for line in lines if line.get("charged"))


def callers_of(service):
    return [Caller(issued.key, issued.key_id) for issued in (service.issue() for _ in range(CALLERS))]


@pytest.mark.proves("KEY-17")
@pytest.mark.timeout(7200)
def test_usage_is_exact_while_everything_crashes(module_service, crashing, size, rng, tmp_path):
    requests, crashes = size.charged_requests // 2, size.usage_crashes // 2
    callers = callers_of(module_service)
    order = shuffled(rng, STORES, crashes)
    asked(callers, crashing, requests, order, rng)
    used, lines = settled(module_service, crashing), logged(tmp_path / "access.log")
    for caller in callers:
        assert (caller.unanswered, caller.broken) == (0, 0)
        assert used[caller.key_id] == lines[caller.key_id] == caller.answered
    print(f"\n{used.total():,} answers, crashes: {', '.join(order)}; usage = access log = answers received")
    print(f"not charged: {sum((caller.refused for caller in callers), Counter())}")

    crashing.api.start()
    callers = callers_of(module_service)
    order = shuffled(rng, EVERYTHING, crashes)
    asked(callers, crashing, requests, order, rng)
    used, lines = settled(module_service, crashing), logged(tmp_path / "access.log")
    for caller in callers:
        charged = used[caller.key_id]
        assert caller.answered - caller.broken <= charged <= caller.answered + caller.unanswered
        assert lines[caller.key_id] <= charged
    total = {name: sum(getattr(caller, name) for caller in callers) for name in ("answered", "unanswered")}
    charged = sum(used[caller.key_id] for caller in callers)
    missing = charged - sum(lines[caller.key_id] for caller in callers)
    print(
        f"{total['answered']:,} answers, crashes: {', '.join(order)}; charged {charged:,}, "
        f"sent and not answered {total['unanswered']}; lines that the access log lost: {missing}"
    )
