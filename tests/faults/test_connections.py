"""OPS-5, MCP-1, KEY-2: callers who send nothing, little or nonsense cost the others nothing."""

from __future__ import annotations

import json
import os
import resource
import select
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from dev.ports import unused_ports
from dev.service import wait_until
from sankofa.surfaces.server import HEAD_SECONDS, UNREAD_SECONDS
from sankofa.web.body import BODY_SECONDS
from support.load import Load, asked

TESTS = Path(__file__).parents[1]
IS_FULL = os.environ.get("AUDIT_SIZE") == "full"
SOCKETS = 5_000
BODIES = 1_200
# The slowest answer of /health: a full audit has a machine to itself, CI runs other tests beside it.
MOST_SECONDS = 0.1 if IS_FULL else 2.0
# How much slower the usual answer may become.
TIMES_SLOWER = 2 if IS_FULL else 5


@pytest.fixture(scope="module")
def api(module_service):
    module_service.publish()
    no_limit = {"SANKOFA_TIERS": '{"professional": {"per_minute": 1000000}}'}
    api = module_service.installation.api(next(unused_ports()), workers=2, environment=no_limit)
    api.start()
    yield api
    api.stop()


@pytest.fixture
def usual(api):
    """Return how long /health takes while nothing else is going on."""
    return sorted(asked(api.port)[1] for _ in range(50))[25]


@pytest.fixture
def many_files():
    """Permit this process more files than usual."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, SOCKETS + 1_000)), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


class Crowd:
    """Connections that send something at first and then a little each second, until the server ends them."""

    def __init__(self, port, first, drip):
        self.port, self.first, self.drip = port, first, drip
        self.answers = []
        self._open = {}
        self._poll = select.epoll()
        self._dripped_at = time.monotonic()

    def watch(self, number, at_once, seconds):
        """Open connections, some at once, and ask for /health all the while; return the slowest answer."""
        left, slowest, start = number, 0.0, time.monotonic()
        while (left or self._open) and time.monotonic() < start + seconds:
            for _ in range(min(left, at_once)):
                self._join()
                left -= 1
            outcome, took = asked(self.port)
            assert outcome == 200
            slowest = max(slowest, took)
            self._receive()
            self._send()
        still = len(self._open)
        for connection in self._open.values():
            connection.close()
        assert (left, still) == (0, 0), f"{still} connections were not ended within {seconds} s"
        print(f"{number} connections ended within {time.monotonic() - start:.1f} s")
        return slowest

    def _join(self):
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=10)
        connection.sendall(self.first)
        connection.setblocking(False)
        self._open[connection.fileno()] = connection
        self._poll.register(connection, select.EPOLLRDHUP)

    def _receive(self):
        for file, _ in self._poll.poll(0.01, 1_000):
            self._poll.unregister(file)
            with self._open.pop(file) as connection, suppress(OSError):
                self.answers.append(connection.recv(65_536))

    def _send(self):
        if self.drip and time.monotonic() > self._dripped_at + 1:
            self._dripped_at = time.monotonic()
            for connection in self._open.values():
                with suppress(OSError):
                    connection.send(self.drip)


@pytest.mark.parametrize(
    ("first", "drip"), [(b"", b""), (b"GET /health HTTP/1.1\r\nX-Slow: ", b"x")], ids=["idle", "slow heads"]
)
@pytest.mark.usefixtures("many_files")
def test_thousands_of_idle_and_slow_connections_delay_nobody_and_are_ended(api, usual, first, drip):
    slowest = Crowd(api.port, first, drip).watch(SOCKETS, 500, HEAD_SECONDS + 15)
    print(f"usual {usual:.4f} s, slowest {slowest:.4f} s")
    assert slowest < MOST_SECONDS


def message_of(key):
    field = f"X-API-Key: {key}\r\n" if key else ""
    return f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n{field}Content-Length: 1000\r\n\r\n{{".encode()


@pytest.mark.parametrize("status", [401, 408])
def test_slow_bodies_are_ended_and_read_only_for_callers_with_a_key(api, module_service, status):
    key = module_service.issue("professional").key if status == 408 else None
    crowd = Crowd(api.port, message_of(key), b" ")
    print(f"slowest {crowd.watch(BODIES, 5, BODY_SECONDS + 30):.3f} s")
    assert {answer.split()[1] for answer in crowd.answers} == {str(status).encode()}


def test_a_caller_who_reads_nothing_is_disconnected(api):
    """The kernel does it: the server cannot write, and has no deadline for that."""
    asking = b"GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 100
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        connection.connect(("127.0.0.1", api.port))
        connection.sendall(asking)
        start = time.monotonic()
        # The end itself sends nothing: it is seen by the next byte that is sent.
        assert wait_until(lambda: is_ended(connection), UNREAD_SECONDS + 25)
    print(f"disconnected after {time.monotonic() - start:.1f} s")


def is_ended(connection):
    try:
        connection.send(b"G")
    except ConnectionError:
        return True
    return False


def test_thousands_of_unknown_keys_delay_nobody_else(api, module_service):
    """The valid key comes from the same address: it is answered as ever."""
    valid = {"X-API-Key": module_service.issue("professional").key}
    with Load(api.port, 1, "/v1/editions", valid).running() as before:
        assert wait_until(lambda: before.outcomes[200] >= 300, 30)
    with Load(api.port, 1, "/v1/editions", valid).running() as during:
        answered = flooded(api.port, *((50_000, 500) if IS_FULL else (1_500, 50)))
    print(
        f"others: {before.median * 1e3:.1f} ms before, {during.median * 1e3:.1f} ms during; flood: {answered}"
    )
    assert set(during.outcomes) == {200}
    assert during.median < TIMES_SLOWER * before.median
    assert set(answered) == {"401", "429"}
    # Each of the two processes counts for itself, in any minute.
    assert answered["401"] <= 2 * 100 * (1 + during.elapsed // 60)


def flooded(port, keys, connections):
    """Return how the keys of a stranger were answered, by status."""
    line = [sys.executable, "-m", "support.key_flood", str(port), str(keys), str(connections)]
    done = subprocess.run(line, cwd=TESTS, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)
