"""A proxy that counts: what readers asked of a server, and how many bytes of bodies they were sent."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

_PASSED_ON = ("Range", "If-None-Match", "If-Match", "If-Modified-Since")


class Counting(ThreadingHTTPServer):
    """A server in front of another; `log` holds method, path, range and bytes sent."""

    daemon_threads = True

    def __init__(self, behind):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.behind = urlsplit(behind)
        self.log = []

    @property
    def sent(self):
        return sum(size for *_, size in self.log)

    def url(self, address):
        return address.replace(
            f"{self.behind.scheme}://{self.behind.netloc}", f"http://127.0.0.1:{self.server_port}"
        )


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        behind = HTTPConnection(self.server.behind.netloc, timeout=30)
        headers = {name: self.headers[name] for name in _PASSED_ON if name in self.headers}
        behind.request(self.command, self.path, headers=headers)
        answer = behind.getresponse()
        body = answer.read()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("transfer-encoding", "connection", "content-length", "server", "date"):
                self.send_header(name, value)
        self.send_header("Content-Length", answer.headers.get("Content-Length") or str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.server.log.append((self.command, self.path, self.headers.get("Range"), len(body)))
        behind.close()

    def do_HEAD(self):
        self.do_GET()

    def log_message(self, *_):
        pass


@contextmanager
def counting(behind):
    """Run such a server in front of an address."""
    with Counting(behind) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()
