"""`python -m bench.rows`: what the rows of a page cost, by the way in which they leave PostgreSQL (ADR 0065).

Processor time of the client and of its backend, for one page of fundamentals as the JSON of its rows. For
rows that are stored as JSON also the bytes that this adds to a fact, and the time that it adds to a publish.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import psycopg

from bench import bare, blocks, sizes
from bench.cells import CELLS
from bench.world import Scene, scene
from sankofa.fundamentals.served import FundamentalsFact
from sankofa.storage.postgres import connect
from sankofa.storage.queries import named, positional
from sankofa.storage.reading import SESSION, Row

_PAGES = 300
_SQL = named("bench", "rows.sql")
_ENCODER = msgspec.json.Encoder(decimal_format="number")
_LAST_EDITION = 2**31 - 2
Values = Mapping[str, Any]
Finish = Callable[[list[Row], Values], bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A statement, and how its rows become the JSON of a page."""

    name: str
    statement: str
    finish: Finish
    binary: bool = False


def compare(world: Scene) -> None:
    """Print the price of both stored shapes, then the time of each way."""
    dsn = world.installation.stack.postgres_dsn(dbname=world.installation.database)
    with connect(dsn) as admin:
        admin.execute(_SQL["schema"])
        _store(admin)
        admin.execute("VACUUM ANALYZE bench.fragment, bench.block")
    recorded = bare.transactions(world, CELLS[0])
    (statement, _), *_ = recorded[0]
    as_json = f"SELECT to_json(page)::text FROM ({statement.strip().rstrip(';')}) AS page"
    ways = (
        Way(name="rows as text", statement=statement, finish=_from_rows),
        Way(name="rows in binary form", statement=statement, finish=_from_rows, binary=True),
        Way(name="to_json in PostgreSQL", statement=as_json, finish=_from_texts),
        Way(name="stored JSON of each row", statement=_SQL["page_of_fragments"], finish=_from_fragments),
        Way(name="stored block of each issuer", statement=_SQL["block_of_issuer"], finish=blocks.page),
    )
    questions = [values for ((_, values), *_) in recorded]
    with psycopg.connect(
        world.installation.dsn("read"), autocommit=True, options=SESSION, cursor_factory=psycopg.RawCursor
    ) as connection:
        expected = [_facts(_run(connection, ways[0], values)) for values in questions]
        print("\n| way | rows | client µs | backend µs |\n|---|---|---|---|")
        for way in ways:  # the first run of each also prepares its statement
            if [_facts(_run(connection, way, values)) for values in questions] != expected:
                raise SystemExit(f"{way.name}: other facts than the rows")
            _measure(connection, way, questions, sum(map(len, expected)) / len(expected))


def _store(admin: psycopg.Connection[Row]) -> None:
    """Write both shapes, and print what each costs beside the rows as they are."""
    print("\n| stored | bytes a fact | µs a fact: client | backend |\n|---|---|---|---|")
    facts = 0
    for name, table, write in (
        ("rows", "bench.row", lambda: admin.execute(_SQL["as_they_are"])),
        (
            "rows with their JSON",
            "bench.fragment",
            lambda: admin.execute(_SQL["with_fragments"], {"edition": _LAST_EDITION}),
        ),
        ("blocks, without making the JSON", "bench.block", lambda: blocks.write(admin, _SQL)),
    ):
        client, backend = time.process_time(), _backend_seconds(admin)
        write()
        client, backend = time.process_time() - client, _backend_seconds(admin) - backend
        facts = facts or admin.execute("SELECT count(*) FROM bench.row").fetchall()[0][0]
        ((size,),) = admin.execute(_SQL["bytes_of"], {"table": table}).fetchall()
        print(f"| {name} | {size / facts:.0f} | {1e6 * client / facts:.1f} | {1e6 * backend / facts:.1f} |")
    admin.execute(_SQL["index_fragments"])


def _run(connection: psycopg.Connection[Row], way: Way, values: Values) -> bytes:
    text, names = positional(way.statement)
    rows = connection.cursor(binary=way.binary).execute(text, [values[name] for name in names]).fetchall()
    return way.finish(rows, values)


def _facts(page: bytes) -> list[tuple[str, str | None]]:
    return [(row["fact_id"], row["known_until"]) for row in msgspec.json.decode(page)]


def _measure(connection: psycopg.Connection[Row], way: Way, questions: list[Values], rows: float) -> None:
    backend, client = _backend_seconds(connection), time.process_time()
    for number in range(_PAGES):
        _run(connection, way, questions[number % len(questions)])
    client = time.process_time() - client
    backend = _backend_seconds(connection) - backend
    print(f"| {way.name} | {rows:.0f} | {1e6 * client / _PAGES:.0f} | {1e6 * backend / _PAGES:.0f} |")


def _from_rows(rows: Iterable[Row], _values: Values) -> bytes:
    return _ENCODER.encode([FundamentalsFact(*served) for _, *served in rows])


def _from_texts(rows: Iterable[Row], _values: Values) -> bytes:
    return ("[" + ",".join([row[0] for row in rows]) + "]").encode()


def _from_fragments(rows: Iterable[Row], _values: Values) -> bytes:
    return blocks.joined((json, until.isoformat() if until else None) for json, until in rows)


def _backend_seconds(connection: psycopg.Connection[Row]) -> float:
    return int(Path(f"/proc/{connection.info.backend_pid}/schedstat").read_text().split()[0]) / 1e9


if __name__ == "__main__":
    with scene(sizes.chosen()) as published:
        compare(published)
