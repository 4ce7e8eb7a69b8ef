"""KEY-9: in which order stores fail and come back: no 200 for a revoked key, no 401 for a valid one."""

from __future__ import annotations

import itertools
import shutil
import subprocess
import threading
import time
from contextlib import contextmanager

import httpx
import pytest
from redis import Redis as Client

from dev.follower import Follower
from dev.installation import command
from dev.ports import unused_ports
from dev.redis_server import Redis
from dev.stack import temporary_home
from support.filings import Filer
from support.waiting import until

REVOKED_WITHIN = 5.0  # seconds
RECOVERY = 30.0  # seconds for a busy machine; no promise
_PAUSE = 0.02  # between two requests of one caller, so that others on the machine get their turn
UNLIMITED = '{"professional": {"per_minute": 1000000}}'


class Callers:
    """Asks each process with each key, over and over, and notes each answer; a refused connection is none."""

    def __init__(self, service, keys, *others):
        self._urls = [f"{api.url}/v1/editions" for api in (service.api, *others)]
        self._keys = keys
        self._ended = threading.Event()
        self.answers = []

    def __enter__(self):
        every = itertools.product(self._keys, self._urls)
        self._threads = [threading.Thread(target=self._ask, args=each) for each in every]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        for thread in self._threads:
            thread.join()

    def _ask(self, name, url):
        with httpx.Client(headers={"X-API-Key": self._keys[name]}, timeout=15) as client:
            while not self._ended.wait(_PAUSE):
                began = time.monotonic()
                try:
                    self.answers.append((began, name, client.get(url).status_code))
                except httpx.TransportError:
                    continue

    def statuses(self, name, since=0.0):
        return {status for moment, who, status in self.answers if who == name and moment >= since}

    def await_answers(self, name, status, seconds=RECOVERY):
        """Wait until this key gets this status."""
        since = time.monotonic()
        while status not in (got := self.statuses(name, since)):
            assert time.monotonic() < since + seconds, f"{name}: {got or 'no answer'}, not {status}"
            time.sleep(0.01)


@pytest.fixture
def service(make_service):
    """Return a service whose key store is a server of its own, with a file that can be replaced."""
    with temporary_home() as home:
        service = make_service(SANKOFA_TIERS=UNLIMITED)
        service.installation.keys = Redis(home / "keys", "redis_keys", next(unused_ports()), persistent=True)
        service.installation.keys.start()
        service.ingest(Filer(1).says(100, filed="2024-02-01").document())
        service.publish()
        yield service
        service.api.stop()
        service.installation.keys.destroy()


@pytest.fixture
def other(service):
    """Return a second API process."""
    other = service.installation.api(next(unused_ports()), environment=service.environment)
    other.start()
    yield other
    other.stop()


@pytest.fixture
def follower(service):
    follower = Follower(service.installation)
    follower.start()
    yield follower
    follower.destroy()


@pytest.fixture
def older(service, tmp_path):
    """Return a way to put the key store's file back to an earlier state: first kept, then restored."""
    server = service.installation.keys

    class Older:
        def keep(self):
            server.stop()
            shutil.copytree(server.home, tmp_path / "kept")
            server.start()

        def restore(self):
            server.stop()
            shutil.rmtree(server.home)
            shutil.copytree(tmp_path / "kept", server.home)
            server.start()

    return Older()


def degraded(service):
    return httpx.get(f"{service.api.url}/v1/status", timeout=15).json()["degraded"]


def revoke(service, issued):
    """Revoke by the operator's command; return its end and the moment from which the record counts."""
    line, environment = command(service.installation, "keys", "revoke", issued.key_id)
    done = subprocess.run(line, env=environment, capture_output=True, text=True, check=False)
    (((at, now),)) = service.rows(
        "SELECT recorded_at, clock_timestamp() FROM ops.key_event WHERE key_id = %s AND kind = 'revoked'",
        issued.key_id,
    )
    return done, time.monotonic() - (now - at).total_seconds()


def heals(service, callers):
    """Wait for the state that PostgreSQL records, without an operator."""
    callers.await_answers("revoked", 401)
    callers.await_answers("valid", 200)
    until(lambda: degraded(service) == [])


