"""Redis: every call ends within the client's own deadline, and every failure is StoreUnavailable.

A stopped server keeps its connections open and never answers, so only the client can give up. A
connection that was given up is closed: its late reply would be read as the reply to the next command.

While the breaker is open, requests fail immediately, and a background task probes the server. If requests
were the probes, then on a quiet service each of them would be one and wait for its timeout.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from redis import WatchError
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.client import Pipeline
from redis.exceptions import ResponseError
from redis.retry import Retry

from sankofa.core.errors import StoreUnavailable
from sankofa.storage import redis_address
from sankofa.storage.breaker import Breaker
from sankofa.storage.patience import Patience

_ATTEMPTS = 2  # the second on a new connection
_IN_A_ROW = 3  # consecutive calls without a reply that open the breaker, however far apart they are
_PROBE_SECONDS = 0.5
_SCAN_COUNT = 1_000
_JOB_SECONDS = 5.0
_WATCHED_SECONDS = 0.5  # shorter than any failover

Word = str | bytes | int


@dataclass(frozen=True, slots=True, kw_only=True)
class RedisOptions:
    """Where one Redis is, what the service calls it, and how long to wait for it."""

    url: str
    component: str
    connections: int = 64
    command: timedelta = timedelta(milliseconds=200)


class Store:
    """One Redis for requests: short deadlines, one retry, a breaker."""

    def __init__(self, options: RedisOptions) -> None:
        self._options = options
        self._seconds = options.command.total_seconds()
        self._connections = redis_address.connections(
            options.url,
            decode_responses=True,
            driver_info=None,
            protocol=2,
            retry=AsyncRetry(NoBackoff(), 0),
            socket_connect_timeout=None,  # connecting is part of the call, whose deadline ends it
            socket_timeout=None,
        )
        self._is_watched = redis_address.watched(options.url) is not None
        self._idle: list[AbstractConnection] = []  # all to the server that answered last
        self._server: object = None  # the address of that one
        self._replied = 0.0  # when it answered
        self._places = asyncio.Semaphore(options.connections)
        self._breaker = Breaker(failures=_IN_A_ROW, within=float("inf"))
        self._probing: asyncio.Task[None] | None = None

    @property
    def is_answering(self) -> bool:
        """Whether the last calls were answered."""
        return self._breaker.is_closed

    async def close(self) -> None:
        """Stop probing and close the connections."""
        if self._probing:
            self._probing.cancel()
            await asyncio.gather(self._probing, return_exceptions=True)
        await self._drop_idle()
        await redis_address.close_sentinels(self._connections)

    async def ask(self, *words: Word) -> Any:  # noqa: ANN401 - a reply has the shape its command gives it
        """Send one command and return its reply, or raise `StoreUnavailable`."""
        try:
            return await self._answer(words)
        except ResponseError as error:
            raise self._unavailable(error) from error

    async def call(self, library: str, function: str, keys: Sequence[str], *arguments: Word) -> Any:  # noqa: ANN401 - as `ask`
        """Call a function of a library, loading the library first if the server lacks it."""
        command = ("FCALL", function, len(keys), *keys, *arguments)
        try:
            return await self._answer(command)
        except ResponseError as error:
            if "Function not found" not in str(error):
                raise self._unavailable(error) from error
        self._breaker.succeeded()  # it answers, so the library can be loaded
        await self.load(library)
        return await self.ask(*command)

    async def load(self, library: str) -> None:
        """Load a function library into the server, replacing an older one of the same name."""
        await self.ask("FUNCTION", "LOAD", "REPLACE", library)

    async def _answer(self, words: Sequence[Word]) -> Any:  # noqa: ANN401 - as `ask`
        if not self._breaker.is_closed:
            self._keep_probing()
            raise StoreUnavailable(self._options.component, "it did not answer lately")
        failure: Exception | None = None
        for attempt in range(_ATTEMPTS):
            try:
                async with Patience(self._seconds), self._places:
                    reply = await self._exchange(words, is_first=attempt == 0)
            except ResponseError:
                raise
            except Exception as error:
                failure = error
                await self._drop_idle()
            else:
                self._breaker.succeeded()
                return reply
        raise self._unavailable(failure) from failure

    def _unavailable(self, failure: Exception | None) -> StoreUnavailable:
        """Count a failed call and return its error; if this opens the breaker, start probing."""
        self._breaker.failed()
        if not self._breaker.is_closed:
            self._keep_probing()
        return StoreUnavailable(self._options.component, type(failure).__name__)

    def _keep_probing(self) -> None:
        """Start probing if no task does. One that was cancelled would leave the breaker open for good."""
        if self._probing is None or self._probing.done():
            self._probing = asyncio.create_task(self._probe())

    async def _probe(self) -> None:
        """Send PING at intervals until the server replies, then close the breaker."""
        while not self._breaker.is_closed:
            await asyncio.sleep(_PROBE_SECONDS)
            try:
                async with Patience(self._seconds):
                    await self._exchange(("PING",), is_first=False)
            except Exception:
                self._breaker.failed()
            else:
                self._breaker.succeeded()

    async def _exchange(self, words: Sequence[Word], *, is_first: bool) -> Any:  # noqa: ANN401 - as `ask`
        """Use one connection for one command; it is used again only after a complete reply."""
        connection = await self._connection(is_first=is_first)
        is_clean = False
        try:
            if not connection.is_connected:
                await connection.connect()  # type: ignore[no-untyped-call]
            await connection.send_command(*words, check_health=False)
            try:
                reply = await connection.read_response()
            except ResponseError:
                is_clean = True  # an error reply is a complete reply too
                raise
            is_clean = True
        finally:
            if is_clean:
                await self._keep(connection)
            else:
                await connection.disconnect(nowait=True)
        return reply

    async def _connection(self, *, is_first: bool) -> AbstractConnection:
        """Return an idle connection, or a new one if there is none or this is a second attempt.

        Behind Sentinels, a server that did not answer lately may no longer be the master and not have noticed
        it, so no connection to it is used again.
        """
        if self._is_watched and time.monotonic() - self._replied > _WATCHED_SECONDS:
            await self._drop_idle()
        if is_first and self._idle:
            return self._idle.pop()
        made: AbstractConnection = self._connections.make_connection()  # type: ignore[no-untyped-call]
        return made

    async def _keep(self, connection: AbstractConnection) -> None:
        """Keep a connection that was answered for later calls; those to another server are closed."""
        server = connection.repr_pieces()  # type: ignore[no-untyped-call]
        if server != self._server:
            await self._drop_idle()
        self._server, self._replied = server, time.monotonic()
        self._idle.append(connection)

    async def _drop_idle(self) -> None:
        idle, self._idle = self._idle, []
        for connection in idle:
            await connection.disconnect(nowait=True)


class JobStore:
    """One Redis for operators' commands: blocking, in batches, with longer deadlines."""

    def __init__(self, options: RedisOptions, seconds: float = _JOB_SECONDS) -> None:
        self._component = options.component
        self._client = redis_address.client(
            options.url,
            decode_responses=True,
            protocol=2,
            retry=Retry(NoBackoff(), 0),
            socket_connect_timeout=seconds,
            socket_timeout=seconds,
        )

    def close(self) -> None:
        """Close the connections."""
        redis_address.close(self._client)

    def ask(self, *words: Word) -> Any:  # noqa: ANN401 - as `Store.ask`
        """Send one command and return its reply."""
        try:
            return self._client.execute_command(*words)  # type: ignore[no-untyped-call]
        except Exception as error:
            raise StoreUnavailable(self._component, type(error).__name__) from error

    def apply(self, commands: Sequence[Sequence[Word]], guard: tuple[str, str] | None = None) -> list[Any]:
        """Send commands that take effect together or not at all, and return their replies.

        With a guard, they take effect only while that key has that value.
        """
        try:
            with self._client.pipeline(transaction=True) as batch:
                if guard:
                    _watch(batch, *guard)
                for words in commands:
                    batch.execute_command(*words)  # type: ignore[no-untyped-call]
                return batch.execute()
        except Exception as error:
            raise StoreUnavailable(self._component, type(error).__name__) from error

    def names(self, pattern: str) -> Iterator[list[str]]:
        """Yield in batches every key that matches and existed during the whole scan; some may come twice."""
        cursor = 0
        while True:
            cursor, names = self.ask("SCAN", cursor, "MATCH", pattern, "COUNT", _SCAN_COUNT)
            yield names
            if not cursor:
                return


def _watch(batch: Pipeline, name: str, value: str) -> None:
    """Begin a transaction that fails if a key has, or gets, another value."""
    batch.watch(name)  # type: ignore[no-untyped-call]
    if batch.get(name) != value:
        raise WatchError
    batch.multi()
