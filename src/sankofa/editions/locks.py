"""The locks of the write side: one publisher and one exporter at a time; no takedown inside a chunk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sankofa.storage.postgres import Connection

_PUBLISH = 0x5A4E4B4F02
_TAKEDOWN = 0x5A4E4B4F03
_EXPORT = 0x5A4E4B4F05


@contextmanager
def publishing(connection: Connection) -> Iterator[None]:
    """Hold the publisher's place. A killed publisher's connection gives it up by ending."""
    with _holding(connection, _PUBLISH):
        yield


@contextmanager
def exporting(connection: Connection) -> Iterator[None]:
    """Hold the exporter's place; a killed exporter gives it up as a publisher does."""
    with _holding(connection, _EXPORT):
        yield


@contextmanager
def _holding(connection: Connection, lock: int) -> Iterator[None]:
    connection.execute("SELECT pg_advisory_lock(%s)", [lock])
    try:
        yield
    finally:
        if not connection.broken:
            connection.execute("SELECT pg_advisory_unlock(%s)", [lock])


def share_with_takedowns(connection: Connection) -> None:
    """Let this transaction's rows be complete before a takedown looks, or be written after it."""
    connection.execute("SELECT pg_advisory_xact_lock_shared(%s)", [_TAKEDOWN])


def exclude_chunks(connection: Connection) -> None:
    """Wait for the chunk that is being written, and let none start until this transaction ends."""
    connection.execute("SELECT pg_advisory_xact_lock(%s)", [_TAKEDOWN])
