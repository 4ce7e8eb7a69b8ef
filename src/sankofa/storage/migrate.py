"""Migrations: SQL files in a folder per release, each applied once, in order."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable

from psycopg import sql
from psycopg.conninfo import make_conninfo
from psycopg.errors import LockNotAvailable

from sankofa.core.errors import Refused
from sankofa.storage.locks import hold_by_polling
from sankofa.storage.postgres import Connection, connect
from sankofa.storage.queue import queue_steps

MIGRATIONS = resources.files(__package__).joinpath("migrations")
MIGRATION_LOCK = 0x5A4E4B4F01
_LOCK_SECONDS = 60
_PASS_SECONDS = 1.0  # for readers, between two attempts
_SHORT_WAIT = "SET LOCAL lock_timeout = '200ms'"
_LOCKED = (
    "{name}: the tables that it changes were in use for {seconds} s. Nothing was changed. Look for old "
    "transactions in pg_stat_activity (xact_start), end them, and run `sankofa migrate` again."
)
_OUTSIDE_TRANSACTION = b"-- outside a transaction\n"
# Text sorts by code point, so that orders are the same on every server.
CREATE_DATABASE = "CREATE DATABASE {} OWNER sankofa_owner TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'"
_REGISTER = """
CREATE TABLE IF NOT EXISTS public.sankofa_migration (
    name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now()
)"""
_HAS_REGISTER = "SELECT to_regclass('public.sankofa_migration') IS NOT NULL"
_RECORD = "INSERT INTO public.sankofa_migration (name, sha256) VALUES (%s, %s)"
_INVALID_INDEXES = """
SELECT c.relnamespace::regnamespace::text, c.relname
FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
WHERE NOT i.indisvalid AND c.relkind = 'i' AND c.relowner = 'sankofa_owner'::regrole"""
_UNRELEASED = (
    "This database was created by an unreleased version and cannot be migrated. Create a new one with "
    "`sankofa bootstrap --database NAME`, name it in the SANKOFA_…_DSN settings and run `sankofa migrate`. "
    "The documents are in the archive: `sankofa catch-up` loads them again. Takedowns and merges are not "
    "copied: record them again after the first publish, before you start the API."
)


def bootstrap(admin_dsn: str, database: str) -> None:
    """Create the roles and the database. Needs an administrator; safe to repeat."""
    with connect(admin_dsn) as admin:
        _administer(admin, "bootstrap.sql")
        known = admin.execute("SELECT 1 FROM pg_database WHERE datname = %s", [database]).fetchone()
        if not known:
            admin.execute(sql.SQL(CREATE_DATABASE).format(sql.Identifier(database)))
        # Without TEMP a reader cannot plant functions or tables; only the writers stage rows.
        for statement in (
            "REVOKE ALL ON DATABASE {} FROM PUBLIC",
            "GRANT CONNECT ON DATABASE {} TO sankofa_migrate, sankofa_ingest, sankofa_publish",
            "GRANT CONNECT ON DATABASE {} TO sankofa_api, sankofa_privacy, sankofa_keys, sankofa_export",
            "GRANT CONNECT ON DATABASE {} TO sankofa_follow, sankofa_review",
            "GRANT TEMPORARY ON DATABASE {} TO sankofa_ingest, sankofa_publish",
        ):
            admin.execute(sql.SQL(statement).format(sql.Identifier(database)))
    with connect(make_conninfo(admin_dsn, dbname=database)) as admin:
        _administer(admin, "bootstrap_functions.sql")


def migrate(dsn: str, folder: Traversable = MIGRATIONS) -> list[str]:
    """Apply the migrations that are not recorded yet and return their names. Only one process at a time."""
    applied: list[str] = []
    with connect(dsn) as connection:
        hold_by_polling(connection, MIGRATION_LOCK, "migration", _LOCK_SECONDS)
        connection.execute("SET ROLE sankofa_owner")
        connection.execute(_REGISTER)
        register = {
            str(name): str(sha256)
            for name, sha256 in connection.execute("SELECT name, sha256 FROM public.sankofa_migration")
        }
        if any("/" not in name for name in register):
            raise Refused(_UNRELEASED)
        for name, text in _files(folder):
            digest = hashlib.sha256(text).hexdigest()
            if name not in register:
                _apply(connection, name, text, digest)
                applied.append(name)
            elif register[name] != digest:
                raise Refused(
                    f"{name} was changed after it was applied to this database. Restore the file as it was "
                    "released, and put the change into a new file in the folder of the next release."
                )
        for name, text in queue_steps(register) if folder is MIGRATIONS else ():
            _apply(connection, name, text, hashlib.sha256(text).hexdigest())
            applied.append(name)
    return applied


def pending(dsn: str) -> list[str]:
    """Return the migrations that this version has and the database does not, without applying any."""
    with connect(dsn) as connection:
        connection.execute("SET ROLE sankofa_owner")
        names: set[str] = set()
        if connection.execute(_HAS_REGISTER).fetchone() == (True,):
            rows = connection.execute("SELECT name FROM public.sankofa_migration").fetchall()
            names = {str(name) for (name,) in rows}
    ours = [name for name, _ in _files(MIGRATIONS) if name not in names]
    return [*ours, *(name for name, _ in queue_steps(names))]


def _files(folder: Traversable) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of each file (`0.1.0/01_ops.sql`), ordered by release, then by name."""
    releases = [entry for entry in folder.iterdir() if entry.is_dir()]
    for release in sorted(releases, key=lambda entry: [int(part) for part in entry.name.split(".")]):
        for file in sorted(release.iterdir(), key=lambda entry: entry.name):
            yield f"{release.name}/{file.name}", file.read_bytes()


