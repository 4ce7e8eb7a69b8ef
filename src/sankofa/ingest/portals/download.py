"""One document over HTTP: asked of one server, at addresses that were checked, within bytes and seconds.

A download that breaks off goes on where it ended, if the server names the version of what it sends. A
document that has not changed since a moment is not sent again.

The standard library's client is used because it does nothing by itself: it follows no redirect, unpacks
nothing, asks no proxy and keeps no connection. What an answer says about its size is not believed; it only
shows whether the answer broke off, or goes on after its stated end.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import IO, Literal, NamedTuple

from sankofa.core.errors import Refused
from sankofa.ingest.portals.addresses import Address, Origin
from sankofa.ingest.portals.arriving import Arriving, TryAgain, WrongAnswer
from sankofa.ingest.portals.portal import Portal

_PIECE_BYTES = 1 << 18
_REDIRECTS = {301, 302, 303, 307, 308}
_MOST_REDIRECTS = 3
_RETRIED = {429, 500, 502, 503, 504}
_OK, _PARTIAL, _UNCHANGED, _NO_SUCH_RANGE = 200, 206, 304, 416
_CONDITIONS = {"If-None-Match", "If-Modified-Since"}
_END_SECONDS = 1.0  # for a server to end a connection that it was asked to close
_MEDIA = {"csv": "text/csv", "text": "text/plain"}

Outcome = Literal["arrived", "unchanged", "nothing"]
Turn = Callable[[], AbstractContextManager[None]]


class Server(NamedTuple):
    """A server with the IP addresses that its name was resolved to, once."""

    origin: Origin
    numbers: tuple[str, ...]


def download(
    server: Server, address: Address, portal: Portal, user_agent: str, arriving: Arriving, *, turn: Turn
) -> Outcome:
    """Write what is at an address into a file, and return whether there was anything, or anything new.

    Every request, also one that a redirect leads to, is made within a `turn`.
    """
    for _ in range(1 + _MOST_REDIRECTS):
        if address.origin != server.origin:
            raise Refused(f"{address.origin} is not the server of this portal")
        wanted = arriving.wanted()
        with turn(), _answer(server, address, portal, user_agent, wanted) as (answer, wire):
            is_rest = answer.status == _PARTIAL and "Range" in wanted
            if answer.status == _OK or is_rest:
                if is_rest:
                    arriving.go_on(answer.headers)
                else:
                    arriving.begin(answer.headers, answer.length)
                _take(answer, wire, portal, arriving)
                return "arrived"
            if answer.status == _UNCHANGED and wanted.keys() & _CONDITIONS:
                return "arrived" if arriving.is_complete else "unchanged"
            if answer.status == _NO_SUCH_RANGE and "Range" in wanted:
                reason = arriving.without_rest(answer.headers)
                arriving.forget()
                raise TryAgain(reason)
            if answer.status in portal.nothing:
                return "nothing"
            if answer.status in _RETRIED or answer.status in portal.also_retried:
                raise TryAgain(f"status {answer.status}", _after(answer.headers.get("Retry-After", "")))
            location = answer.headers.get("Location", "")
            if answer.status not in _REDIRECTS or not location:
                raise WrongAnswer(f"status {answer.status} at {address.target}")
            address = address.followed(location)
    raise WrongAnswer(f"more than {_MOST_REDIRECTS} redirects")


class _Wire(http.client.HTTPConnection):
    """A connection to one of the checked addresses; the name is only shown and verified, never looked up."""

    def __init__(self, server: Server, portal: Portal) -> None:
        self.default_port = 443 if server.origin.scheme == "https" else 80
        super().__init__(server.origin.host, server.origin.port)
        self._server = server
        self._portal = portal
        self._open: socket.socket | None = None  # still ours when the answer has taken the connection over
        self.is_late = False

    def connect(self) -> None:
        """Connect to the first address that answers, and begin TLS there under the server's name."""
        self._open = self._connected()
        self._open.settimeout(self._portal.read_seconds)
        if self._server.origin.scheme == "https":
            self._open = ssl.create_default_context().wrap_socket(
                self._open, server_hostname=self._server.origin.host, do_handshake_on_connect=False
            )
            self._open.do_handshake()
        if self.is_late:  # it may have come while there was nothing to cut yet
            raise TimeoutError
        self.sock = self._open

    def _connected(self) -> socket.socket:
        failed: OSError = OSError("no address")
        for number in self._server.numbers:
            try:
                return socket.create_connection((number, self.port), self._portal.connect_seconds)
            except OSError as failure:
                failed = failure
        raise failed

    def close(self) -> None:
        """Close it, also where TLS never began; an answer that is being read keeps it open until its end."""
        super().close()
        if self._open is not None:
            self._open.close()

    def goes_on(self, answer: http.client.HTTPResponse) -> bool:
        """Return whether bytes follow the stated end of an answer, where the connection should be closed.

        A server that keeps it open sends nothing for a moment. A connection that breaks has ended.
        """
        if answer.length is None or answer.fp is None or self._open is None:
            return False
        self._open.settimeout(_END_SECONDS)
        try:
            return bool(answer.fp.read1(1))
        except OSError:
            return False

    def cut(self) -> None:
        """End it now, whatever another thread waits for on it."""
        self.is_late = True
        if self._open is not None:
            with suppress(OSError):
                self._open.shutdown(socket.SHUT_RDWR)


