"""Download one document over HTTP from checked addresses of one server, within limits of bytes and seconds.

An interrupted download is resumed if the server names the version. An unchanged document is not sent again.

The standard library's client is used because it does nothing by itself: it follows no redirect, unpacks
nothing, uses no proxy and keeps no connection. The stated size of an answer is not trusted; it only shows
whether the answer is truncated or continues after its stated end.
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
from sankofa.ingest.portals.key import Held
from sankofa.ingest.portals.portal import Portal
from sankofa.ingest.portals.post import Body

_PIECE_BYTES = 1 << 18
_REDIRECTS = {301, 302, 303, 307, 308}
_MOST_REDIRECTS = 3
_RETRIED = {429, 500, 502, 503, 504}
_OK, _PARTIAL, _UNCHANGED, _NO_SUCH_RANGE = 200, 206, 304, 416
_CONDITIONS = {"If-None-Match", "If-Modified-Since"}
_END_SECONDS = 1.0  # for a server to end a connection after `Connection: close`
_MEDIA = {"csv": "text/csv", "text": "text/plain"}

Outcome = Literal["arrived", "unchanged", "nothing"]
Turn = Callable[[], AbstractContextManager[None]]


class Server(NamedTuple):
    """A server with the IP addresses that its name resolved to, and the operator's key there."""

    origin: Origin
    numbers: tuple[str, ...]
    key: Held | None = None


def download(
    server: Server, address: Address, portal: Portal, user_agent: str, arriving: Arriving, *, turn: Turn
) -> Outcome:
    """Download a URL into a file, and return whether it arrived, is missing or is unchanged.

    Every request, including redirects, is made within a `turn`.
    """
    for _ in range(1 + _MOST_REDIRECTS):
        if address.origin != server.origin:
            raise Refused(f"{address.origin} is not the server of this portal")
        wanted = arriving.wanted()
        exchange = _answer(server, address, portal, user_agent, wanted=wanted, body=arriving.body)
        with turn(), exchange as (answer, wire):
            is_rest = answer.status == _PARTIAL and "Range" in wanted
            if answer.status == _OK or is_rest:
                if is_rest:
                    arriving.go_on(answer.headers)
                else:
                    arriving.begin(answer.headers, answer.length)
                _take(answer, wire, portal, arriving, server.key)
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
            address = _followed(server, address, location, arriving)
    raise WrongAnswer(f"more than {_MOST_REDIRECTS} redirects")


def _followed(server: Server, address: Address, location: str, arriving: Arriving) -> Address:
    if server.key or arriving.body:
        raise WrongAnswer("a redirect, and a request with a key or by POST follows none")
    return address.followed(location)


class _Wire(http.client.HTTPConnection):
    """A connection to one of the checked addresses; the name is sent and verified, but not resolved."""

    def __init__(self, server: Server, portal: Portal) -> None:
        self.default_port = 443 if server.origin.scheme == "https" else 80
        super().__init__(server.origin.host, server.origin.port)
        self._server = server
        self._portal = portal
        self._open: socket.socket | None = None  # kept when the response takes over the connection
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
        if self.is_late:  # the deadline may have passed before there was a socket
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
        """Close it, even if TLS never started; a response that is being read keeps it open."""
        super().close()
        if self._open is not None:
            self._open.close()

    def goes_on(self, answer: http.client.HTTPResponse) -> bool:
        """Return whether bytes follow the stated end of an answer.

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
        """Shut down the socket now, even if another thread waits on it."""
        self.is_late = True
        if self._open is not None:
            with suppress(OSError):
                self._open.shutdown(socket.SHUT_RDWR)


@contextmanager
def _answer(
    server: Server,
    address: Address,
    portal: Portal,
    user_agent: str,
    *,
    wanted: dict[str, str],
    body: Body | None,
) -> Iterator[tuple[http.client.HTTPResponse, _Wire]]:
    """Send the request and yield the response before its body is read, under one deadline.

    A second thread enforces the deadline, because a server can stretch every single read.
    """
    wire = _Wire(server, portal)
    deadline = threading.Timer(portal.document_seconds, wire.cut)
    deadline.daemon = True
    deadline.start()
    try:
        wire.request(
            "POST" if body else "GET",
            server.key.target(address.target) if server.key else address.target,
            body.content if body else None,
            headers={
                "User-Agent": user_agent,
                "Accept": f"{_MEDIA.get(portal.answers, f'application/{portal.answers}')}, */*;q=0.1",
                "Accept-Encoding": "identity",
                "Connection": "close",
                **(server.key.header() if server.key else {}),
                **wanted,
            },
        )
        with wire.getresponse() as answer:
            yield answer, wire
    except ssl.SSLCertVerificationError as unverified:
        raise Refused(f"{server.origin.host} is not who it says: {unverified.verify_message}") from unverified
    except (OSError, http.client.HTTPException, ValueError) as lost:
        reason = "too slow" if wire.is_late else str(lost) or type(lost).__name__
        raise TryAgain(server.key.hidden(reason) if server.key else reason) from (
            None if server.key else lost
        )
    finally:
        deadline.cancel()
        wire.close()


def _take(
    answer: http.client.HTTPResponse, wire: _Wire, portal: Portal, arriving: Arriving, key: Held | None
) -> None:
    """Write the body of an answer, and check that it is complete and does not repeat the key."""
    _write(answer, wire, portal, arriving.file)
    if wire.goes_on(answer):
        arriving.forget()
        raise TryAgain("more bytes than Content-Length states")
    if key and key.is_in(arriving.file):
        arriving.forget()
        raise WrongAnswer("the answer contains the key of the request: it is not kept")
    arriving.complete(is_certain=answer.chunked or bool(portal.checksum))


def _write(answer: http.client.HTTPResponse, wire: _Wire, portal: Portal, into: IO[bytes]) -> None:
    written = into.tell()
    while piece := answer.read1(_PIECE_BYTES):
        written += len(piece)
        if written > portal.largest_bytes:
            raise WrongAnswer(f"a document of more than {portal.largest_bytes:,} bytes")
        into.write(piece)
        into.flush()  # so that a killed process loses no received bytes
    if wire.is_late or answer.length:  # a truncated body looks like a normal end
        raise http.client.IncompleteRead(b"", answer.length)


def _after(header: str) -> float:
    """Return the seconds of `Retry-After`, which is a number or a date."""
    if header.isascii() and header.isdecimal():
        return float(header[:9])
    try:
        return (parsedate_to_datetime(header).astimezone(UTC) - datetime.now(UTC)).total_seconds()
    except (ValueError, OverflowError):
        return 0
