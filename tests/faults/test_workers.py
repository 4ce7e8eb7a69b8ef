"""OPS-4: a worker that crashes or hangs is replaced, and a stop breaks no running request."""

from __future__ import annotations

import os
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path

import pytest

from dev import process
from dev.ports import unused_ports
from dev.service import wait_until
from sankofa.surfaces.supervision import SILENT_SECONDS
from support.load import Load, asked

CALLERS = 4


@pytest.fixture(scope="module")
def service(module_service):
    module_service.publish()
    return module_service


@pytest.fixture
def start(service):
    """Return a starter of API processes; all are stopped afterwards."""
    started = []

    def start(workers, drain_seconds=0):
        port = next(unused_ports())
        api = service.installation.api(port, workers=workers, drain_seconds=drain_seconds)
        started.append(api)
        api.start()
        assert wait_until(lambda: len(process.children(api.pid)) == workers, 10)
        return api

    yield start
    for api in started:
        api.stop()


@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_worker_is_replaced_and_no_connection_is_refused(start, workers):
    api = start(workers)
    with Load(api.port, CALLERS).running() as load:
        assert wait_until(lambda: load.outcomes[200] > 50, 40)
        killed = process.children(api.pid)[0]
        os.kill(killed, signal.SIGKILL)
        assert wait_until(
            lambda: len(process.children(api.pid)) == workers and killed not in process.children(api.pid), 40
        )
        answered = load.outcomes[200]
        assert wait_until(lambda: load.outcomes[200] > answered + 50, 40)
    print(dict(load.outcomes), f"slowest {max(load.seconds):.2f} s")
    assert load.outcomes["ConnectionRefusedError"] == 0
    # What the killed worker was answering is lost with it: one request of each caller at most.
    assert sum(load.outcomes.values()) - load.outcomes[200] <= CALLERS


def test_a_worker_that_hangs_holds_no_request_beyond_the_deadline(start):
    api = start(2)
    kept = [KeptConnection(api.port) for _ in range(16)]
    assert {connection.ask() for connection in kept} == {200}
    with Load(api.port, CALLERS).running() as load:
        assert wait_until(lambda: load.outcomes[200] > 50, 40)
        frozen = max(process.children(api.pid), key=open_files)  # it has the most of those connections
        os.kill(frozen, signal.SIGSTOP)
        with ThreadPoolExecutor(len(kept)) as pool:
            frozen_at = time.monotonic()
            outcomes = list(pool.map(KeptConnection.ask, kept))
            held = time.monotonic() - frozen_at
        assert wait_until(lambda: frozen not in process.children(api.pid), SILENT_SECONDS + 10)
        assert wait_until(lambda: len(process.children(api.pid)) == 2, 10)
        answered = load.outcomes[200]
        assert wait_until(lambda: load.outcomes[200] > answered + 50, 40)
    for connection in kept:
        connection.close()
    print(dict(load.outcomes), f"slowest {max(load.seconds):.2f} s; kept: {outcomes}, held {held:.2f} s")
    assert max(load.seconds) < SILENT_SECONDS + 5
    assert sum(load.outcomes.values()) - load.outcomes[200] <= CALLERS
    assert set(outcomes) <= {200, "ended"}
    assert "ended" in outcomes
    assert held < SILENT_SECONDS + 5


def test_a_stop_is_announced_first_and_breaks_no_running_request(start, service):
    api = start(2, drain_seconds=3)
    key = service.issue("professional").key
    with Load(api.port, CALLERS, "/v1/editions", {"X-API-Key": key}).running() as load:
        assert wait_until(lambda: load.outcomes[200] > 20, 40)
        slow = begun_message(api.port, key)
        os.kill(api.pid, signal.SIGTERM)
        told_at = time.monotonic()
        # A load balancer checks for the health, and sends nothing more once it fails.
        assert wait_until(lambda: asked(api.port)[0] == 503, 2)
        print(f"announced after {time.monotonic() - told_at:.2f} s")
    with slow:
        slow.sendall(b'","method":"ping"}')
        answer = slow.makefile("rb").read()
    print(dict(load.outcomes))
    assert set(load.outcomes) == {200}
    assert answer.startswith(b"HTTP/1.1 200")
    assert b"connection: close" in answer
    assert wait_until(lambda: not api.alive, 20)


def test_a_worker_that_hangs_does_not_keep_the_service_from_stopping(start):
    api = start(2)
    os.kill(process.children(api.pid)[0], signal.SIGSTOP)
    os.kill(api.pid, signal.SIGTERM)
    assert wait_until(lambda: not api.alive, 25)


def open_files(pid):
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


class KeptConnection:
    """A connection that is used for several requests."""

    def __init__(self, port):
        self._connection = HTTPConnection("127.0.0.1", port, timeout=30)

    def ask(self):
        """Return the status, or that the server ended the connection."""
        try:
            self._connection.request("GET", "/health")
            response = self._connection.getresponse()
            response.read()
        except ConnectionError:
            self.close()
            return "ended"
        return response.status

    def close(self):
        self._connection.close()


def begun_message(port, key):
    """Send a message over MCP but for its end."""
    begun = b'{"jsonrpc":"2.0","id":"1'
    length = len(begun) + len(b'","method":"ping"}')
    connection = socket.create_connection(("127.0.0.1", port), timeout=30)
    connection.sendall(
        b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        b"Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-11-25\r\n"
        + f"X-API-Key: {key}\r\nContent-Length: {length}\r\n\r\n".encode()
        + begun
    )
    return connection
