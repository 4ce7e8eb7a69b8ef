"""A portal for tests: a real HTTP server whose answers a test writes, and which notes every request."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

import msgspec

from sankofa.ingest.sources import source


class Asked(NamedTuple):
    """One request as it arrived."""

    target: str
    headers: dict[str, str]
    began: float
    alongside: int  # requests that were not answered yet

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


class Portal:
    """A running server; `answer` turns a request into an answer."""

    def __init__(self, answer):
        self.requests = []
        self._answer = answer
        self._open = 0
        self._lock = threading.Lock()
        portal = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                portal.handle(self)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def handle(self, handler):
        with self._lock:
            self._open += 1
            asked = Asked(handler.path, dict(handler.headers), time.monotonic(), self._open)
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
        handler.send_response(answer.status)
        for name, value in answer.headers.items():
            handler.send_header(name, value)
        if isinstance(answer.body, bytes) and answer.sized:
            handler.send_header("Content-Length", str(len(answer.body)))
        handler.end_headers()
        for piece in [answer.body] if isinstance(answer.body, bytes) else answer.body:
            handler.wfile.write(piece)
            handler.wfile.flush()

    def targets(self):
        return [asked.target for asked in self.requests]

    def repeated(self):
        return [target for target, times in Counter(self.targets()).items() if times > 1]


def at(portal, name, **changes):
    """Return a source of the package as it is, but at the test's server and without long waits."""
    known = source(name)
    moved = {"address": here(portal, known.portal.address)}
    if index := known.portal.index:
        moved["index"] = msgspec.structs.replace(index, address=here(portal, index.address))
    moved["deltas"] = tuple(
        msgspec.structs.replace(delta, address=here(portal, delta.address)) for delta in known.portal.deltas
    )
    gentle = {"pause_seconds": 0, "retry_seconds": 0.01} | moved | changes
    return replace(known, portal=msgspec.structs.replace(known.portal, **gentle))


def here(portal, address):
    """Return an address at the test's server."""
    parts = urlsplit(address)
    return address.replace(f"{parts.scheme}://{parts.netloc}", portal.url)


def release(number, day="2024-03-01"):
    return {
        "ocid": f"ocds-test-{number:05}",
        "id": f"{number:05}-{day}",
        "date": f"{day}T10:00:00Z",
        "tag": ["tender"],
        "initiationType": "tender",
        "tender": {"id": str(number), "title": f"Road works, lot {number}", "status": "active"},
    }


def package(releases, **more):
    return {
        "uri": "https://portal.test/package",
        "version": "1.1",
        "publishedDate": "2024-04-01T00:00:00Z",
        "publisher": {"name": "A portal"},
        "releases": releases,
        **more,
    }
