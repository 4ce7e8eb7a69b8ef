"""The client that waits: it sends with httpx and sleeps with the clock, and leaves the rest to the core."""

from __future__ import annotations

import copy
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

import httpx
import msgspec

from sankofa_client import _answer
from sankofa_client._cache import Cache
from sankofa_client._conversation import OK, Conversation, Core, Send, Wait
from sankofa_client._disk_cache import DiskCache
from sankofa_client._download import download, incoming, link
from sankofa_client._methods import Methods
from sankofa_client._question import Day, Endpoint, Scope, question, text_of
from sankofa_client._retry import Patience, Reply, Silence
from sankofa_client._rows import Rows
from sankofa_client._scope import Scoped
from sankofa_client._sending import LATE, answering, silence, time_for
from sankofa_client.currency import MAX_AGE_DAYS, Amount, Converted, converted
from sankofa_client.proofs import Proven, verify
from sankofa_client.rows import Artifact, FundamentalsFact
from sankofa_client.trailing import Trailing, ttm

if TYPE_CHECKING:
    from sankofa_client.lake import Lake

T = TypeVar("T")
R = TypeVar("R")
A = TypeVar("A", bound=Amount)


class Client(Methods):
    """Asks a service. Threads may share one.

    `timeout` bounds one question in all, attempts and waits included; with `wait_for_limits`, a limit of the
    minute that is reached is waited for, however often, instead of an error; `edition` pins every question to
    one edition; answers are kept by their ETag, up to `cache_bytes`, and the service is asked whether they
    hold; `disk_cache` keeps the answers of named editions in a directory, and reuses them without a request.
    """

    def __init__(
        self,
        url: str,
        *,
        key: str | None = None,
        edition: int | None = None,
        timeout: float = 30.0,
        attempts: int = 4,
        wait_for_limits: bool = False,
        cache_bytes: int = 32 << 20,
        disk_cache: DiskCache | None = None,
    ) -> None:
        patience = Patience(seconds=timeout, attempts=attempts, waits_for_limits=wait_for_limits)
        self._core = Core(url, key, patience, Cache(cache_bytes), disk_cache)
        self._http = httpx.Client()
        self._scoped = Scoped(Scope(edition=edition))

    def __repr__(self) -> str:
        return f"Client({self._core.url!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    @property
    def scope(self) -> Scope:
        """What is added here to questions that do not say otherwise."""
        return self._scoped.current

    @contextmanager
    def as_of(self, day: Day | None) -> Iterator[Self]:
        """Ask what was knowable on a day, inside the block; None lifts it.

        It holds for this thread or task and for tasks started from it. Other threads never see it: give them
        the client that the block names, which is fixed to the day wherever it is used.
        """
        scope = Scope(None if day is None else text_of(day), self.scope.edition)
        with self._scoped.entered(scope):
            yield self._fixed(scope)

    @contextmanager
    def pinned(self, edition: int | None = None) -> Iterator[Self]:
        """Ask one edition inside the block: that one, else the one already pinned, else the current one."""
        number = edition or self.scope.edition or self.editions(limit=1).edition
        scope = Scope(self.scope.as_of, number)
        with self._scoped.entered(scope):
            yield self._fixed(scope)

    def ttm(self, service_id: str, *, line_item: str, unit: str | None = None) -> Trailing:
        """Add up the twelve months that end with the newest period known, and show the parts.

        NotCovered if what was reported does not add up to twelve months.
        """
        result: Trailing = self._run(ttm(self._core, self.scope, service_id, line_item, unit))
        return result

    def verify(self, fact: FundamentalsFact, *, public_key: str) -> Proven:
        """Check that a fact is part of an edition that the owner of a public key signed (base64).

        NotProven if it is not, or was altered. Needs the package `cryptography`.
        """
        result: Proven = self._run(verify(self._core, self.scope, fact, public_key))
        return result

    def converted(
        self, rows: Iterable[A], currency: str, *, max_age_days: int = MAX_AGE_DAYS
    ) -> list[Converted[A]]:
        """Convert amounts of fundamentals or a panel by served rates, and show the rates.

        A rate is the last one up to the end of the period, no older than `max_age_days`, known on the day
        that the rows were asked for, or on that of the block around the call.
        """
        scope = rows.scope if isinstance(rows, Rows) else self.scope
        result: list[Converted[A]] = self._run(
            converted(self._core, scope, list(rows), currency, max_age_days)
        )
        return result

    def download(self, file: Artifact | str, to: str | os.PathLike[str]) -> Path:
        """Read a file that `export` lists into a path, and check its sha256; returns the path."""
        target = Path(to)
        with incoming(target) as into:
            self._run(download(self._core, self.scope, file, into))
        return target

    def lake(self) -> Lake:
        """Open whole tables, each with every edition, for DuckDB, PyIceberg and Polars.

        Needs a paid key and the packages of the extra `lake`. Files are read where they are kept.
        """
        opened: Lake = import_module("sankofa_client.lake").Lake(
            list(self.export()), lambda name: self._run(link(self._core, self.scope, name))
        )
        return opened

    def status(self) -> _answer.Status:
        """Return whether the service and its parts work; needs no key, and says so too if they do not."""
        return _answer.status(self._run(self._core.ask("/v1/status", fine=frozenset({OK, 503}))))

    def freshness(self) -> _answer.Freshness:
        """Return when each source was last good, is due next, and becomes stale; needs no key."""
        return _answer.freshness(self._run(self._core.ask("/v1/freshness")))

    def health(self) -> bool:
        """Return whether the process runs."""
        reply: Reply = self._run(self._core.ask("/health"))
        return reply.status == OK

    def openapi(self) -> dict[str, Any]:
        """Return the service's description of itself."""
        reply: Reply = self._run(self._core.ask("/openapi.json"))
        return msgspec.json.decode(reply.content, type=dict[str, Any])

    def _ask(self, endpoint: Endpoint[T], **asked: Any) -> Rows[T]:
        return Rows(self._core, self._run, question(endpoint, asked, self.scope))

    def _fixed(self, scope: Scope) -> Self:
        fixed = copy.copy(self)
        fixed._scoped = Scoped(scope)
        return fixed

    def _run(self, conversation: Conversation[R]) -> R:
        outcome: Reply | Silence | None = None
        while True:
            try:
                step = conversation.send(outcome)
            except StopIteration as ended:
                result: R = ended.value
                return result
            outcome = self._do(step)

    def _do(self, step: Send | Wait) -> Reply | Silence | None:
        if isinstance(step, Send):
            return self._send(step)
        time.sleep(step.seconds)
        return None

    def _send(self, step: Send) -> Reply | Silence:
        began = time.monotonic()
        body = bytearray()
        try:
            with self._http.stream(
                "GET", step.url, headers=dict(step.headers), timeout=time_for(step), follow_redirects=False
            ) as response:
                take = answering(step, response, body)
                for chunk in response.iter_bytes():
                    take(chunk)
                    if step.sink is None and time.monotonic() - began > step.seconds:
                        return LATE
                return Reply(response.status_code, response.headers, bytes(body))
        except httpx.RequestError as error:
            return silence(error)
