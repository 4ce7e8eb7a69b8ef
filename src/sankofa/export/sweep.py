"""Remove objects from the buckets: unlisted files, and files that a takedown concerns."""

from __future__ import annotations

from sankofa.storage.objects import Objects
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__, "record.sql")


def prefix(connection: Connection) -> str:
    """Return the key prefix of this installation's files; buckets may be shared."""
    row = connection.execute(_SQL["prefix"]).fetchone()
    return str(row[0]) if row else ""


def sweep(connection: Connection, *buckets: Objects) -> int:
    """Remove every object that is neither listed nor pending; only the exporter may do so."""
    kept = {prefix(connection) + str(row[0]) for row in connection.execute(_SQL["kept"])}
    removed = 0
    for bucket in buckets:
        gone = [key for key in bucket.keys(prefix(connection)) if key not in kept]
        bucket.remove(gone)
        removed += len(gone)
    return removed


def withdraw(connection: Connection, licensed: Objects) -> int:
    """Remove the objects of files that any takedown concerns; safe to repeat."""
    void = {prefix(connection) + str(row[0]) for row in connection.execute(_SQL["void"])}
    gone = [key for key in licensed.keys(prefix(connection)) if key in void] if void else []
    licensed.remove(gone)
    return len(gone)
