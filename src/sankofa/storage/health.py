"""Facts about the stores that decide whether an installation is sound. Nothing is written."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NamedTuple, cast

from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named
from sankofa.storage.redis import JobStore

_SQL = named(__package__, "health.sql")


class Server(NamedTuple):
    """A PostgreSQL server as one login sees it."""

    login: str
    is_superuser: bool
    is_standby: bool
    version: int  # such as 150004
    clock: datetime


class KeyServer(NamedTuple):
    """A Redis server."""

    clock: datetime
    is_append_only: bool
    eviction: str  # `noeviction`: a full memory refuses writes and forgets no key


def postgres_server(connection: Connection) -> Server:
    """Return what a login has reached."""
    return Server(
        *cast("tuple[str, bool, bool, int, datetime]", connection.execute(_SQL["server"]).fetchone())
    )


def redis_server(store: JobStore) -> KeyServer:
    """Return what a Redis address leads to."""
    seconds, microseconds = store.ask("TIME")
    clock = datetime.fromtimestamp(int(seconds), UTC) + timedelta(microseconds=int(microseconds))
    persistence, memory = store.ask("INFO", "persistence"), store.ask("INFO", "memory")
    return KeyServer(clock, bool(int(persistence["aof_enabled"])), str(memory.get("maxmemory_policy", "")))
