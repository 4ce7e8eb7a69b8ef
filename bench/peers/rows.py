"""The rows of the peers: one wide table, in a database of PostgreSQL and in an SQLite file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

from dev.installation import Installation
from sankofa.storage.postgres import connect
from sankofa.storage.queries import named

DATABASE = "peers"
_FACTS = named("bench.peers")["facts"]
_INDEX = "CREATE INDEX fact_by_issuer ON fact (service_id, period_type, valid_from)"
# By type of the column in PostgreSQL: the type in SQLite, which has no dates and no exact numbers.
_SQLITE = {
    "numeric": "NUMERIC",
    "integer": "INTEGER",
    "smallint": "INTEGER",
    "bigint": "INTEGER",
    "boolean": "INTEGER",
}


def copy(installation: Installation, file: Path) -> int:
    """Write every fact of the current edition to both, and return their number."""
    columns = _columns(installation)
    definitions = ", ".join(f"{name} {kind}" for name, kind in columns)
    with connect(installation.stack.postgres_dsn()) as admin:
        admin.execute(f"CREATE DATABASE {DATABASE}")
    with connect(installation.stack.postgres_dsn(dbname=DATABASE)) as peers:
        peers.execute(
            f"CREATE TABLE fact (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, {definitions})"
        )
        with peers.cursor().copy(f"COPY fact ({', '.join(name for name, _ in columns)}) FROM STDIN") as rows:
            for row in _rows(installation):
                rows.write_row(row)
        peers.execute(_INDEX)
        peers.execute("VACUUM ANALYZE fact")
    return _write_sqlite(installation, file, columns)


def _write_sqlite(installation: Installation, file: Path, columns: list[tuple[str, str]]) -> int:
    file.parent.mkdir(parents=True, exist_ok=True)
    with sqlite3.connect(file) as world:
        definitions = ", ".join(f"{name} {_SQLITE.get(kind, 'TEXT')}" for name, kind in columns)
        world.execute(f"CREATE TABLE fact (id INTEGER PRIMARY KEY, {definitions})")
        names, marks = ", ".join(name for name, _ in columns), ", ".join("?" for _ in columns)
        insert = f"INSERT INTO fact ({names}) VALUES ({marks})"
        written = world.executemany(insert, (list(map(_plain, row)) for row in _rows(installation))).rowcount
        world.execute(_INDEX)
        world.execute("ANALYZE")
    world.close()
    return written


def _plain(value: object) -> object:
    """Return a value as SQLite stores it."""
    if isinstance(value, datetime | date):
        return value.isoformat()
    return str(value) if isinstance(value, Decimal) else value


def _columns(installation: Installation) -> list[tuple[str, str]]:
    """Return names and types of the columns."""
    with connect(_dsn(installation)) as served:
        cursor = served.execute(f"{_FACTS.strip().rstrip(';')} LIMIT 0", {"edition": 1})
        kinds = [(column.name, column.type_code) for column in cursor.description or ()]
        found = [
            (name, served.execute("SELECT format_type(%s, NULL)", [code]).fetchall()[0][0])
            for name, code in kinds
        ]
    return [
        (name, "text" if str(kind).startswith("serving.") else str(kind))
        for name, kind in found
        if name != "known_until"
    ]


def _rows(installation: Installation) -> Iterator[tuple[object, ...]]:
    with connect(_dsn(installation)) as served, served.transaction(), served.cursor(name="facts") as cursor:
        cursor.execute(_FACTS, {"edition": 1})
        names = [column.name for column in cursor.description or ()]
        left_out = names.index("known_until")
        for row in cursor:
            yield (*row[:left_out], *row[left_out + 1 :])


def _dsn(installation: Installation) -> str:
    return installation.stack.postgres_dsn(dbname=installation.database)
