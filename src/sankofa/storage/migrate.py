"""Bring a database to the newest schema: plain SQL files, in order, each applied once."""

from __future__ import annotations

import hashlib
from importlib import resources

from psycopg import sql
from psycopg.conninfo import make_conninfo

from sankofa.core.errors import Refused
from sankofa.storage.postgres import Connection, connect

MIGRATION_LOCK = 0x5A4E4B4F01
# Text sorts by code point, so that every order is the same on every server.
_CREATE_DATABASE = "CREATE DATABASE {} OWNER sankofa_owner TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'"
_REGISTER = """
CREATE TABLE IF NOT EXISTS public.sankofa_migration (
    name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now()
)"""


def bootstrap(admin_dsn: str, database: str) -> None:
    """Create the roles and the database. Needs an administrator; safe to repeat."""
    with connect(admin_dsn) as admin:
        _administer(admin, "bootstrap.sql")
        known = admin.execute("SELECT 1 FROM pg_database WHERE datname = %s", [database]).fetchone()
        if not known:
            admin.execute(sql.SQL(_CREATE_DATABASE).format(sql.Identifier(database)))
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


def migrate(dsn: str) -> list[str]:
    """Apply what has not been applied and return its names. One runs at a time; the others wait."""
    files = sorted(
        (entry for entry in resources.files(__package__).joinpath("migrations").iterdir()),
        key=lambda entry: entry.name,
    )
    applied: list[str] = []
    with connect(dsn) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", [MIGRATION_LOCK])
        connection.execute("SET ROLE sankofa_owner")
        connection.execute(_REGISTER)
        known = {
            str(name): str(sha256)
            for name, sha256 in connection.execute("SELECT name, sha256 FROM public.sankofa_migration")
        }
        for entry in files:
            text = entry.read_bytes()
            digest = hashlib.sha256(text).hexdigest()
            if entry.name not in known:
                with connection.transaction():
                    _apply(connection, text)
                    connection.execute(
                        "INSERT INTO public.sankofa_migration (name, sha256) VALUES (%s, %s)",
                        [entry.name, digest],
                    )
                applied.append(entry.name)
            elif known[entry.name] != digest:
                raise Refused(f"{entry.name} was changed after it was applied; write a new migration instead")
    return applied


def _administer(admin: Connection, name: str) -> None:
    """Run a file of administration; one runs at a time."""
    text = resources.files(__package__).joinpath(name).read_bytes()
    with admin.transaction():
        admin.execute("SELECT pg_advisory_xact_lock(%s)", [MIGRATION_LOCK])
        _apply(admin, text)


def _apply(connection: Connection, text: bytes) -> None:
    connection.execute(text, prepare=False)
