"""A register of organisations at size: load against bare COPY, publish, and what look-ups and search cost."""

from __future__ import annotations

import asyncio
import random
import resource
import statistics
import time
from datetime import UTC, datetime

import pytest

from demo import lei_register
from dev.ports import Ports
from dev.stack import Stack, temporary_home
from sankofa.ingest.archive import Document
from sankofa.ingest.run import ingest
from sankofa.ingest.sources import source
from service import Service

FETCHED = datetime(2026, 1, 5, 6, tzinfo=UTC)
LOOKUPS = 1_000
LARGEST_RSS_MB = 1_024


@pytest.mark.timeout(4 * 3600)
def test_a_register_at_size(size, seed):
    with temporary_home() as home:
        stack = Stack(home, Ports.free(), durable=False, shared_buffers="2GB")
        stack.start()
        try:
            measure(Service(stack, "register"), size.organisations, seed, home)
        finally:
            stack.destroy()


def measure(service, organisations, seed, home):
    file = home / "golden-copy.csv"
    lei_register.write(file, organisations, seed)
    megabytes = file.stat().st_size / 1e6
    bare = bare_copy_seconds(service, file)
    began = time.monotonic()
    document = Document(source=source("demo-gleif"), content=file, fetched_at=FETCHED)
    with service.connect("ingest") as connection:
        batch = ingest(connection, service.objects, document)
    load = time.monotonic() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    assert batch.outcome == "accepted"
    print(
        f"{batch.facts_appended:,} of {organisations:,} records ({megabytes:,.0f} MB) loaded in {load:.0f} s,"
        f" {batch.facts_appended / load:,.0f} a second, {load / bare:.1f} times bare COPY of the file;"
        f" peak memory {peak:,.0f} MB; rejected {batch.rejected}"
    )
    assert peak < LARGEST_RSS_MB
    began = time.monotonic()
    published = service.publish()
    print(f"edition {published.edition} puts {published.changes['entities'].told()} in {time.monotonic() - began:.0f} s")


def bare_copy_seconds(service, file):
    """Return how long PostgreSQL alone takes to swallow the lines of the file."""
    with service.connect() as connection, connection.cursor() as cursor, file.open("rb") as lines:
        cursor.execute("CREATE TEMPORARY TABLE bare (line text)")
        began = time.monotonic()
        with cursor.copy("COPY bare FROM STDIN (FORMAT csv, DELIMITER E'\\x01', QUOTE E'\\x02')") as copy:
            while piece := lines.read(1 << 20):
                copy.write(piece)
        return time.monotonic() - began
