"""`python -m bench.rows`: what the rows of a page cost, by the way in which they leave PostgreSQL (ADR 0065).

Processor time of the client and of its backend, for one page of fundamentals as the JSON of its rows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec
import psycopg

from bench import bare, sizes
from bench.cells import CELLS
from bench.world import Scene, scene
from sankofa.fundamentals.served import FundamentalsFact
from sankofa.storage.queries import positional
from sankofa.storage.reading import SESSION, Row

_PAGES = 300
_ENCODER = msgspec.json.Encoder(decimal_format="number")


def compare(world: Scene) -> None:
    """Print the time of each way."""
    (statement, _), *_ = bare.transactions(world, CELLS[0])[0]
    as_json = f"SELECT to_json(page)::text FROM ({statement.strip().rstrip(';')}) AS page"
    print("| way | rows | client µs | backend µs |\n|---|---|---|---|")
    _measure(world, "rows as text", statement, _from_rows)
    _measure(world, "rows in binary form", statement, _from_rows, binary=True)
    _measure(world, "to_json in PostgreSQL", as_json, _from_texts)


def _measure(
    world: Scene, way: str, statement: str, finish: Callable[[list[Row]], bytes], *, binary: bool = False
) -> None:
    text, names = positional(statement)
    pages = [[values[name] for name in names] for ((_, values), *_) in bare.transactions(world, CELLS[0])]
    dsn = world.installation.dsn("read")
    with psycopg.connect(
        dsn, autocommit=True, options=SESSION, cursor_factory=psycopg.RawCursor
    ) as connection:
        cursor = connection.cursor(binary=binary)
        for values in pages:  # from here on the statement is prepared
            finish(cursor.execute(text, values).fetchall())
        backend, client = _backend_seconds(connection), time.process_time()
        rows = 0
        for number in range(_PAGES):
            found = cursor.execute(text, pages[number % len(pages)]).fetchall()
            finish(found)
            rows += len(found)
        client = time.process_time() - client
        backend = _backend_seconds(connection) - backend
    print(f"| {way} | {rows / _PAGES:.0f} | {1e6 * client / _PAGES:.0f} | {1e6 * backend / _PAGES:.0f} |")


def _from_rows(rows: Iterable[Row]) -> bytes:
    return _ENCODER.encode([FundamentalsFact(*row) for row in rows])


def _from_texts(rows: Iterable[Row]) -> bytes:
    return ("[" + ",".join([row[0] for row in rows]) + "]").encode()


def _backend_seconds(connection: psycopg.Connection[Row]) -> float:
    return int(Path(f"/proc/{connection.info.backend_pid}/schedstat").read_text().split()[0]) / 1e9


if __name__ == "__main__":
    with scene(sizes.chosen()) as published:
        compare(published)
