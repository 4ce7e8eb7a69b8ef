"""The client that is awaited: it sends with httpx and sleeps in the event loop; the core is the same."""

from __future__ import annotations

import asyncio
import copy
import os
import time
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Self, TypeVar

import httpx
import msgspec

from sankofa_client import _answer
from sankofa_client._async_methods import AsyncMethods
from sankofa_client._async_rows import AsyncRows
from sankofa_client._cache import Cache
from sankofa_client._conversation import OK, Conversation, Core, Send, Wait
from sankofa_client._disk_cache import DiskCache
from sankofa_client._download import download, incoming
from sankofa_client._question import Day, Endpoint, Scope, question, text_of
from sankofa_client._retry import Patience, Reply, Silence
from sankofa_client._scope import Scoped
from sankofa_client._sending import LATE, answering, silence, time_for
from sankofa_client.currency import MAX_AGE_DAYS, Amount, Converted, converted
from sankofa_client.proofs import Proven, verify
from sankofa_client.rows import Artifact, FundamentalsFact
from sankofa_client.trailing import Trailing, ttm

T = TypeVar("T")
R = TypeVar("R")
A = TypeVar("A", bound=Amount)


class AsyncClient(AsyncMethods):
    """Asks a service from an event loop; `Client` says what the arguments mean."""

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
        self._http = httpx.AsyncClient()
        self._scoped = Scoped(Scope(edition=edition))

    def __repr__(self) -> str:
        return f"AsyncClient({self._core.url!r})"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        await self._http.aclose()

    @property
    def scope(self) -> Scope:
        """What is added here to questions that do not say otherwise."""
        return self._scoped.current

    @contextmanager
    def as_of(self, day: Day | None) -> Iterator[Self]:
        """Ask what was knowable on a day, inside the block; None lifts it.

        It holds for this task and for tasks started from it. Other tasks and threads never see it: give them
        the client that the block names, which is fixed to the day wherever it is used.
        """
        scope = Scope(None if day is None else text_of(day), self.scope.edition)
        with self._scoped.entered(scope):
            yield self._fixed(scope)

    @asynccontextmanager
    async def pinned(self, edition: int | None = None) -> AsyncIterator[Self]:
        """Ask one edition inside the block: that one, else the one already pinned, else the current one."""
        number = edition or self.scope.edition or (await self.editions(limit=1).first_page()).edition
        scope = Scope(self.scope.as_of, number)
        with self._scoped.entered(scope):
            yield self._fixed(scope)

    async def ttm(self, service_id: str, *, line_item: str, unit: str | None = None) -> Trailing:
        """Add up the twelve months that end with the newest period known; `Client.ttm` says how."""
        return await self._run(ttm(self._core, self.scope, service_id, line_item, unit))

    async def verify(self, fact: FundamentalsFact, *, public_key: str) -> Proven:
        """Check that a fact is part of a signed edition; `Client.verify` says how."""
        return await self._run(verify(self._core, self.scope, fact, public_key))

    async def converted(
        self, rows: Iterable[A] | AsyncRows[A], currency: str, *, max_age_days: int = MAX_AGE_DAYS
    ) -> list[Converted[A]]:
        """Convert amounts by served rates; `Client.converted` says how."""
        scope = await rows.scope() if isinstance(rows, AsyncRows) else self.scope
        found = [row async for row in rows] if isinstance(rows, AsyncRows) else list(rows)
        return await self._run(converted(self._core, scope, found, currency, max_age_days))

    async def download(self, file: Artifact | str, to: str | os.PathLike[str]) -> Path:
        """Read a file that `export` lists into a path, and check its sha256; returns the path."""
        target = Path(to)
        with incoming(target) as into:
            await self._run(download(self._core, self.scope, file, into))
        return target

    async def status(self) -> _answer.Status:
        """Return whether the service and its parts work; needs no key, and says so too if they do not."""
        return _answer.status(await self._run(self._core.ask("/v1/status", fine=frozenset({OK, 503}))))

    async def freshness(self) -> _answer.Freshness:
        """Return when each source was last good, is due next, and becomes stale; needs no key."""
        return _answer.freshness(await self._run(self._core.ask("/v1/freshness")))

    async def health(self) -> bool:
        """Return whether the process runs."""
        return (await self._run(self._core.ask("/health"))).status == OK

    async def openapi(self) -> dict[str, Any]:
        """Return the service's description of itself."""
        reply = await self._run(self._core.ask("/openapi.json"))
        return msgspec.json.decode(reply.content, type=dict[str, Any])

    def _ask(self, endpoint: Endpoint[T], **asked: Any) -> AsyncRows[T]:
        return AsyncRows(self._core, self._run, question(endpoint, asked, self.scope))

    def _fixed(self, scope: Scope) -> Self:
        fixed = copy.copy(self)
        fixed._scoped = Scoped(scope)
        return fixed

    async def _run(self, conversation: Conversation[R]) -> R:
        outcome: Reply | Silence | None = None
        while True:
            try:
                step = conversation.send(outcome)
            except StopIteration as ended:
                result: R = ended.value
                return result
            outcome = await self._do(step)

    async def _do(self, step: Send | Wait) -> Reply | Silence | None:
        if isinstance(step, Send):
            return await self._send(step)
        await asyncio.sleep(step.seconds)
        return None

    async def _send(self, step: Send) -> Reply | Silence:
        began = time.monotonic()
        body = bytearray()
        try:
            async with self._http.stream(
                "GET", step.url, headers=dict(step.headers), timeout=time_for(step), follow_redirects=False
            ) as response:
                take = answering(step, response, body)
                async for chunk in response.aiter_bytes():
                    take(chunk)
                    if step.sink is None and time.monotonic() - began > step.seconds:
                        return LATE
                return Reply(response.status_code, response.headers, bytes(body))
        except httpx.RequestError as error:
            return silence(error)
