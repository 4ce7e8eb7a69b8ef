"""The fault campaign: an installation with failover is broken in every way while it is asked and written to.

Each answer is judged against the truth: right, late, refused with a cause, or wrong. One wrong answer fails.
"""

from __future__ import annotations

import itertools
import json
import random
import threading
import time
from collections import Counter, defaultdict
from contextlib import ExitStack, contextmanager, suppress

import httpx
import pytest

from audit.campaign import Tools, kinds
from audit.soak import Fault, causeless
from audit.test_soak import drawn
from dev.background import Background
from dev.follower import Follower
from dev.ha import HaStack
from dev.ports import unused_ports
from dev.service import wait_until
from sankofa.core.errors import NotFound, StoreUnavailable
from sankofa.storage.postgres import OperationalError
from support.broken_machine import Clock, Disk, Split
from support.high_availability import Available, verdict
from support.links import Link

CALLERS = 40  # of five requests a second each
LONGEST_SECONDS = 3.0
REVOKED_SECONDS = 5.0  # KEY-9
PUBLISH = ("publish", "--watch", "--interval", "2")
DISK_MEGABYTES = 5_000  # more than `max_wal_size`, or disks fill by themselves
_ONCE = """
SELECT count(*) FROM ledger.fact AS fact
INNER JOIN ledger.filing AS filing ON fact.filing_id = filing.filing_id
INNER JOIN ledger.subject AS subject ON filing.subject_id = subject.subject_id
WHERE subject.identifier = ANY (%s)
GROUP BY subject.identifier
"""


@pytest.fixture
def tools(tmp_path):
    """Hold what faults are made with; the installation adds a link and a disk for each database."""
    tools = Tools(links=[], disks={}, clock=Clock(tmp_path / "clock"), split=Split())
    yield tools
    tools.split.end()
    for link in tools.links:
        link.close()


@pytest.fixture
def log(tmp_path):
    return tmp_path / "access.log"


@pytest.fixture
def available(tools, log):
    @contextmanager
    def disks(stack):
        tools.disks |= {node.name: Disk(node.home, DISK_MEGABYTES) for node in stack.postgres.nodes}
        try:
            yield
        finally:
            for disk in tools.disks.values():
                disk.close()

    with HaStack.throwaway(disks) as stack:
        ports = unused_ports()
        tools.links += [Link(next(ports), node.port) for node in stack.postgres.nodes]
        doors = ",".join(str(link.port) for link in tools.links)
        hosts = ("127.0.0.1," * len(tools.links)).rstrip(",")
        through = {"SANKOFA_READ_DSN": f"host={hosts} port={doors} user=sankofa_api dbname=sankofa"}
        environment = through | tools.clock.environment | {"SANKOFA_ACCESS_LOG": str(log)}
        available = Available(stack, CALLERS, environment)
        installation = available.service.installation
        available.follower = Follower(installation)
        available.publisher = Background("publisher", installation, installation.environment, *PUBLISH)
        available.follower.start()
        available.publisher.start()
        yield available
        available.publisher.stop()
        available.follower.stop()
        available.close()


class Revoked:
    """A thread that issues keys, uses each, revokes it, and goes on to ask with it."""

    def __init__(self, available):
        self.statuses = Counter()  # of requests with keys that were revoked long enough ago
        self._available = available
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run)

    @contextmanager
    def watched(self):
        self._thread.start()
        try:
            yield self
        finally:
            self._is_over.set()
            self._thread.join()

    def _run(self):
        path = next(iter(self._available.expected))
        while not self._is_over.is_set():
            key = self._until_done(lambda registry: registry.issue("professional", "to be revoked"))
            if key is None:
                return
            self._until_done(lambda registry, key=key: revoke(registry, key.key_id))
            self._is_over.wait(REVOKED_SECONDS)
            for _ in range(10):
                self._ask(path, key.key)
                self._is_over.wait(0.2)

    def _until_done(self, act):
        while not self._is_over.is_set():
            try:
                with self._available.service.installation.registry() as registry:
                    return act(registry)
            except (OperationalError, StoreUnavailable):
                self._is_over.wait(0.5)
        return None

    def _ask(self, path, key):
        try:
            response = httpx.get(f"{self._available.url}{path}", headers={"X-API-Key": key}, timeout=30)
            self.statuses[response.status_code] += 1
        except httpx.HTTPError as error:
            self.statuses[type(error).__name__] += 1


