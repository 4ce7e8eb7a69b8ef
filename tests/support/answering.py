"""An HTTP server for tests: a function turns each request into an answer, and every request is kept."""

from __future__ import annotations

import json
import os
import socket
import struct
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

_NO_LINGER = struct.pack("ii", 1, 0)  # SO_LINGER: closing discards what is unsent and resets the connection


class Asked(NamedTuple):
    """One request as it arrived."""

    target: str
    headers: dict[str, str]
    began: float
    alongside: int  # requests that were not answered yet
    method: str = "GET"
    body: bytes = b""

    @property
    def path(self):
        return urlsplit(self.target).path

    def __getitem__(self, parameter):
        (value,) = parse_qs(urlsplit(self.target).query)[parameter]
        return value

    def get(self, parameter):
        return parse_qs(urlsplit(self.target).query).get(parameter, [None])[0]


@dataclass
class Answer:
    """What is sent: pieces are written one after the other, and may come from an endless iterator."""

    body: object = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    sized: bool = True  # whether a Content-Length tells the truth about a body of bytes
    resets: bool = False  # whether the connection is reset after the body, instead of closed


class _Server(ThreadingTCPServer):
    """A TCP server that never looks up names, as `http.server` does when it starts."""

    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128


class Portal:
    """A running server; `answer` turns a request into an answer."""

    def __init__(self, answer, host="127.0.0.1", port=0):
        self.requests = []
        self._answer = answer
        self._open = 0
        self._lock = threading.Lock()
        portal = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                portal.handle(self)

            def do_POST(self):
                portal.handle(self)

            def log_message(self, *_):
                pass

        self._server = _Server((host, port), Handler)
        self.port = self._server.server_address[1]
        self.url = f"http://{host}:{self.port}"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def handle(self, handler):
        body = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
        with self._lock:
            self._open += 1
            asked = Asked(
                handler.path, dict(handler.headers), time.monotonic(), self._open, handler.command, body
            )
            self.requests.append(asked)
        try:
            with suppress(BrokenPipeError, ConnectionResetError):
                self._send(handler, self._answer(asked))
        finally:
            handler.close_connection = True
            with self._lock:
                self._open -= 1

    def _send(self, handler, answer):
        if not isinstance(answer, Answer):
            answer = Answer(answer if isinstance(answer, bytes) else json.dumps(answer).encode())
        if "Date" in answer.headers:  # `send_response` would add a second one
            handler.send_response_only(answer.status)
        else:
            handler.send_response(answer.status)
        for name, value in answer.headers.items():
            handler.send_header(name, value)
        if isinstance(answer.body, bytes) and answer.sized:
            handler.send_header("Content-Length", str(len(answer.body)))
        handler.end_headers()
        for piece in [answer.body] if isinstance(answer.body, bytes) else answer.body:
            handler.wfile.write(piece)
            handler.wfile.flush()
        if answer.resets:
            _reset(handler.connection)

    def targets(self):
        return [asked.target for asked in self.requests]

    def repeated(self):
        return [target for target, times in Counter(self.targets()).items() if times > 1]


def _reset(connection):
    """Close the file descriptor itself: `close` would wait for the streams that were made of it."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
    os.close(connection.detach())
