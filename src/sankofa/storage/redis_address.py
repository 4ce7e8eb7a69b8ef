"""Addresses of a Redis: one server, or a service that Redis Sentinels watch and fail over.

`redis+sentinel://host:port,host:port/name` lists the Sentinels and the name of the service. They return the
present master for each new connection. A user, a password and a database belong to the Redis, as in
`redis+sentinel://:password@host:port/name/0`; `?sentinel_password=` is for the Sentinels themselves.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from redis import Redis
from redis.asyncio import Redis as AsyncRedis
from redis.asyncio.connection import ConnectionPool
from redis.asyncio.retry import Retry as AsyncRetry
from redis.asyncio.sentinel import Sentinel as AsyncSentinel
from redis.asyncio.sentinel import SentinelConnectionPool
from redis.backoff import NoBackoff
from redis.exceptions import TimeoutError as SentinelSilent
from redis.retry import Retry
from redis.sentinel import Sentinel
from redis.sentinel import SentinelConnectionPool as JobSentinelPool

from sankofa.core.errors import Refused
from sankofa.storage.patience import Patience

SCHEMES = ("redis", "rediss", "unix", "redis+sentinel", "rediss+sentinel")
_SENTINEL_PORT = 26_379
_SENTINEL_SECONDS = 0.06  # three silent Sentinels must fit into the deadline of a request's call


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """A Redis service behind Sentinels."""

    sentinels: list[tuple[str, int]]
    name: str
    redis: dict[str, Any] = field(repr=False)
    sentinel: dict[str, Any] = field(repr=False)


class _MasterPool(SentinelConnectionPool):
    """Makes connections to the present master. Those made at the same time ask the Sentinels once."""

    _question: asyncio.Task[tuple[str, int]] | None = None

    async def get_master_address(self) -> tuple[str, int]:
        """Return what the Sentinels answer to the question under way, or to a new one."""
        if self._question is None or self._question.done():
            self._question = asyncio.create_task(super().get_master_address())  # type: ignore[no-untyped-call]
        return await asyncio.shield(self._question)


class _PatientSentinel(AsyncRedis):
    """A Sentinel that has a deadline in which only the time counts in which this process runs."""

    async def execute_command(self, *words: Any, **options: Any) -> Any:  # noqa: ANN401 - as the driver
        """Ask, or raise what the driver raises if a Sentinel is silent: then the next one is asked."""
        try:
            async with Patience(_SENTINEL_SECONDS):
                return await super().execute_command(*words, **options)  # type: ignore[no-untyped-call]
        except TimeoutError as error:
            raise SentinelSilent("no answer in time") from error


def watched(url: str) -> Watched | None:
    """Return the service that a Sentinel address names, None for the address of a single server."""
    parts = urlsplit(url)
    if not parts.scheme.endswith("+sentinel"):
        return None
    login, _, hosts = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    name, _, database = parts.path.strip("/").partition("/")
    if not name or not hosts or (database and not database.isdecimal()):
        raise Refused("a Sentinel address has the form redis+sentinel://host:port,host:port/name/database")
    return Watched(
        sentinels=[_host(text) for text in hosts.split(",")],
        name=name,
        redis={
            "username": unquote(user) or None,
            "password": unquote(password) or None,
            "db": int(database or 0),
            "ssl": parts.scheme.startswith("rediss"),
        },
        sentinel={
            "password": parse_qs(parts.query).get("sentinel_password", [None])[0],
            "ssl": parts.scheme.startswith("rediss"),
        },
    )


def connections(url: str, **options: object) -> ConnectionPool:
    """Return a maker of asynchronous connections to the Redis, or to the present master."""
    service = watched(url)
    if service is None:
        return ConnectionPool.from_url(url, **options)
    sentinel = AsyncSentinel([])  # type: ignore[no-untyped-call]
    once = AsyncRetry(NoBackoff(), 0)
    sentinel.sentinels = [
        _PatientSentinel(host=host, port=port, retry=once, socket_timeout=None, **service.sentinel)
        for host, port in service.sentinels
    ]
    return _MasterPool(service.name, sentinel, **service.redis, **options)  # type: ignore[no-untyped-call]


async def close_sentinels(connections: ConnectionPool) -> None:
    """Close the connections to Sentinels, if a maker of connections has some."""
    if isinstance(connections, SentinelConnectionPool):
        for sentinel in connections.sentinel_manager.sentinels:
            await sentinel.aclose()


def close(client: Redis) -> None:
    """Close a client, and its connections to Sentinels."""
    client.close()
    if isinstance(client.connection_pool, JobSentinelPool):
        for sentinel in client.connection_pool.sentinel_manager.sentinels:
            sentinel.close()


def client(url: str, **options: Any) -> Redis:  # noqa: ANN401 - the options of the driver
    """Return a blocking client of the Redis, or of the present master."""
    service = watched(url)
    if service is None:
        return Redis.from_url(url, **options)
    bounded = service.sentinel | {
        "retry": Retry(NoBackoff(), 0),
        "socket_timeout": _SENTINEL_SECONDS,
        "socket_connect_timeout": _SENTINEL_SECONDS,
    }
    sentinel = Sentinel(service.sentinels, sentinel_kwargs=bounded)  # type: ignore[no-untyped-call]
    made: Redis = sentinel.master_for(service.name, Redis, **service.redis, **options)  # type: ignore[no-untyped-call]
    return made


def _host(text: str) -> tuple[str, int]:
    """Return a host and its port; an IPv6 address is written in brackets."""
    host, colon, port = text.rpartition(":")
    if not colon or port.endswith("]"):
        return text.strip("[]"), _SENTINEL_PORT
    if not port.isdecimal():
        raise Refused("a Sentinel address has a port that is not a number")
    return host.strip("[]"), int(port)