def _apply(connection: Connection, name: str, text: bytes, digest: str) -> None:
    if text.startswith(_OUTSIDE_TRANSACTION):
        _run_outside_transaction(connection, text)
        connection.execute(_RECORD, [name, digest])
    else:
        _between_readers(connection, name, text, digest)


def _between_readers(connection: Connection, name: str, text: bytes, digest: str) -> None:
    """Apply a file in one transaction, without keeping readers waiting.

    A statement that waits for a table has all later readers of it wait as well. So it gives up soon, lets
    them pass, and tries again.
    """
    end = time.monotonic() + _LOCK_SECONDS
    while True:
        try:
            with connection.transaction():
                connection.execute(_SHORT_WAIT)
                connection.execute(text, prepare=False)
                connection.execute(_RECORD, [name, digest])
        except LockNotAvailable:
            if time.monotonic() > end:
                raise Refused(_LOCKED.format(name=name, seconds=_LOCK_SECONDS)) from None
            time.sleep(_PASS_SECONDS)
        else:
            return


def _run_outside_transaction(connection: Connection, statement: bytes) -> None:
    """Run a statement that cannot be part of a transaction, such as CREATE INDEX CONCURRENTLY IF NOT EXISTS.

    An earlier attempt that was interrupted may have left an invalid index, which IF NOT EXISTS would keep.
    So all invalid indexes are dropped first. PostgreSQL refuses to prepare more than one statement.
    """
    # It waits until older transactions end, perhaps for hours, and blocks neither reads nor writes.
    connection.execute("SET lock_timeout = 0")
    for schema, index in connection.execute(_INVALID_INDEXES).fetchall():
        drop = sql.SQL("DROP INDEX CONCURRENTLY {}")
        connection.execute(drop.format(sql.Identifier(str(schema), str(index))))
    connection.execute(statement, prepare=True)
    connection.execute("RESET lock_timeout")


def _administer(admin: Connection, name: str) -> None:
    """Run an administrative SQL file; only one process at a time."""
    text = resources.files(__package__).joinpath(name).read_bytes()
    hold_by_polling(admin, MIGRATION_LOCK, "migration", _LOCK_SECONDS)
    with admin.transaction():
        admin.execute(text, prepare=False)
