"""Series at size: how fast tables load beside a bare COPY of the same values, and how fast they publish."""

from __future__ import annotations

import random
import time
from datetime import UTC, datetime, timedelta

import pycountry
import pytest

from bank_tables import wide
from dev.ports import Ports
from dev.stack import Stack, temporary_home
from service import Service

AREAS = [country.alpha_3 for country in pycountry.countries]
YEARS = range(1960, 2025)
INDICATORS_OF_A_TABLE = 16
FIRST = datetime(2025, 1, 1, 12, tzinfo=UTC)
REVISED = 0.05


@pytest.mark.timeout(4 * 3600)
def test_series_at_size(size):
    with temporary_home() as home:
        stack = Stack(home, Ports.free(), durable=False, shared_buffers="2GB")
        stack.start()
        try:
            measure(Service(stack, "scale"), size.facts[-1])
        finally:
            stack.destroy()


def measure(service, observations):
    tables = max(1, round(observations / (INDICATORS_OF_A_TABLE * len(AREAS) * len(YEARS))))
    loaded, seconds = load(service, tables, day=0, revised=0)
    bare = bare_copy(service)
    print(
        f"{loaded:,} values of {tables} tables: {loaded / seconds:,.0f}/s, bare COPY {loaded / bare:,.0f}/s"
    )
    print(f"  loading takes {seconds / bare:.1f} times as long as COPY of the same rows")
    told(service, "first edition")
    revised, seconds = load(service, tables, day=30, revised=REVISED)
    print(f"  {revised:,} of {loaded:,} values revised: compared at {loaded / seconds:,.0f}/s")
    told(service, "second edition")
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
    parts = []
    for indicator in range(INDICATORS_OF_A_TABLE):
        values = {
            area: {
                year: f"{rng.randrange(10**12) + (changes.random() < revised)}.{number % 9 + 1}"
                for year in YEARS
            }
            for area in AREAS
        }
        text = wide(values, (FIRST + timedelta(days=day)).date(), f"IN.{number}.{indicator}").decode()
        parts.append(text if not parts else text.split("\n", 5)[5])
    return "\n".join(parts).encode()


def bare_copy(service):
    """Return the seconds that PostgreSQL takes for the ledger's own rows, given to it as they are."""
    with service.connect() as admin:
        with admin.cursor() as cursor, cursor.copy("COPY ledger.observation TO STDOUT") as copy:
            rows = [bytes(row) for row in copy]
        admin.execute("CREATE TABLE public.bare (LIKE ledger.observation)")
        began = time.monotonic()
        with admin.cursor() as cursor, cursor.copy("COPY public.bare FROM STDIN") as copy:
            for row in rows:
                copy.write(row)
        seconds = time.monotonic() - began
        admin.execute("DROP TABLE public.bare")
    return seconds


def told(service, name):
    began = time.monotonic()
    published = service.publish()
    seconds = time.monotonic() - began
    put = sum(published.changes["AF-MACRO"].put.values())
    print(f"  {name}: {put:,} rows put in {seconds:.0f} s, {put / seconds:,.0f}/s")
