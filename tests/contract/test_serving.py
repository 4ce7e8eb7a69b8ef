"""OPS-1, OPS-4, OPS-5, ENV-18 and KEY-2: how the server treats connections, its workers and its own end."""

from __future__ import annotations

import os
import signal
import socket
import time

import pytest

from dev import process
from dev.ports import unused_ports
from dev.service import wait_until
from sankofa.access.keys import generate
from support.load import asked


@pytest.fixture(scope="module")
def api(module_service):
    module_service.publish()
    return module_service


def exchanged(port, sent, seconds=30):
    """Send bytes; return what came back until the server ended the connection, and when that was."""
    start = time.monotonic()
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as connection:
        connection.sendall(sent)
        answer = connection.makefile("rb").read()
    return answer, time.monotonic() - start


@pytest.mark.proves("OPS-5")
def test_a_head_must_be_complete_within_ten_seconds(api):
    for sent in (b"GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: ", b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"):
        answer, seconds = exchanged(api.api.port, sent)
        assert answer.startswith(b"HTTP/1.1 200") is sent.endswith(b"\r\n\r\n")
        assert 8 < seconds < 15


@pytest.mark.proves("OPS-5", "MCP-1")
def test_a_message_must_be_complete_within_five_seconds_and_is_read_for_valid_keys_only(api):
    for key, status, earliest, latest in ((api.issue().key, b"408", 4, 9), ("nonsense", b"401", 0, 4)):
        head = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: {key}\r\nContent-Length: 99\r\n\r\n"
        answer, seconds = exchanged(api.api.port, head.encode() + b"{")
        assert answer.split()[1] == status
        assert earliest < seconds < latest


@pytest.mark.proves("OPS-5")
def test_the_body_of_another_request_is_not_read(api):
    answer, seconds = exchanged(api.api.port, b"GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n")
    assert answer.split()[1] == b"200"
    assert seconds < 5


@pytest.mark.proves("ENV-7")
def test_a_head_above_64_kib_never_becomes_a_request(api):
    answer, _ = exchanged(api.api.port, b"GET /health HTTP/1.1\r\nX-Large: " + b"x" * (66 << 10))
    assert answer.split()[1] == b"431"
    assert b"x-request-id" not in answer


@pytest.mark.proves("ENV-18")
def test_https_is_required_for_a_year_where_it_is_used(make_service):
    service = make_service(SANKOFA_PROXIES='["127.0.0.1"]')
    for path, status in (("/v1/status", 503), ("/nowhere", 404), ("/v1/editions", 401)):
        secure = service.client.get(path, headers={"X-Forwarded-Proto": "https"})
        plain = service.client.get(path)
        assert (secure.status_code, plain.status_code) == (status, status)
        assert secure.headers["strict-transport-security"] == "max-age=31536000"
        assert "strict-transport-security" not in plain.headers
        assert {each.headers["cross-origin-resource-policy"] for each in (secure, plain)} == {"same-origin"}


@pytest.mark.proves("KEY-2", "KEY-10")
def test_many_refused_keys_get_429_and_a_valid_one_beside_them_does_not(make_service):
    service = make_service(SANKOFA_REFUSED_KEYS="3")
    service.publish()
    valid = service.issue().key

    def ask(key):
        return service.client.get("/v1/editions", headers={"X-API-Key": key} if key else {})

    refused = [ask(key) for key in (generate(), "nonsense", generate(), "nonsense", generate())]
    assert [response.status_code for response in refused] == [401, 401, 401, 429, 429]
    for response in refused[3:]:
        assert (response.json()["policy"], response.json()["limit"]) == ("refused-keys", 3)
        assert 1 <= int(response.headers["retry-after"]) <= 61
        assert response.elapsed.total_seconds() > 1.9
    assert ask(None).status_code == 401
    assert ask(valid).status_code == 200


@pytest.mark.proves("OPS-4")
def test_a_worker_that_crashes_is_replaced_and_refuses_nobody(api):
    before = process.children(api.api.pid)
    os.kill(before[0], signal.SIGKILL)
    outcomes = {asked(api.api.port)[0] for _ in range(20)}
    assert outcomes == {200}
    assert wait_until(lambda: process.children(api.api.pid) not in ([], before), 10)


@pytest.mark.proves("OPS-1", "OPS-4")
def test_health_fails_before_the_service_stops(api):
    server = api.installation.api(next(unused_ports()), drain_seconds=2)
    server.start()
    os.kill(server.pid, signal.SIGTERM)
    assert wait_until(lambda: asked(server.port)[0] == 503, 2)
    answer, _ = exchanged(server.port, b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert answer.endswith(b'{"status":"stopping"}')
    assert b"connection: close" in answer
    assert asked(server.port, "/v1/editions", {"X-API-Key": api.issue().key})[0] == 200
    assert wait_until(lambda: not server.alive, 20)
    assert asked(server.port)[0] == "ConnectionRefusedError"
