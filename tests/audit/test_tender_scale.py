"""Tenders at size: load against bare COPY, publish, and what pages cost wherever they stand."""

from __future__ import annotations

import asyncio
import gzip
import resource
import statistics
import time
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import partial
from itertools import repeat

import msgspec
import pytest

from audit.tender_documents import instant, release, write
from audit.test_register_scale import bare_copy_seconds
from audit.test_screen_scale import processor_ms
from audit.workers import lanes
from dev.ports import Ports
from dev.stack import Stack, temporary_home
from sankofa.ask.endpoint import Answer, Page
from sankofa.ingest.archive import Document
from sankofa.ingest.run import ingest
from sankofa.ingest.sources import source
from sankofa.storage.reading import Reader
from sankofa.tenders import reads
from sankofa.tenders.params import ProcessParams, TenderPartiesParams, TendersParams
from sankofa.tenders.routes import TENDERS
from sankofa.web.formats import FORMATS, JSON
from support.holding import decision
from support.service import Service

FETCHED = datetime(2026, 1, 5, 6, tzinfo=UTC)
DOCUMENT = 100_000  # releases of one document
PAGE = 100
ENCODER = msgspec.json.Encoder(decimal_format="number")
ASKED = 100
LARGEST_RSS_MB = 1_024
DEAREST_MS = 150
WORKERS = 2
LARGE = ("tender_release", "tender_text", "tender_party", "issued_id", "organisation")
_PUT = "SELECT count(*) FROM serving.tender_release WHERE published_in = %s"
_SCANS = """
SELECT relname, seq_scan FROM pg_stat_user_tables WHERE schemaname = 'serving' AND relname = ANY(%s)
"""


@pytest.mark.timeout(4 * 3600)
def test_tenders_at_size(size):
    with temporary_home() as home:
        stack = Stack(home, Ports.free(), durable=False, shared_buffers="2GB")
        stack.start()
        try:
            measure(Service(stack, "tenders"), size.releases, home)
        finally:
            stack.destroy()


def measure(service, releases, home):
    """Load the older half of the releases, then the newer one, then refill a few; publish each time."""
    half = releases // 2
    parts = [(range(half), 0), (range(half, releases), 0), (range(0, releases, 200), 1)]
    for edition, (numbers, revised) in enumerate(parts, start=1):
        load(service, numbers, releases, revised, home)
        decision(service, release=True)
        _, seconds = lanes(service, WORKERS)
        ((put,),) = service.rows(_PUT, edition)
        print(f"edition {edition}: {put:,} releases put in {seconds:.0f} s, {put / seconds:,.0f} a second")
    asyncio.run(ask(service, releases))


def load(service, numbers, releases, revised, home):
    file, bare, spent, appended = home / "releases.json", 0.0, 0.0, 0
    for start in range(0, len(numbers), DOCUMENT):
        write(file, numbers[start : start + DOCUMENT], releases, revised=revised)
        bare += bare_copy_seconds(service, file)
        with service.connect("ingest") as connection:
            document = Document(source=source("demo-tenders"), content=file, fetched_at=FETCHED)
            began = time.monotonic()
            batch = ingest(connection, service.objects, document)
            spent += time.monotonic() - began
        assert (batch.outcome, batch.rejected) == ("accepted", {})
        appended += batch.facts_appended
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{appended:,} releases loaded in {spent:.0f} s: {appended / spent:,.0f} a second,"
        f" {spent / bare:.1f} times bare COPY of the same bytes; peak memory {peak:,.0f} MB"
    )
    assert appended == len(numbers)
    assert peak < LARGEST_RSS_MB


