"""How a question gets its answer: what is sent, when it is sent again, what is kept. No sending is done here.

A conversation is a generator: it yields what is to be done, a request or a wait, and is told what came of
it. The two clients differ only in how they send and wait.
"""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar
from urllib.parse import urlsplit

from sankofa_client import _answer, _frames
from sankofa_client._answer import Page
from sankofa_client._cache import Answers, Cache
from sankofa_client._disk_cache import DiskCache
from sankofa_client._errors import (
    ConnectionFailed,
    DeadlineExceeded,
    InvalidParameter,
    SankofaError,
    UnsafeRedirect,
    UpgradeRequired,
    failure,
    problem,
)
from sankofa_client._frames import ArrowTable
from sankofa_client._progress import counting
from sankofa_client._question import Question
from sankofa_client._retry import Patience, Reply, Silence, retry_after

T = TypeVar("T")
R = TypeVar("R")

JSON = "application/json"
OK = 200
NOT_MODIFIED = 304
NOT_FOUND = 404
_REDIRECTS = range(300, 400)
_MOST_ROWS = 10_000  # of a page, by the service's own description
_AT_MOST = re.compile(r"at most ([0-9]+)")
_AGENT = "sankofa-client/0.1.0"


@dataclass(frozen=True, slots=True)
class Send:
    """A GET to be sent; with `sink`, the body of a success goes there, and `seconds` bounds each silence."""

    url: str
    headers: Mapping[str, str] = field(repr=False)  # the key is among them
    seconds: float
    sink: Callable[[bytes], object] | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """A pause."""

    seconds: float


Conversation = Generator[Send | Wait, Reply | Silence | None, R]


class Core:
    """What both clients share: where the service is, the key, patience, and answers that were kept."""

    def __init__(
        self, url: str, key: str | None, patience: Patience, cache: Cache, disk: DiskCache | None = None
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username or parts.query:
            raise ValueError("expected the address of a service, such as https://api.example")
        if key is not None and not (key.isascii() and key.isprintable()):
            raise ValueError("this is no key: it holds characters that no key has")
        self.url = url.rstrip("/")
        self._key = key
        self.patience = patience
        self._answers = Answers(cache, disk, self.url, key)
        self._most_rows = _MOST_ROWS

    def page(self, question: Question[T]) -> Conversation[Page[T]]:
        """Ask for one page."""
        reply = yield from self.ask(question.address)
        return _answer.page(question.endpoint, reply, self.url)

    def table(self, question: Question[T], most: int | None) -> Conversation[ArrowTable]:
        """Ask for all pages as Arrow, in as few requests as the tier permits."""
        question, page = yield from self._first_table(question, most)
        pages, rows = [page], page.num_rows
        with counting(question.endpoint.name, rows) as count:
            while (cursor := _frames.next_cursor(page)) and (most is None or rows < most):
                reply = yield from self.ask(question.with_(cursor=cursor).address, _frames.ARROW)
                page = _table(reply)
                pages.append(page)
                rows += page.num_rows
                count(page.num_rows)
        return _frames.joined(pages, most)

    def _first_table(
        self, question: Question[T], most: int | None
    ) -> Conversation[tuple[Question[T], ArrowTable]]:
        """Ask for the first page: who names no `limit` gets the largest pages of use."""
        is_free = "limit" in question.endpoint.takes and question.sends("limit") is None
        rows = min(self._most_rows, max(most, 1)) if most is not None else self._most_rows
        asked = question.with_(limit=rows) if is_free else question
        try:
            reply = yield from self.ask(asked.address, _frames.ARROW)
        except (InvalidParameter, UpgradeRequired) as error:
            permitted = _permitted(error) if is_free else None
            if permitted is None:
                raise
            self._most_rows = permitted
            asked = question.with_(limit=permitted)
            reply = yield from self.ask(asked.address, _frames.ARROW)
        return asked, _table(reply)

    def ask(
        self, address: str, form: str = JSON, fine: frozenset[int] = frozenset({OK})
    ) -> Conversation[Reply]:
        """Ask until there is an answer, patience ends, or asking again is no help."""
        if (confirmed := self._answers.confirmed(address, form)) is not None:
            return confirmed
        url = self.url + address
        began = time.monotonic()
        attempt = 0
        while True:
            attempt += 1
            left = self.patience.seconds - (time.monotonic() - began)
            kept = self._answers.get(address, form)
            outcome = yield Send(url, self._headers(form, kept.etag if kept else None), max(left, 0.001))
            assert outcome is not None, "a request has an outcome"  # noqa: S101  # who drives it must say
            if isinstance(outcome, Reply) and outcome.status == NOT_MODIFIED and kept:
                self._answers.confirm(address, form)
                return kept.reply
            if isinstance(outcome, Reply) and outcome.status in fine:
                if outcome.status == OK:
                    self._answers.keep(address, form, outcome)
                return outcome
            if (limited := self.patience.limit(outcome)) is not None:
                yield Wait(limited)
                began, attempt = time.monotonic(), 0
                continue
            left = self.patience.seconds - (time.monotonic() - began)
            pause = self.patience.pause(outcome, attempt=attempt, left=left)
            if pause is None:
                if isinstance(outcome, Reply) and outcome.status == NOT_FOUND:
                    self._answers.drop(address, form)
                raise self._error(outcome, attempt)
            yield Wait(pause)

    def fetch(
        self, url: str, sink: Callable[[bytes], object], anew: Callable[[], object]
    ) -> Conversation[None]:
        """Read a file from wherever it is kept, without the key; `anew` is called before each attempt."""
        for attempt in itertools.count(1):
            anew()
            outcome = yield Send(url, {"User-Agent": _AGENT}, self.patience.seconds, sink)
            if isinstance(outcome, Reply) and outcome.status == OK:
                return
            assert outcome is not None, "a request has an outcome"  # noqa: S101  # who drives it must say
            pause = self.patience.pause(outcome, attempt=attempt, left=self.patience.seconds)
            if pause is None:
                raise self._error(outcome, attempt)
            yield Wait(pause)

    def _headers(self, form: str, etag: str | None) -> dict[str, str]:
        headers = {"Accept": form, "User-Agent": _AGENT}
        if self._key is not None:
            headers["X-API-Key"] = self._key
        if etag:
            headers["If-None-Match"] = etag
        return headers

    def _error(self, outcome: Reply | Silence, attempt: int) -> SankofaError:
        if isinstance(outcome, Silence):
            kind = DeadlineExceeded if outcome.timed_out else ConnectionFailed
            title = "No answer in time" if outcome.timed_out else "No connection"
            return failure(kind, title, f"{outcome.reason} (attempt {attempt}).")
        request_id = outcome.headers.get("x-request-id")
        if outcome.status in _REDIRECTS:
            detail = "The key was not sent there. Give the client the address that the service itself has."
            return failure(
                UnsafeRedirect,
                "The answer leads elsewhere",
                detail,
                status=outcome.status,
                request_id=request_id,
            )
        return problem(outcome.status, outcome.content, self.url, request_id, retry_after(outcome.headers))


def _table(reply: Reply) -> ArrowTable:
    try:
        return _frames.arrow(reply.content)
    except ValueError as error:  # Arrow's own kind of it
        raise _answer.unreadable(reply, str(error)) from None


def _permitted(error: SankofaError) -> int | None:
    """Return the most rows of a page that the tier gives, if that is what the error is about."""
    if error.parameters != ["limit"]:
        return None
    told = _AT_MOST.search(error.detail or "")
    return error.limit or (int(told[1]) if told else None)