@contextmanager
def _answer(
    server: Server, address: Address, portal: Portal, user_agent: str, wanted: dict[str, str]
) -> Iterator[tuple[http.client.HTTPResponse, _Wire]]:
    """Ask, and yield the answer whose body is not read yet. One deadline holds for all of it.

    It is kept by a second thread, because a server can stretch every single read.
    """
    wire = _Wire(server, portal)
    deadline = threading.Timer(portal.document_seconds, wire.cut)
    deadline.daemon = True
    deadline.start()
    try:
        wire.request(
            "GET",
            address.target,
            headers={
                "User-Agent": user_agent,
                "Accept": f"{_MEDIA.get(portal.answers, f'application/{portal.answers}')}, */*;q=0.1",
                "Accept-Encoding": "identity",
                "Connection": "close",
                **wanted,
            },
        )
        with wire.getresponse() as answer:
            yield answer, wire
    except ssl.SSLCertVerificationError as unverified:
        raise Refused(f"{server.origin.host} is not who it says: {unverified.verify_message}") from unverified
    except (OSError, http.client.HTTPException, ValueError) as lost:
        raise TryAgain("too slow" if wire.is_late else str(lost) or type(lost).__name__) from lost
    finally:
        deadline.cancel()
        wire.close()


def _take(answer: http.client.HTTPResponse, wire: _Wire, portal: Portal, arriving: Arriving) -> None:
    """Write the body of an answer, and make sure that it is whole."""
    _write(answer, wire, portal, arriving.file)
    if wire.goes_on(answer):
        arriving.forget()
        raise TryAgain("more bytes than Content-Length states")
    arriving.complete(is_certain=answer.chunked or bool(portal.checksum))


def _write(answer: http.client.HTTPResponse, wire: _Wire, portal: Portal, into: IO[bytes]) -> None:
    written = into.tell()
    while piece := answer.read1(_PIECE_BYTES):
        written += len(piece)
        if written > portal.largest_bytes:
            raise WrongAnswer(f"a document of more than {portal.largest_bytes:,} bytes")
        into.write(piece)
        into.flush()  # a process that is killed loses nothing that has come
    if wire.is_late or answer.length:  # an end that came too soon looks like any other
        raise http.client.IncompleteRead(b"", answer.length)


def _after(header: str) -> float:
    """Return the seconds that `Retry-After` asks for: a number, or a moment."""
    if header.isascii() and header.isdecimal():
        return float(header[:9])
    try:
        return (parsedate_to_datetime(header).astimezone(UTC) - datetime.now(UTC)).total_seconds()
    except (ValueError, OverflowError):
        return 0