async def ask(service, releases):
    """Ask for pages at both ends, of both editions and filtered; all cost about the same, and by index."""
    reader = Reader(replace(service.settings.reading(), connections=1))
    await reader.open()
    try:
        before = dict(service.rows(_SCANS, list(LARGE)))
        newest, oldest = await reader.edition(None), await reader.edition(1)
        deep = releases - PAGE * min(10_000, releases // PAGE // 2)
        asked = {
            "first page": (TendersParams(), Page(edition=newest, rows=PAGE)),
            "page 10,000": (TendersParams(), Page(edition=newest, rows=PAGE, after=place(deep, releases))),
            "filtered page": (TendersParams(since=date(2015, 1, 1)), Page(edition=newest, rows=PAGE)),
            "oldest edition's first page": (TendersParams(), Page(edition=oldest, rows=PAGE)),
            "as of ten years before": (
                TendersParams(as_of=date(2015, 6, 1)),
                Page(edition=newest, rows=PAGE),
            ),
            "page of a category": (TendersParams(category="Roads"), Page(edition=newest, rows=PAGE)),
            "page of a word": (TendersParams(q="lot roads"), Page(edition=newest, rows=PAGE)),
            "page of a category and a value": (
                TendersParams(category="Roads", currency="ZAR", min_value=Decimal(1_500)),
                Page(edition=newest, rows=PAGE),
            ),
        }
        spent = {}
        for name, (params, page) in asked.items():
            pages = repeat(partial(reads.releases, reader, params, page), ASKED)
            spent[name], slow = await timed(pages, rows=PAGE + 1)
            ratio = spent[name] / spent["first page"]
            print(f"  {name}: p50 {spent[name]:.2f} ms, p99 {slow:.2f}, {ratio:.2f} of the first page")
        await time_other_reads(reader, releases, Page(edition=newest, rows=PAGE))
        assert dict(service.rows(_SCANS, list(LARGE))) == before
        for name in ("first page", "oldest edition's first page", "as of ten years before"):
            params, page = asked[name]
            dearest = await cost(reader, params, replace(page, rows=TENDERS.largest_page))
            print(f"  largest {name}: {dearest:.0f} ms of processor time, PostgreSQL, JSON and gzip included")
            assert dearest < DEAREST_MS
    finally:
        await reader.close()
    alike = [spent[name] for name in ("first page", "page 10,000", "filtered page")]
    assert max(alike) < 2 * min(alike)
    assert spent["oldest edition's first page"] < 3 * spent["first page"]


def place(number, releases):
    """Return a place in the order from which a page goes on."""
    return instant(number, releases).isoformat(), "ocds-scale1-", "", ""


async def cost(reader, params, page):
    """Return the processor time in ms that a page takes here and in PostgreSQL, the least of five."""
    spent = []
    for _ in range(5):
        ((backend,),) = await reader.fetch("SELECT pg_backend_pid()", {}, edition=page.edition)
        began = time.process_time() + processor_ms(backend) / 1_000
        found = await reads.releases(reader, params, page)
        rows = found.rows[: page.rows]
        encoded = ENCODER.encode(rows)
        answer = Answer(rows=rows, encoded=encoded, edition=page.edition, as_of=found.as_of)
        gzip.compress(FORMATS[JSON].write(TENDERS, answer), compresslevel=5)
        spent.append(1_000 * (time.process_time() + processor_ms(backend) / 1_000 - began))
        assert len(found.rows) == page.rows + 1
    return min(spent)


async def time_other_reads(reader, releases, page):
    """Read processes, and the parties of a country and of each role, and print how long each read takes."""
    ocids = [release(number, releases)["ocid"] for number in range(0, releases, releases // ASKED)]
    parties = [
        TenderPartiesParams(country="ZA", role=role, as_of=as_of)
        for role in ("buyer", "supplier", None)
        for as_of in (None, date(2015, 6, 1))
    ]
    for name, made in (
        ("a process", [partial(reads.process, reader, ProcessParams(ocid=ocid), page) for ocid in ocids]),
        ("parties", [partial(reads.parts, reader, params, page) for params in parties * 20]),
        ("parties by releases", [partial(reads.largest_parts, reader, one, page) for one in parties * 20]),
    ):
        print("  {}: p50 {:.2f} ms, p99 {:.2f}".format(name, *await timed(made)))


async def timed(questions, rows=1):
    """Return the median milliseconds of some reads, and the time that one of a hundred exceeds."""
    spent = []
    for read in questions:
        began = time.perf_counter()
        found = await read()
        spent.append(1_000 * (time.perf_counter() - began))
        assert len(found.rows) >= rows
    cuts = statistics.quantiles(spent, n=100)
    return cuts[49], cuts[98]
