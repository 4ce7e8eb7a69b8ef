"""The HTTP client of one run against one portal: servers, pauses and retries.

Requests go only to servers that the definition names, at the addresses resolved when the run began.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import NamedTuple

import msgspec

from sankofa.core.errors import Refused, StoreUnavailable
from sankofa.ingest.portals.addresses import Origin, address, resolved
from sankofa.ingest.portals.arriving import Arriving, TryAgain, WrongAnswer
from sankofa.ingest.portals.download import Outcome, Server, download
from sankofa.ingest.portals.key import Held, Key
from sankofa.ingest.portals.portal import Portal
from sankofa.ingest.portals.post import Body
from sankofa.ingest.portals.spool import room, sweep
from sankofa.ingest.portals.turns import Turns
from sankofa.ingest.validators import Validators

_LONGEST_WAIT = 900.0  # seconds that a portal may ask us to wait before we give up
_SUM_BYTES = 1 << 12
_SUM = re.compile(rb"([0-9a-fA-F]{64}|[0-9a-fA-F]{32})(?:\s.*)?", re.DOTALL)
_HASHES = {64: "sha256", 32: "md5"}


class Found(NamedTuple):
    """The outcome of a request: the file, if one arrived, and the validators of its version."""

    outcome: Outcome
    file: Path | None
    validators: Validators


class PortalClient:
    """Sends the requests of one run, one at a time."""

    def __init__(
        self,
        name: str,
        portal: Portal,
        *,
        user_agent: str,
        turns: Turns,
        spool: Path | None,
        keys: Mapping[str, str],
    ) -> None:
        self._name = name
        self._user_agent = user_agent
        self._turns = turns
        self._spool = spool
        origins = dict.fromkeys(address(url).origin for url in portal.declared())
        self._servers = {origin: Server(origin, self._numbers(origin)) for origin in origins}
        if portal.key:
            where = address(next(portal.declared())).origin
            self._servers[where] = self._servers[where]._replace(key=self._held(portal.key, keys))
        self._ready: dict[str, float] = {}  # by host, when this run may send the next request
        if spool:
            sweep(spool)

    def _numbers(self, origin: Origin) -> tuple[str, ...]:
        try:
            return resolved(origin)
        except StoreUnavailable as unknown:
            raise StoreUnavailable(self._name, str(unknown)) from unknown
        except Refused as refused:
            raise Refused(f"{self._name}: {refused}") from refused

    def _held(self, key: Key, keys: Mapping[str, str]) -> Held | None:
        try:
            return key.held(keys)
        except Refused as refused:
            raise Refused(f"{self._name}: {refused}") from refused

    @contextmanager
    def fetched(
        self,
        url: str,
        portal: Portal,
        *,
        known: Validators | None = None,
        checksum: str = "",
        body: Body | None = None,
    ) -> Iterator[Found]:
        """Yield the file at a URL, or the answer to a `body` that is sent there; it is removed afterwards.

        A file with the `known` version is not downloaded again.
        """
        with room(None if body else self._spool, self._name, url) as place:
            arriving = Arriving(place.file, known, place.note, body)
            outcome = self._retried(url, portal, partial(self._checked, url, portal, arriving, checksum))
            yield Found(outcome, place.path if outcome == "arrived" else None, arriving.validators)

    def _retried(self, url: str, portal: Portal, attempt: Callable[[], Outcome]) -> Outcome:
        host = address(url).origin.host
        wait = portal.retry_seconds
        for left in reversed(range(portal.attempts)):
            try:
                return attempt()
            except TryAgain as failed:
                if failed.after > 0:
                    self._turns.rest(host, failed.after)
                if not left or failed.after > _LONGEST_WAIT:
                    again = f", asks to come back in {failed.after:,.0f} s" if failed.after > 0 else ""
                    raise StoreUnavailable(self._name, f"{url}: {failed}{again}") from failed
                self._ready[host] = time.monotonic() + max(wait, failed.after, portal.pause_seconds)
                wait *= 2
            except WrongAnswer as wrong:
                raise StoreUnavailable(self._name, f"{url}: {wrong}") from wrong
            except Refused as refused:
                raise Refused(f"{self._name}: {url}: {refused}") from refused
        raise AssertionError("a portal is asked at least once")

    def _checked(self, url: str, portal: Portal, arriving: Arriving, checksum: str) -> Outcome:
        """Download a document and compare its checksum."""
        outcome = self._downloaded(url, portal, arriving)
        if outcome == "arrived" and checksum:
            expected = self._checksum(checksum, portal)
            arriving.file.seek(0)
            if hashlib.file_digest(arriving.file, _HASHES[len(expected)]).hexdigest() != expected:  # type: ignore[arg-type]
                arriving.forget()
                raise TryAgain("its checksum is another")
        return outcome

    def _checksum(self, url: str, portal: Portal) -> str:
        with TemporaryFile(prefix="sankofa-") as file:
            small = msgspec.structs.replace(portal, answers="text", checksum="", largest_bytes=_SUM_BYTES)
            self._downloaded(url, small, Arriving(file))
            file.seek(0)
            found = _SUM.fullmatch(file.read().lstrip())
        if found is None:
            raise TryAgain(f"no checksum at {url}")
        return found[1].decode().lower()

    def _downloaded(self, url: str, portal: Portal, arriving: Arriving) -> Outcome:
        where = address(url)
        turn = partial(self._turn, where.origin.host, portal.pause_seconds)
        return download(self._servers[where.origin], where, portal, self._user_agent, arriving, turn=turn)

    @contextmanager
    def _turn(self, host: str, pause: float) -> Iterator[None]:
        """Wait for the pause of this run and for the turn at the host."""
        _sleep(self._ready.get(host, 0.0) - time.monotonic())
        wait = self._turns.take(host, pause)
        if wait > _LONGEST_WAIT:
            raise StoreUnavailable(self._name, f"{host} asks to come back in {wait:,.0f} s")
        _sleep(wait)
        try:
            yield
        finally:
            self._ready[host] = time.monotonic() + pause


def _sleep(seconds: float) -> None:
    time.sleep(max(0.0, seconds))
