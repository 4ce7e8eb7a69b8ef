"""The demo publisher of `make live`: serves the days of the demo world over HTTP, to this machine only.

Every source has an index of the documents of the last days at `/NAME/index`, and each of them at
`/NAME/FILE`. A document never changes, so a conditional request for it is answered with 304.
"""

import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Self

from demo import companyfacts, macro_rates, tenders_ke
from demo.days import Day
from dev.own_sources import silence

SOURCES = {companyfacts.SOURCE: "json", tenders_ke.SOURCE: "json", macro_rates.SOURCE: "csv"}
_LISTED = 10  # days: a worker that is slow misses none of them
_HEADER = "documents"
_SOURCE = """\
[portal]
address = "{url}/{name}/{{item}}"
answers = "{answers}"
pause_seconds = 0
retry_seconds = 0.2

[portal.index]
address = "{url}/{name}/index"
header = "{header}"
pattern = "(?P<id>.+)"
id = "[A-Za-z0-9.-]+"

[due]
at = "* * * * * */3"
"""


class Publisher:
    """A server on a free port, and what it has published so far."""

    def __init__(self) -> None:
        """Open the port; nothing is answered before the block is entered."""
        self._offered: dict[str, dict[str, bytes]] = {name: {} for name in SOURCES}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._is_asked = threading.Event()
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> Self:
        """Begin to answer."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Close the port."""
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        """Where the server answers."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def await_request(self, seconds: float) -> bool:
        """Wait for the first request; return whether there was one in time."""
        return self._is_asked.wait(seconds)

    def publish(self, day: Day) -> None:
        """Offer the documents of a day from now on."""
        for name, document in day.documents.items():
            self._offered[name][document.name] = document.content

    def write_sources(self, folder: Path) -> None:
        """Write a folder for SANKOFA_SOURCES in which only the sources of this server are due."""
        folder.mkdir(parents=True, exist_ok=True)
        silence(folder)
        for name, answers in SOURCES.items():
            text = _SOURCE.format(url=self.url, name=name, answers=answers, header=_HEADER)
            (folder / f"{name}.toml").write_text(text, encoding="utf-8")

    def _found(self, path: str) -> bytes | None:
        """Return what there is at a path: an index, a document, or nothing."""
        self._is_asked.set()
        _, name, file = [*path.split("/"), "", ""][:3]
        offered = self._offered.get(name, {})
        if name in self._offered and file == "index":
            return "\n".join([_HEADER, *list(offered)[-_LISTED:], ""]).encode()
        return offered.get(file)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        publisher = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                body = publisher._found(self.path)
                status = HTTPStatus.OK if body is not None else HTTPStatus.NOT_FOUND
                if body is not None and self.headers["If-Modified-Since"]:
                    status, body = HTTPStatus.NOT_MODIFIED, b""
                self.send_response(status)
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *_: object) -> None:
                """Keep the terminal for what arrives."""

        return Handler