def judged_rightly(callers, since):
    print({name: sorted(callers.statuses(name)) for name in ("revoked", "valid")}, len(callers.answers))
    assert 200 not in callers.statuses("revoked", since)
    assert 401 not in callers.statuses("valid")


@contextmanager
def frozen(server):
    server.pause()
    try:
        yield
    finally:
        server.resume()


@contextmanager
def crashed(server):
    server.kill9()
    try:
        yield
    finally:
        server.start()


@contextmanager
def full(server):
    """The store answers reads and refuses writes."""
    with Client.from_url(server.url) as client:
        client.config_set("maxmemory", 1)
        try:
            yield
        finally:
            client.config_set("maxmemory", 0)


@pytest.mark.usefixtures("follower")
@pytest.mark.parametrize("fault", [frozen, crashed, full])
def test_a_revocation_that_the_store_could_not_take_holds_within_five_seconds(service, other, fault):
    revoked, valid = service.issue(), service.issue()
    with Callers(service, {"revoked": revoked.key, "valid": valid.key}, other) as callers:
        callers.await_answers("revoked", 200)
        with fault(service.installation.keys):
            done, recorded = revoke(service, revoked)
            assert (done.returncode, "Traceback" in done.stderr) == (1, False)
            assert "recorded" in done.stderr
            callers.await_answers("revoked", 503, REVOKED_WITHIN)
            until(lambda: degraded(service) == ["keys"])
        heals(service, callers)
    judged_rightly(callers, recorded + REVOKED_WITHIN)
    print(
        f"last 200 {max(m for m, who, s in callers.answers if (who, s) == ('revoked', 200)) - recorded:.2f} s"
    )


def test_an_older_file_is_not_trusted_by_a_restarted_process(service, older):
    revoked = service.issue()
    older.keep()
    assert revoke(service, revoked)[0].returncode == 0
    valid = service.issue()
    service.api.stop()
    older.restore()
    service.api.start()
    with Callers(service, {"revoked": revoked.key, "valid": valid.key}) as callers:
        callers.await_answers("revoked", 503)
        callers.await_answers("valid", 503)
        assert degraded(service) == ["keys"]
        follower = Follower(service.installation)
        follower.start()
        try:
            heals(service, callers)
        finally:
            follower.destroy()
    judged_rightly(callers, 0.0)


@pytest.mark.usefixtures("follower")
def test_an_emptied_store_is_filled_by_itself(service):
    revoked, valid = service.issue(), service.issue()
    assert revoke(service, revoked)[0].returncode == 0
    with Callers(service, {"revoked": revoked.key, "valid": valid.key}) as callers:
        heals(service, callers)
        emptied = time.monotonic()
        for _ in range(5):
            with Client.from_url(service.installation.keys.url) as client:
                client.flushall()
            heals(service, callers)
    judged_rightly(callers, emptied)


@pytest.mark.usefixtures("follower")
@pytest.mark.parametrize("is_restarted", [True, False])
def test_an_older_store_is_not_trusted_while_postgresql_is_down(service, stack, older, is_restarted):
    revoked = service.issue()
    older.keep()
    _, recorded = revoke(service, revoked)
    valid = service.issue()
    with Callers(service, {"revoked": revoked.key, "valid": valid.key}) as callers:
        heals(service, callers)
        with crashed(stack.postgres):
            older.restore()
            if is_restarted:
                service.api.stop()
                service.api.start()
            since = time.monotonic()
            callers.await_answers("valid", 503)
            until(lambda: "keys" in degraded(service) and time.monotonic() - since > REVOKED_WITHIN)
        heals(service, callers)
    judged_rightly(callers, recorded + REVOKED_WITHIN)


@pytest.mark.usefixtures("follower")
def test_a_process_cut_off_from_postgresql_forgets_its_trust_within_five_seconds(service, stack):
    revoked, valid = service.issue(), service.issue()
    with Callers(service, {"revoked": revoked.key, "valid": valid.key}) as callers:
        callers.await_answers("revoked", 200)
        with full(service.installation.keys):
            _, recorded = revoke(service, revoked)
            with frozen(stack.postgres):
                callers.await_answers("revoked", 503, REVOKED_WITHIN)
                until(lambda: time.monotonic() > recorded + REVOKED_WITHIN + 1)
        heals(service, callers)
    judged_rightly(callers, recorded + REVOKED_WITHIN)
