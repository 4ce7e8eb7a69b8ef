"""A server in front of the service that fails as it is told: real sockets, real HTTP, faults on purpose."""

from __future__ import annotations

import threading
import time
from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Says:
    """An answer of its own."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


DROP = "drop"  # closes the connection without a word
DRIP = "drip"  # sends a byte now and then, for ever
PASS = "pass"


class Faulty(ThreadingHTTPServer):
    """Takes the next fault for each request, and passes on what is left; `asked` holds path and headers."""

    daemon_threads = True

    def __init__(self, behind, faults):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.behind = urlsplit(behind).netloc
        self.faults = deque(faults)
        self.asked = []
        self.answered = []
        self.ended = threading.Event()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, *_):
        """Say nothing: a client that hangs up is part of the test."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.server.asked.append((time.monotonic(), self.path, dict(self.headers)))
        fault = self.server.faults.popleft() if self.server.faults else PASS
        if fault == DROP:
            self.close_connection = True
        elif fault == DRIP:
            self._drip()
        elif fault == PASS:
            self._pass_on()
        else:
            self._answer(fault.status, fault.headers.items(), fault.body)

    def _drip(self):
        self.send_response(200)
        self.send_header("Content-Length", "100000")
        self.end_headers()
        while not self.server.ended.wait(0.05):
            self.wfile.write(b" ")
            self.wfile.flush()

    def _pass_on(self):
        behind = HTTPConnection(self.server.behind, timeout=30)
        headers = {name: text for name, text in self.headers.items() if name.lower() != "host"}
        behind.request("GET", self.path, headers={**headers, "Host": self.server.behind})
        answer = behind.getresponse()
        body = answer.read()
        dropped = ("transfer-encoding", "connection", "content-length", "server", "date")
        kept = [(name, text) for name, text in answer.getheaders() if name.lower() not in dropped]
        self._answer(answer.status, kept, body)
        behind.close()

    def _answer(self, status, headers, body):
        self.server.answered.append(status)
        self.send_response(status)
        for name, text in headers:
            self.send_header(name, text)
        if status not in (204, 304):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@contextmanager
def faulty(behind, *faults):
    server = Faulty(behind, faults)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.ended.set()
        server.shutdown()
        server.server_close()
        thread.join()
