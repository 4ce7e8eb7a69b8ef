"""Unusual heads: what the HTTP library makes of them. What it accepts is named in docs/operations."""

from __future__ import annotations

import socket

import pytest


@pytest.fixture(scope="module")
def exchange(module_service):
    """Return a sender of bytes, which returns all that came back."""

    def exchange(sent):
        with socket.create_connection(("127.0.0.1", module_service.api.port), timeout=30) as connection:
            connection.sendall(sent)
            return connection.makefile("rb").read()

    return exchange


def test_the_host_field_decides_and_a_foreign_target_shows_nowhere(exchange):
    for target, host, status in (
        (b"http://foreign.example/nowhere", b"127.0.0.1", b"404"),
        (b"http://127.0.0.1/nowhere", b"foreign.example", b"421"),
        (b"/nowhere", b"foreign.example", b"421"),
    ):
        answer = exchange(b"GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n" % (target, host))
        assert answer.split()[1] == status
        assert b"foreign" not in answer


def test_a_head_with_bare_line_feeds_is_one_request(exchange):
    answer = exchange(
        b"GET /health HTTP/1.1\nHost: 127.0.0.1\nConnection: close\n\nGET /nowhere HTTP/1.1\n\n"
    )
    assert answer.count(b"HTTP/1.1 ") == 1
    assert answer.split()[1] == b"200"


@pytest.mark.parametrize(
    "head",
    [
        b"GET /health HTTP/1.1\rHost: 127.0.0.1\r\r",
        b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\rX-Other: x\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Folded: a\r\n b\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost : 127.0.0.1\r\n\r\n",
    ],
    ids=["bare return", "bare return in a field", "folded field", "space before the colon"],
)
def test_heads_that_others_could_read_otherwise_are_refused(exchange, head):
    assert exchange(head).split()[1] == b"400"


def test_a_chunked_body_with_bare_line_feeds_is_refused(exchange, module_service):
    head = (
        b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        b"X-API-Key: %s\r\nTransfer-Encoding: chunked\r\n\r\n" % module_service.issue().key.encode()
    )
    answer = exchange(head + b'21\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n0\n\n')
    assert answer.split()[1] == b"400"
