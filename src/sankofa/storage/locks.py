"""Advisory locks: one holder at a time, and a clear error for a command that waited too long."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from psycopg.errors import LockNotAvailable
from psycopg.pq import TransactionStatus

from sankofa.core.errors import Refused
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__, "locks.sql")
_POLL_SECONDS = 0.2


@contextmanager
def holding(connection: Connection, lock: int, name: str) -> Iterator[None]:
    """Hold a session lock. It is reentrant and ends with the connection."""
    _take(connection, "session", lock, name)
    try:
        yield
    finally:
        if not connection.broken:
            connection.execute(_SQL["release"], {"lock": lock})


def hold_by_polling(connection: Connection, lock: int, name: str, seconds: float) -> None:
    """Hold a lock until the connection is closed. Wait by polling, without a query that keeps a snapshot.

    The holder may run CREATE INDEX CONCURRENTLY, which waits for older snapshots: that would be a deadlock.
    """
    deadline = time.monotonic() + seconds
    while connection.execute(_SQL["try_once"], {"lock": lock}).fetchone() != (True,):
        if time.monotonic() > deadline:
            raise _refusal(connection, lock, name)
        time.sleep(_POLL_SECONDS)


def hold_to_the_end(connection: Connection, lock: int, name: str, *, shared: bool = False) -> None:
    """Hold a lock until the transaction ends."""
    _take(connection, "transaction_shared" if shared else "transaction", lock, name)


def _take(connection: Connection, statement: str, lock: int, name: str) -> None:
    try:
        connection.execute(_SQL[statement], {"lock": lock})
    except LockNotAvailable as error:
        raise _refusal(connection, lock, name) from error


def _refusal(connection: Connection, lock: int, name: str) -> Refused:
    return Refused(
        f"another session holds the {name} lock{_holder(connection, lock)}. Wait until it ends, or end "
        "it as an administrator with pg_terminate_backend; then repeat this command"
    )


def _holder(connection: Connection, lock: int) -> str:
    """Return a description of the session that holds a lock; a failed transaction cannot query it."""
    if connection.info.transaction_status != TransactionStatus.IDLE:
        return " (pg_locks lists it as advisory)"
    row = connection.execute(_SQL["holder"], {"lock": lock}).fetchone()
    return f" (process {row[0]}, login {row[1]})" if row else ""