def revoke(registry, key_id):
    with suppress(NotFound):  # an attempt that failed had recorded it
        registry.revoke(key_id)


@pytest.mark.timeout(4 * 3600)
def test_no_fault_leads_to_a_wrong_answer_or_a_lost_fact(available, tools, log, size, seed):
    chance, faults = random.Random(seed), []
    every = list(kinds(available, tools))
    revoked = Revoked(available)
    with (
        ExitStack() as told,
        available.asking() as verdicts,
        available.writing() as writer,
        revoked.watched(),
    ):
        told.callback(report, available, writer, faults, verdicts, revoked)  # also of a run that ends early
        for number, kind in enumerate(drawn(every, size.campaign_faults, chance), 1):
            print(f"{number} of {size.campaign_faults}: {kind.name}", end="", flush=True)
            fault = Fault(kind, time.monotonic())
            faults.append(fault)
            kind.begin()
            time.sleep(chance.uniform(0.1, LONGEST_SECONDS))  # how long the fault lasts
            kind.end()
            available.heal()
            fault.ended = time.monotonic()
            print(f", whole again after {fault.ended - fault.began:.1f} s")
    wrong = [answer for answer in available.answers if verdict(answer) == "wrong"]
    unexplained = [
        answer for answer in available.answers if verdict(answer) == "refused" and causeless(answer, faults)
    ]
    for line in places(unexplained, faults, log):
        print(line)
    assert wrong == []
    assert unexplained == []
    assert set(revoked.statuses) <= {401, 503}
    assert 401 in revoked.statuses
    assert each_is_stored_once(available, writer)


def report(available, writer, faults, verdicts, revoked):
    """Print what came of all requests, and for each kind how long requests were refused and writes failed."""
    elapsed = max(answer.ended for answer in available.answers) - faults[0].began
    print(
        f"{len(faults)} faults in {elapsed:.0f} s; {len(available.answers) / elapsed:.0f} requests a second:"
        f" {dict(verdicts)}; revoked keys: {dict(revoked.statuses)}; {len(writer.acknowledged)} documents"
    )
    gaps = defaultdict(list)
    refusals = [answer for answer in available.answers if verdict(answer) == "refused"]
    for fault in faults:
        met = [answer.ended - fault.began for answer in refusals if fault.covers(answer)]
        written = (ended - fault.began for _, began, ended in writer.acknowledged if began > fault.began)
        gaps[fault.kind.name].append((max(met, default=0.0), next(written, 0.0)))
    for name, found in sorted(gaps.items()):
        refused, written = (max(column) for column in zip(*found, strict=True))
        print(f"  {name}: refused until {refused:.1f} s, next document after {written:.1f} s ({len(found)})")


def places(unexplained, faults, log):
    """Yield a line for each fault after which requests were refused for no reason that it allows."""
    found = defaultdict(list)
    reasons = reasons_of(unexplained, log)
    for answer in unexplained:
        last = max((number for number, fault in enumerate(faults) if fault.began < answer.ended), default=0)
        found[last, reasons.get(answer.request_id)].append(answer.ended - faults[last].began)
    for (last, reason), seconds in sorted(found.items()):
        fault = faults[last]
        span = f"{min(seconds):.1f} to {max(seconds):.1f} of {fault.ended - fault.began:.1f} s"
        yield f"  unexplained: {len(seconds)} in fault {last + 1}, {fault.kind.name}, {span}: {reason}"


def reasons_of(answers, log):
    """Return by request why it got no answer, as the access log says."""
    asked = {answer.request_id for answer in answers}
    with log.open(encoding="utf-8") as lines:
        requests = map(json.loads, lines)
        return {each["request_id"]: each["unavailable"] for each in requests if each["request_id"] in asked}


def each_is_stored_once(available, writer):
    """Return whether every acknowledged document is in the ledger exactly once."""
    filers = [filer for filer, _, _ in writer.acknowledged]
    counts = available.service.rows(_ONCE, [filer.identifier for filer in filers])
    assert wait_until(lambda: available.publisher.alive, 30)
    return counts == list(itertools.repeat((1,), len(filers)))
