"""The locks of the write side: one publisher and one exporter at a time; no takedown inside a chunk."""

from __future__ import annotations

from contextlib import AbstractContextManager

from sankofa.storage.locks import hold_to_the_end, holding
from sankofa.storage.postgres import Connection

_PUBLISH = 0x5A4E4B4F02
_TAKEDOWN = 0x5A4E4B4F03
_EXPORT = 0x5A4E4B4F05


def publishing(connection: Connection) -> AbstractContextManager[None]:
    """Hold the publisher's place. A killed publisher's connection gives it up by ending."""
    return holding(connection, _PUBLISH, "publishing")


def exporting(connection: Connection) -> AbstractContextManager[None]:
    """Hold the exporter's place; a killed exporter gives it up as a publisher does."""
    return holding(connection, _EXPORT, "export")


def share_with_takedowns(connection: Connection) -> None:
    """Take the shared takedown lock, so that a takedown never sees half of this transaction's rows."""
    hold_to_the_end(connection, _TAKEDOWN, "takedown", shared=True)


def exclude_chunks(connection: Connection) -> None:
    """Wait for the chunk that is being written, and block the next one until this transaction ends."""
    hold_to_the_end(connection, _TAKEDOWN, "takedown")
