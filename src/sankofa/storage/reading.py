"""The read side of PostgreSQL: several servers, each queried only for editions that it holds.

A replica may lag. A server is used for an edition once it has reported that edition and the newest known
takedown. If none has, each is checked once more, the primary last. A server that lacks an edition never
answers for it. A new edition becomes current when most servers hold it: before, the primary alone would
answer all of its questions.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Any, NamedTuple, cast

import psycopg
from psycopg import AsyncConnection, AsyncRawCursor
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from sankofa.core.errors import BadParameter, StoreUnavailable
from sankofa.storage.breaker import Breaker
from sankofa.storage.edition import Buckets, Edition, Editions, Touched
from sankofa.storage.kept_rows import KeptRows
from sankofa.storage.key_events import KeyEvents
from sankofa.storage.postgres import cut, required_dsn
from sankofa.storage.queries import named, positional

Row = tuple[Any, ...]
_SQL = named(__package__, "reading.sql")
_PROBE_SECONDS = 1.0
_LAG_SECONDS = 5.0  # after them, an edition becomes current although most servers lack it
_FIRST_PROBE_SECONDS = 5.0  # before the first edition is known: reads everything that was ever touched
# Pages are read in index order, mostly from memory. With the default costs of spinning disks, the planner
# would fetch and sort all candidate rows of a page.
# A statement whose connection was cut ends within the interval of the check, instead of running to its end.
SESSION = "-c datestyle=ISO -c timezone=UTC -c random_page_cost=1.1 -c client_connection_check_interval=100"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """Where the readers connect and how long they wait. The DSN may name several hosts."""

    dsn: str
    connections: int = 8  # for all concurrent answers, and the poll
    acquire: timedelta = timedelta(milliseconds=500)
    answer: timedelta = timedelta(milliseconds=1_200)  # all attempts together: ERR-7 allows two seconds
    poll: timedelta = timedelta(seconds=1)
    stale: timedelta = timedelta(seconds=5)
    # A revocation that only PostgreSQL holds must end a key within five seconds of its record.
    keys_stale: timedelta = timedelta(seconds=4)
    kept_rows: int = 25_000


@dataclass(slots=True)
class Server:
    """One PostgreSQL server and the newest edition and takedown it has reported."""

    pool: AsyncConnectionPool[AsyncConnection[Row]]
    newest: tuple[int, int] = (0, 0)
    is_primary: bool = False
    is_silent: bool = True  # until it answers; silent servers are tried last
    busy: int = 0
    known: dict[int, Edition] = field(default_factory=dict)
    check: asyncio.Task[None] | None = None  # the one under way, for all who wait for it
    breaker: Breaker = field(default_factory=Breaker)

    def failed(self) -> None:
        """Record that the server did not answer."""
        self.is_silent = True
        self.breaker.failed()

    def answered(self) -> None:
        """Record that the server answered."""
        self.is_silent = False
        self.breaker.succeeded()


class Standing(NamedTuple):
    """The state of one server as this process observes it."""

    name: str
    is_primary: bool
    edition: int
    is_breaker_open: bool
    connections: int


class _Learnt(NamedTuple):
    """The row of the statement that asks a server for its standing."""

    number: int | None
    mark: str
    published_at: datetime
    takedown: int
    newest_event: int
    recent_keys: list[str]
    is_replica: bool
    follows: bool
    editions: Editions | None
    touched: Buckets | None


class Reader:
    """Reads pinned to editions, over all servers of the read DSN."""

    def __init__(self, options: ReadOptions) -> None:
        self._options = options
        self.kept = KeptRows[Any](options.kept_rows)
        self._servers = [Server(_pool(conninfo, options)) for conninfo in _hosts(options.dsn)]
        self._turn = itertools.count()
        self._current: Edition | None = None
        self._touched = Touched()  # as of the current edition, whichever server reported it
        self._takedown = 0
        self._confirmed = 0.0
        self._held_back = float("inf")  # since when a newer edition waits for servers that lag
        self._key_events = KeyEvents()
        self._key_events_time = float("-inf")
        self._poller: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Start connecting and polling. If the first poll fails, requests raise StoreUnavailable."""
        for server in self._servers:
            await server.pool.open(wait=False)
        await self._poll()
        self._poller = asyncio.create_task(self._poll_forever())

    async def close(self) -> None:
        """Stop polling and close the connections."""
        if self._poller:
            self._poller.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._poller
        await asyncio.gather(*(server.pool.close(timeout=1) for server in self._servers))

    @property
    def takedown(self) -> int:
        """The number of the newest takedown that any server has reported."""
        return self._takedown

    @property
    def newest(self) -> int | None:
        """The number of the current edition, None before the first."""
        return self._current.number if self._current else None

    @property
    def standing(self) -> tuple[Edition, int] | None:
        """The current edition and the newest takedown, None if the edition is not confirmed lately."""
        is_stale = time.monotonic() - self._confirmed > self._options.stale.total_seconds()
        return None if is_stale or self._current is None else (self._current, self._takedown)

    @property
    def key_events(self) -> KeyEvents | None:
        """The newest key events that any server has reported, None if no server answered lately."""
        age = time.monotonic() - self._key_events_time
        return self._key_events if age < self._options.keys_stale.total_seconds() else None

    def standings(self) -> list[Standing]:
        """Return the state of each server, from memory."""
        return [_standing(server) for server in self._servers]

    async def probe(self) -> None:
        """Read from whichever server answers, as a request would."""
        for server in self._order():
            with contextlib.suppress(psycopg.OperationalError, StoreUnavailable):
                await self._confirm(server)
                return
        raise StoreUnavailable("datastore", "no server answers")

    async def edition(
        self, number: int | None, reads: Iterable[tuple[str, str | None]] | None = None
    ) -> Edition:
        """Return the edition that answers: the one a request names, or the newest that touched its `reads`.

        The current edition is the answer where neither is given.
        """
        if time.monotonic() - self._confirmed > self._options.stale.total_seconds():
            raise StoreUnavailable("datastore", "the current edition could not be confirmed")
        if number is None:
            if self._current is None:
                raise StoreUnavailable("datastore", "no edition has been published yet")
            return self._current if reads is None else self._touched.round_down(self._current, reads)
        return await self._published(number)

    async def fetch(self, query: str, values: Mapping[str, object], *, edition: Edition) -> list[Row]:
        """Run one statement on a server that holds the edition, within the client's own deadline."""
        end = time.monotonic() + self._options.answer.total_seconds()
        async for server in self._holding(edition.number):
            left = end - time.monotonic()
            if left <= 0:
                break
            with contextlib.suppress(psycopg.OperationalError, StoreUnavailable):
                return await self._ask(server, query, values, left)
        raise StoreUnavailable("datastore", f"no server that holds edition {edition.number} answers")

    async def fetch_outside_editions(self, query: str) -> list[Row]:
        """Run a statement on data outside editions, on the first server that answers."""
        for server in self._order():
            with contextlib.suppress(psycopg.OperationalError, StoreUnavailable):
                return await self._ask(server, query, {}, _PROBE_SECONDS)
        raise StoreUnavailable("datastore", "no server answers")

    async def _published(self, number: int) -> Edition:
        """Query all servers for an edition; only the primary can confirm that it does not exist."""
        for server in self._servers:
            if number in server.known:
                return server.known[number]
        answered_by_primary = False
        for server in self._order():
            with contextlib.suppress(psycopg.OperationalError, StoreUnavailable):
                rows = await self._show(server, number)
                if rows:
                    return server.known[number]
                answered_by_primary |= server.is_primary
        if answered_by_primary:
            raise BadParameter("edition", "that edition has not been published; /v1/editions lists them")
        raise StoreUnavailable("datastore", "the primary could not be asked for that edition")

    async def _show(self, server: Server, number: int) -> bool:
        """Query a server for one edition, and cache it if it exists."""
        rows = await self._ask(server, _SQL["edition"], {"edition": number}, _PROBE_SECONDS)
        for found, mark, day in rows:
            server.known[found] = Edition(found, mark, day)
        return bool(rows)

    async def _holding(self, number: int) -> AsyncIterator[Server]:
        needed = (number, self._takedown)
        for server in sorted(self._order(), key=lambda server: not _covers(server.newest, needed)):
            # The poll continues; requests do not wait for a server that has stopped answering.
            if not server.breaker.admits():
                continue
            if not _covers(server.newest, needed):
                with contextlib.suppress(psycopg.OperationalError, StoreUnavailable):
                    await self._confirm(server)
            if _covers(server.newest, (number, self._takedown)):
                # A connection that died since its last use fails once; the second one is new.
                yield server
                yield server

    def _order(self) -> list[Server]:
        """Return the servers to try: replicas in rotation, then the primary; silent servers last."""
        turn = next(self._turn) % len(self._servers)
        rotated = [*self._servers[turn:], *self._servers[:turn]]
        return sorted(rotated, key=lambda server: (server.is_silent, server.is_primary))

    async def _confirm(self, server: Server) -> None:
        """Learn what a server holds now. Those who ask at the same time share one query."""
        if server.check is None or server.check.done():
            server.check = asyncio.create_task(self._learn(server))
        await asyncio.shield(server.check)

    async def _learn(self, server: Server) -> None:
        """Query one server for its newest edition, what was touched up to it, takedown and key events."""
        sent_at = time.monotonic()
        known = self._current
        since = {"since": known.number if known else 0, "mark": known.mark if known else ""}
        seconds = _PROBE_SECONDS if known else _FIRST_PROBE_SECONDS
        (row,) = await self._ask(server, _SQL["standing"], since, seconds)
        learnt = _Learnt(*row)
        server.is_primary = not learnt.is_replica
        server.newest = (learnt.number or 0, learnt.takedown)
        if learnt.takedown > self._takedown:
            self._takedown = learnt.takedown
            self.kept.clear()
        if learnt.number is not None and self._is_due(learnt.number):
            # No other request runs between these lines, so the edition and its touched buckets change
            # together.
            self._current = Edition(learnt.number, learnt.mark, learnt.published_at.date())
            if not learnt.follows:
                self._touched = Touched()
                self.kept.clear()  # numbers of rows may be used again
            self._touched.learn(learnt.editions or [], learnt.touched or [])
            server.known[learnt.number] = self._current
        self._confirmed = time.monotonic()
        # If both are as new, what was learnt last: a primary may lose an event, and its number is used again.
        key_events = KeyEvents(learnt.newest_event, learnt.recent_keys)
        self._key_events = max(key_events, self._key_events, key=attrgetter("newest"))
        self._key_events_time = max(self._key_events_time, sent_at)

    def _is_due(self, number: int) -> bool:
        """Whether an edition may be current: most servers that answer hold it, or it has waited for them."""
        if self._current is None or number == self._current.number:
            return True
        if number < self._current.number:
            return False
        now = time.monotonic()
        self._held_back = min(self._held_back, now)
        holding = [other.newest[0] >= number for other in self._servers if not other.is_silent]
        is_due = 2 * sum(holding) > len(holding) or now - self._held_back > _LAG_SECONDS
        if is_due:
            self._held_back = float("inf")
        return is_due

    async def _ask(
        self, server: Server, query: str, values: Mapping[str, object], seconds: float
    ) -> list[Row]:
        """Run a statement on one server; after `seconds` its connection is cut, whatever the server does."""
        try:
            acquire = min(seconds, self._options.acquire.total_seconds())
            connection = await server.pool.getconn(timeout=acquire)
        except PoolTimeout as error:
            # If all connections are in use the server is busy; if none can be opened it is silent.
            if server.busy < self._options.connections:
                server.failed()
            raise StoreUnavailable("datastore", "no connection") from error
        late = asyncio.get_running_loop().call_later(seconds, cut, connection.pgconn)
        server.busy += 1
        try:
            statement, names = positional(query)
            cursor = await connection.execute(statement, [values[name] for name in names])
            rows = await cursor.fetchall()
        except psycopg.OperationalError:
            server.failed()
            raise
        finally:
            late.cancel()
            server.busy -= 1
            await server.pool.putconn(connection)
        server.answered()
        return rows

    async def _poll(self) -> None:
        async def confirm(server: Server) -> None:
            with contextlib.suppress(psycopg.OperationalError, StoreUnavailable):
                await self._confirm(server)

        await asyncio.gather(*(confirm(server) for server in self._servers))

    async def _poll_forever(self) -> None:
        while True:
            await asyncio.sleep(self._options.poll.total_seconds())
            await self._poll()


