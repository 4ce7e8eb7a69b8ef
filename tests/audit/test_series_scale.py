"""Series at size: load against bare COPY of the same rows, publish, memory, and what a read costs."""

from __future__ import annotations

import asyncio
import random
import resource
import statistics
import time
from datetime import UTC, date, datetime, timedelta

import pycountry
import pytest

from dev.ports import Ports
from dev.stack import Stack, temporary_home
from sankofa.ask.endpoint import Page
from sankofa.macro import reads
from sankofa.macro.served import MacroParams
from sankofa.storage.reading import Reader
from support.bank_tables import wide
from support.service import Service

AREAS = [country.alpha_3 for country in pycountry.countries]
# Every other table is by month, since a series that is asked for by its key is not one of years.
YEARS = [str(year) for year in range(1960, 2024)]
MONTHS = [f"{year}M{month:02}" for year in range(2016, 2024) for month in range(1, 13)][: len(YEARS)]
INDICATORS_OF_A_TABLE = 4
FIRST = datetime(2025, 1, 1, 12, tzinfo=UTC)
REVISED = 0.05
READS = 500
PAGE = 100
LARGEST_RSS_MB = 1_024


@pytest.mark.timeout(4 * 3600)
def test_series_at_size(size):
    with temporary_home() as home:
        stack = Stack(home, Ports.free(), durable=False, shared_buffers="2GB")
        stack.start()
        try:
            measure(Service(stack, "scale"), size.facts[-1], home / "rows")
        finally:
            stack.destroy()


def measure(service, observations, file):
    tables = max(2, round(observations / (INDICATORS_OF_A_TABLE * len(AREAS) * len(YEARS))))
    loaded, seconds = load(service, tables, day=0, revised=0)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    bare = bare_copy(service, file)
    print(
        f"{loaded:,} values of {tables} tables: {loaded / seconds:,.0f}/s, bare COPY {loaded / bare:,.0f}/s"
    )
    print(
        f"  loading takes {seconds / bare:.1f} times as long as COPY of the same rows; {peak:,.0f} MB at most"
    )
    assert peak < LARGEST_RSS_MB
    told(service, "first edition")
    asyncio.run(ask(service, tables))
    revised, seconds = load(service, tables, day=30, revised=REVISED)
    print(f"  {revised:,} of {loaded:,} values revised: compared at {loaded / seconds:,.0f}/s")
    told(service, "second edition")
    asyncio.run(ask(service, tables))
    late, seconds = load(service, min(tables, 4), day=15, revised=REVISED)
    print(f"  {min(tables, 4)} tables that arrive late append {late:,} values in {seconds:.0f} s")


def load(service, tables, day, revised):
    """Ingest tables as updated on a day, and return the values appended and the seconds that took."""
    appended, seconds = 0, 0.0
    for number in range(tables):
        document = content(number, day, revised)
        began = time.monotonic()
        [batch] = service.ingest((document, FIRST + timedelta(days=day)), source_name="demo-world-bank")
        seconds += time.monotonic() - began
        assert (batch.outcome, batch.rejected) == ("accepted", {})
        appended += batch.facts_appended
    return appended, seconds


def content(number, day, revised):
    """Return one table of many indicators; some of its values differ from those of the first day."""
    rng, changes = random.Random(number), random.Random(f"{number} {day}")
    parts, columns = [], MONTHS if number % 2 else YEARS
    for indicator in range(INDICATORS_OF_A_TABLE):
        values = {
            area: {
                column: f"{rng.randrange(10**12) + (changes.random() < revised)}.{number % 9 + 1}"
                for column in columns
            }
            for area in AREAS
        }
        updated = (FIRST + timedelta(days=day)).date()
        text = wide(values, updated, f"IN.{number}.{indicator}", columns).decode()
        parts.append(text if not parts else text.split("\n", 5)[5])
    return "\n".join(parts).encode()


def bare_copy(service, file):
    """Return the seconds that PostgreSQL takes for the ledger's own rows, given to it as they are."""
    with service.connect() as admin, admin.cursor() as cursor:
        with file.open("wb") as written, cursor.copy("COPY ledger.observation TO STDOUT") as copy:
            written.writelines(copy)
        admin.execute("CREATE TABLE public.bare (LIKE ledger.observation)")
        began = time.monotonic()
        with file.open("rb") as rows, cursor.copy("COPY public.bare FROM STDIN") as copy:
            while piece := rows.read(1 << 20):
                copy.write(piece)
        seconds = time.monotonic() - began
        admin.execute("DROP TABLE public.bare")
    file.unlink()
    return seconds


async def ask(service, tables):
    """Print what a series and a page of a country cost, beside the simplest statement of the same moments."""
    rng, day = random.Random(1), date(2025, 1, 20)
    questions = {
        "a series": (reads.observations, lambda: {"series": some_key(rng, tables)}),
        "a country's series": (reads.observations, lambda: {"country": rng.choice(AREAS), "as_of": day}),
        "a country's years": (reads.years, lambda: {"country": rng.choice(AREAS)}),
    }
    reader = Reader(service.settings.reading())
    await reader.open()
    try:
        page = Page(edition=await reader.edition(None), rows=PAGE)
        for name, (read, asked) in questions.items():
            times, bare = [], []
            for _ in range(READS):
                params = MacroParams(**asked())
                began = time.perf_counter()
                found = await read(reader, params, page)
                times.append(time.perf_counter() - began)
                assert found.rows
                began = time.perf_counter()
                await reader.fetch("SELECT 1", {}, edition=page.edition)
                bare.append(time.perf_counter() - began)
            p50, one = statistics.median(times), statistics.median(bare)
            print(f"  {name}: {len(found.rows)} rows, p50 {p50 * 1e3:.2f} ms, {p50 / one:.1f} times SELECT 1")
    finally:
        await reader.close()


def some_key(rng, tables):
    """Return the key of a series by month."""
    table, indicator = rng.randrange(1, tables, 2), rng.randrange(INDICATORS_OF_A_TABLE)
    return f"WB.IN.{table}.{indicator}.{rng.choice(AREAS)}.M"


def told(service, name):
    began = time.monotonic()
    published = service.publish()
    seconds = time.monotonic() - began
    put = sum(published.changes["AF-MACRO"].put.values())
    print(f"  {name}: {put:,} rows put in {seconds:.0f} s, {put / seconds:,.0f}/s")
