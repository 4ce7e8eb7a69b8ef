"""The two locks of the write side: one publisher at a time; no takedown in the middle of a chunk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sankofa.storage.postgres import Connection

_PUBLISH = 0x5A4E4B4F02
_TAKEDOWN = 0x5A4E4B4F03


@contextmanager
def publishing(connection: Connection) -> Iterator[None]:
    """Hold the publisher's place. A killed publisher's connection gives it up by ending."""
    connection.execute("SELECT pg_advisory_lock(%s)", [_PUBLISH])
    try:
        yield
    finally:
        if not connection.broken:
            connection.execute("SELECT pg_advisory_unlock(%s)", [_PUBLISH])


def share_with_takedowns(connection: Connection) -> None:
    """Let this transaction's rows be complete before a takedown looks, or be written after it."""
    connection.execute("SELECT pg_advisory_xact_lock_shared(%s)", [_TAKEDOWN])


def exclude_chunks(connection: Connection) -> None:
    """Wait for the chunk that is being written, and let none start until this transaction ends."""
    connection.execute("SELECT pg_advisory_xact_lock(%s)", [_TAKEDOWN])