def _standing(server: Server) -> Standing:
    parts, pool = conninfo_to_dict(cast(str, server.pool.conninfo)), server.pool.get_stats()
    return Standing(
        name=f"{parts.get('host')}:{parts.get('port')}",
        is_primary=server.is_primary,
        edition=server.newest[0],
        is_breaker_open=not server.breaker.is_closed,
        connections=pool["pool_size"],
    )


def _covers(newest: tuple[int, int], needed: tuple[int, int]) -> bool:
    return newest[0] >= needed[0] and newest[1] >= needed[1]


def _hosts(dsn: str) -> list[str]:
    """Split a DSN that names several hosts into one per host."""
    parts = cast("dict[str, str]", conninfo_to_dict(required_dsn(dsn)))
    hosts = parts.get("host", "").split(",")
    ports = parts.get("port", "").split(",")
    ports = ports * len(hosts) if len(ports) == 1 else ports
    pairs = zip(hosts, ports, strict=True)
    return [make_conninfo("", **{**parts, "host": host, "port": port}) for host, port in pairs]


def _pool(conninfo: str, options: ReadOptions) -> AsyncConnectionPool[AsyncConnection[Row]]:
    return AsyncConnectionPool(
        conninfo,
        kwargs={
            "autocommit": True,
            "connect_timeout": 2,
            "options": SESSION,
            "cursor_factory": AsyncRawCursor[Row],
        },
        min_size=1,
        max_size=options.connections,
        timeout=options.acquire.total_seconds(),
        reconnect_timeout=1,
        open=False,
    )
