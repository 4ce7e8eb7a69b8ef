"""The write side of PostgreSQL: one connection per job, with deadlines that the client keeps itself."""

from __future__ import annotations

import os
import re
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import psycopg
from psycopg import OperationalError, sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.errors import (
    InsufficientPrivilege,
    InvalidSchemaName,
    LockNotAvailable,
    NoDataFound,
    ReadOnlySqlTransaction,
    UndefinedColumn,
    UndefinedFunction,
    UndefinedTable,
    UniqueViolation,
)
from psycopg.pq.abc import PGconn

from sankofa.core.errors import Refused, StoreUnavailable

__all__ = [
    "Connection",
    "InsufficientPrivilege",
    "LockNotAvailable",
    "NoDataFound",
    "OperationalError",
    "UniqueViolation",
    "bound",
    "connect",
    "copy_line",
    "cut",
    "is_dsn",
    "listen",
    "operators_error",
    "own_dsn",
    "required_dsn",
    "sql",
    "with_options",
    "within",
]

Connection = psycopg.Connection[tuple[object, ...]]

CONNECT_SECONDS = 5
DECISION_SECONDS = 120.0  # for a decision at a terminal; a lock is waited for half as long
# The text forms of dates and times are part of fact ids, so they never depend on server defaults.
SESSION = "-c datestyle=ISO -c timezone=UTC -c lock_timeout=60s"


def required_dsn(dsn: str) -> str:
    """Return the connection string. Raise if it is empty, since the driver would use the local server."""
    if not dsn:
        raise Refused("no database is named: the connection string is empty")
    return dsn


def with_options(dsn: str, options: str) -> str:
    """Return a connection string with session options, for other drivers."""
    return make_conninfo(required_dsn(dsn), options=options, connect_timeout=CONNECT_SECONDS)


def connect(dsn: str) -> Connection:
    """Open a connection for one job. Long statements belong inside `within`."""
    try:
        return psycopg.connect(
            required_dsn(dsn),
            autocommit=True,
            connect_timeout=CONNECT_SECONDS,
            options=SESSION,
            application_name=f"sankofa {socket.gethostname()[:40]} {os.getpid()}",
            keepalives_idle=10,
            keepalives_interval=5,
            keepalives_count=3,
        )
    except OperationalError as error:
        raise StoreUnavailable("datastore", _first_line(error)) from error


def is_dsn(text: str) -> bool:
    """Return whether a text can be parsed as a connection string."""
    try:
        conninfo_to_dict(text)
    except psycopg.ProgrammingError:
        return False
    return True


def operators_error(error: Exception) -> str | None:
    """Return what an operator can do about an error of the database; None if it is a fault of the program."""
    if isinstance(error, InvalidSchemaName | UndefinedTable | UndefinedColumn | UndefinedFunction):
        return f"the schema is not that of this version ({_first_line(error)}): run `sankofa migrate`"
    if isinstance(error, InsufficientPrivilege):
        return (
            f"the login may not do this ({_first_line(error)}): check that each SANKOFA_…_DSN has the role "
            "that the settings page names, and run `sankofa migrate`"
        )
    if isinstance(error, ReadOnlySqlTransaction):
        return f"the datastore cannot be written to ({_first_line(error)}): name the primary in the DSN"
    if isinstance(error, OperationalError):
        return f"datastore unavailable: {_first_line(error)}"
    return None


def _first_line(error: psycopg.Error) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


def own_dsn(connection: Connection) -> str:
    """Return the connection string of a connection with its password, for a child process."""
    return make_conninfo(connection.info.dsn, password=connection.info.password or None)


_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})
_ESCAPED = re.compile(r"[\\\t\n\r]")


def copy_line(*values: object) -> str:
    """Return a row in COPY's text format; for millions of rows this is cheaper than the driver's adapters."""
    texts = ["" if value is None else str(value) for value in values]
    if _ESCAPED.search("".join(texts)):
        texts = [text.translate(_ESCAPES) for text in texts]
    if None in values:
        texts = ["\\N" if value is None else text for value, text in zip(values, texts, strict=True)]
    return "\t".join(texts) + "\n"


def cut(connection: PGconn) -> None:
    """Shut down a connection's socket, so that a waiting thread gets a lost connection immediately.

    A stopped server never runs its own timeouts, and cancelling needs its help too.
    """
    with socket.socket(fileno=os.dup(connection.socket)) as peer:
        peer.shutdown(socket.SHUT_RDWR)


def bound(connection: Connection, statement: str, values: Mapping[str, object]) -> str:
    """Return a statement with its values quoted into it by the driver, for DuckDB, which cannot bind them."""
    return psycopg.ClientCursor(connection).mogrify(statement, values)


def listen(connection: Connection, seconds: float) -> bool:
    """Wait for a notification on a listened channel; return whether one arrived in time."""
    return any(True for _ in connection.notifies(timeout=seconds, stop_after=1))


@contextmanager
def within(connection: Connection, seconds: float) -> Iterator[None]:
    """Cut the connection if the block takes longer than `seconds`; its transaction is rolled back."""
    late = threading.Event()

    def end() -> None:
        late.set()
        cut(connection.pgconn)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    except OperationalError as error:
        if late.is_set():
            raise StoreUnavailable("datastore", f"no answer within {seconds:g} s") from error
        raise
    finally:
        timer.cancel()


@contextmanager
def transaction_within(connection: Connection, seconds: float) -> Iterator[None]:
    """Run a transaction, and cut the connection if its statements and its commit take longer than `seconds`.

    A commit may wait for a synchronous replica, and no timeout of the server ends that wait. If the
    connection is cut during the commit, the transaction may be committed all the same.
    """
    with within(connection, seconds), connection.transaction():
        yield
