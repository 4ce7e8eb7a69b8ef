"""`python -m bench.ingest [family ...]`: what loading costs beside a bare COPY of the rows that it wrote.

Each family of documents is loaded into an empty ledger by the code of `sankofa ingest`. Then the rows in the
ledger are copied into tables of the same columns and indexes, by PostgreSQL alone, in the same run. The ratio
is the rate of loading divided by the rate of that COPY.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from psycopg import sql

from bench import processor
from bench.world import load, prepared
from demo import companyfacts, lei_register, tenders_ke, tenders_ng, tenders_za
from demo.documents import Document
from demo.world import World
from dev import process
from dev.installation import Installation
from sankofa.storage.postgres import Connection, connect

_FETCHED = datetime(2026, 1, 5, 6, tzinfo=UTC)
_FACTS, _FACTS_BESIDE_TENDERS, _RECORDS = 400_000, 100_000, 100_000
_INDICATORS, _AREAS, _YEARS = 400, ("BWA", "GHA", "KEN", "NGA", "RWA", "UGA", "ZAF", "ZMB"), range(1960, 2025)
_PIECE = 1 << 20
_LINE = "{:14}{:>12}{:>10}{:>11}{:>11}{:>9}{:>8}"
Made = Iterator[tuple[str, Document]]


@dataclass(frozen=True, slots=True)
class Cost:
    """Wall and processor seconds of one run."""

    wall: float
    python: float
    server: float


def main() -> None:
    """Load each family, and print its costs and its ratio to COPY."""
    parser = argparse.ArgumentParser(prog="python -m bench.ingest", description=__doc__)
    parser.add_argument("family", nargs="*", choices=[*FAMILIES, []], help="measure only these")
    chosen = parser.parse_args().family or FAMILIES
    print(_LINE.format("family", "rows", "rows/s", "µs Python", "µs server", "of COPY", "by CPU"))
    for family in chosen:
        print(_line(family, list(FAMILIES[family]())), flush=True)


def _line(family: str, documents: Sequence[tuple[str, Document]]) -> str:
    with prepared() as installation:
        cost = _measured(installation, lambda: load(installation, documents))
        rows, bare = _copied(installation)
    rate, python, server = rows / cost.wall, 1e6 * cost.python / rows, 1e6 * cost.server / rows
    ratios = bare.wall / cost.wall, (bare.python + bare.server) / (cost.python + cost.server)
    numbers = (f"{rate:,.0f}", f"{python:.1f}", f"{server:.1f}", *(f"{ratio:.2f}" for ratio in ratios))
    return _LINE.format(family, f"{rows:,}", *numbers)


def _measured(installation: Installation, act: Callable[[], None]) -> Cost:
    postgres = installation.stack.postgres
    began = time.monotonic(), _python_seconds(), processor.seconds(postgres)
    act()
    ended = time.monotonic(), _python_seconds(), processor.seconds(postgres)
    return Cost(*(end - begin for begin, end in zip(began, ended, strict=True)))


def _python_seconds() -> float:
    """Return the processor time of this process and of the parsers that it has started."""
    parsers = process.children(os.getpid())
    return time.process_time() + sum(
        processor.seconds_of(pid) for pid in parsers if b"parsing_process" in _command(pid)
    )


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _copied(installation: Installation) -> tuple[int, Cost]:
    """Copy every table of the ledger into a twin with the same indexes; return the rows and the cost."""
    with connect(installation.stack.postgres_dsn(dbname=installation.database)) as admin:
        admin.execute("CREATE SCHEMA bare")
        tables = [str(name) for (name,) in admin.execute(_TABLES).fetchall()]
        with tempfile.TemporaryDirectory() as folder:
            rows = sum(_written(admin, name, Path(folder, name)) for name in tables)
            cost = _measured(installation, lambda: _read(admin, tables, Path(folder)))
    return rows, cost


def _written(admin: Connection, name: str, file: Path) -> int:
    """Write the rows of a table to a file, make its empty twin, and return how many rows there are."""
    names = {"table": sql.Identifier("ledger", name), "twin": sql.Identifier("bare", name)}
    with admin.cursor() as cursor, file.open("wb") as written:
        with cursor.copy(sql.SQL("COPY {table} TO STDOUT").format(**names)) as copy:
            written.writelines(copy)
        cursor.execute(sql.SQL("CREATE TABLE {twin} (LIKE {table} INCLUDING ALL)").format(**names))
        cursor.execute(sql.SQL("SELECT count(*) FROM {table}").format(**names))
        ((rows,),) = cursor.fetchall()
    return int(rows)


def _read(admin: Connection, names: Sequence[str], folder: Path) -> None:
    for name in names:
        with admin.cursor() as cursor, Path(folder, name).open("rb") as rows:
            twin = sql.Identifier("bare", name)
            with cursor.copy(sql.SQL("COPY {twin} FROM STDIN").format(twin=twin)) as copy:
                while piece := rows.read(_PIECE):
                    copy.write(piece)


def _filings() -> Made:
    for document in companyfacts.documents(World(facts=_FACTS)):
        yield companyfacts.SOURCE, document


def _register() -> Made:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "golden-copy.csv")
        lei_register.write(file, _RECORDS, seed=1)
        yield "demo-gleif", Document(file.name, file.read_bytes(), _FETCHED, _RECORDS)


def _tenders() -> Made:
    world = World(facts=_FACTS_BESIDE_TENDERS)
    for portal in (tenders_za, tenders_ke, tenders_ng):
        for number in range(portal.parts(world)):
            yield portal.SOURCE, portal.part(world, number)


def _series() -> Made:
    """Yield one table of yearly indicators, in the World Bank's wide form."""
    rng = random.Random(1)
    columns = ["Country Name", "Country Code", "Indicator Name", "Indicator Code", *_YEARS]
    head = ",".join(f'"{column}"' for column in columns)
    lines = [
        '\ufeff"Data Source","World Development Indicators",',
        "",
        '"Last Updated Date","2026-01-05",',
        "",
        f"{head},",
    ]
    for number in range(_INDICATORS):
        for area in _AREAS:
            values = ",".join(f"{rng.randrange(10**12)}.{rng.randrange(9) + 1}" for _ in _YEARS)
            lines.append(f'"{area}","{area}","Indicator {number}","IN.{number}",{values},')
    content = "\n".join(lines).encode()
    yield "demo-world-bank", Document("indicators.csv", content, _FETCHED, len(lines) - 5)


FAMILIES: dict[str, Callable[[], Made]] = {
    "companyfacts": _filings,
    "register": _register,
    "tenders": _tenders,
    "series": _series,
}
_TABLES = """
SELECT relname FROM pg_class
WHERE relnamespace = 'ledger'::regnamespace AND relkind = 'r' AND pg_relation_size(oid) > 0
ORDER BY relname
"""

if __name__ == "__main__":
    main()
