"""A register of organisations at size: load against bare COPY, publish, what look-ups and search cost."""

from __future__ import annotations

import asyncio
import random
import resource
import statistics
import time
from datetime import UTC, datetime

import pytest
from stdnum import figi, isin

from demo import lei_register
from dev.ports import Ports
from dev.stack import Stack, temporary_home
from sankofa.ask.endpoint import Page
from sankofa.entities import reads, search
from sankofa.entities.served import EntityParams, LookupParams, SearchParams
from sankofa.ingest.archive import Document
from sankofa.ingest.run import ingest
from sankofa.ingest.sources import source
from sankofa.storage.reading import Reader
from support.service import Service

FETCHED = datetime(2026, 1, 5, 6, tzinfo=UTC)
LOOKUPS = 500
LISTINGS_PER_RECORD = 0.02
LARGEST_RSS_MB = 1_024
# By value alone: tables that a look-up may not read from end to end.
LARGE = ("organisation", "identifier", "issued_id")


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
    register, listed = home / "golden-copy.csv", home / "listings.csv"
    lei_register.write(register, organisations, seed)
    listed.write_text("".join(listings(int(organisations * LISTINGS_PER_RECORD))), encoding="utf-8")
    bare = bare_copy_seconds(service, register)
    load, batch = loaded(service, register, "demo-gleif")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{batch.facts_appended:,} records ({register.stat().st_size / 1e6:,.0f} MB) loaded in {load:.0f} s:"
        f" {batch.facts_appended / load:,.0f} a second, {load / bare:.1f} times bare COPY of the file"
        f" ({bare:.0f} s); peak memory {peak:,.0f} MB; rejected {batch.rejected}"
    )
    assert batch.facts_appended == organisations
    assert peak < LARGEST_RSS_MB
    loaded(service, listed, "demo-listings")
    began = time.monotonic()
    published = service.publish()
    print(f"published in {time.monotonic() - began:.0f} s: {published.changes['entities'].counts()}")
    asyncio.run(ask(service, random.Random(seed)))


def loaded(service, file, source_name):
    began = time.monotonic()
    with service.connect("ingest") as connection:
        document = Document(source=source(source_name), content=file, fetched_at=FETCHED)
        batch = ingest(connection, service.objects, document)
    assert batch.outcome == "accepted"
    return time.monotonic() - began, batch


def listings(count):
    """Yield a table of listings with tickers, ISINs and FIGIs whose check digits are right."""
    yield "mic,ticker,name,country,isin,figi,listed_from,listed_to\n"
    letters = "BCDFGHJKLMNPQRSTVWXZ"
    for number in range(count):
        spelled = "".join(letters[number // 20**place % 20] for place in range(6))
        share = f"KE{number:09}"
        composite = f"BBG{number:08}"
        yield (
            f"XNAI,{spelled},Listed Company {spelled} Plc,Kenya,{share}{isin.calc_check_digit(share)},"
            f"{composite}{figi.calc_check_digit(composite)},,\n"
        )


def bare_copy_seconds(service, file):
    """Return how long PostgreSQL alone takes to swallow the lines of the file."""
    with service.connect() as connection, connection.cursor() as cursor, file.open("rb") as lines:
        cursor.execute("CREATE TEMPORARY TABLE bare (line text)")
        began = time.monotonic()
        with cursor.copy("COPY bare FROM STDIN (FORMAT csv, DELIMITER E'\\x01', QUOTE E'\\x02')") as copy:
            while piece := lines.read(1 << 20):
                copy.write(piece)
        return time.monotonic() - began


async def ask(service, rng):
    """Print what each kind of question costs, and refuse a plan that reads a large table from end to end."""
    sample = {
        kind: service.rows(
            "SELECT CASE id_type WHEN 'ticker' THEN issuer || ':' || id_value ELSE id_value END"
            " FROM serving.identifier TABLESAMPLE SYSTEM (5) WHERE id_type = %s AND valid_to IS NULL"
            " ORDER BY md5(row_id::text) LIMIT %s",
            kind,
            LOOKUPS,
        )
        for kind in ("lei", "registry", "isin", "figi", "ticker")
    }
    names = service.rows(
        "SELECT legal_name, service_id FROM serving.organisation TABLESAMPLE SYSTEM (5)"
        " ORDER BY md5(row_id::text) LIMIT %s",
        LOOKUPS,
    )
    before = sequential_scans(service)
    reader = Reader(service.settings.reading())
    await reader.open()
    try:
        page = Page(edition=await reader.edition(None), rows=20)

        async def look_up(kind, value):
            return await reads.organisations_by_identifier(
                reader, LookupParams(id_type=kind, id_value=value), page
            )

        for kind, values in sample.items():
            await timed(f"look-up by {kind}", [lambda k=kind, v=value: look_up(k, v) for (value,) in values])
        await timed(
            "entity by id",
            [
                lambda i=service_id: reads.organisation(reader, EntityParams(service_id=i), page)
                for _, service_id in names
            ],
        )
        questions = {
            "search, whole name": [name for name, _ in names],
            "search, two of its words": [" ".join(name.split()[:2]) for name, _ in names],
            "search, a letter wrong": [typo(name, rng) for name, _ in names],
        }
        for label, texts in questions.items():
            asked = [lambda t=text: search.search(reader, SearchParams(text=t), page) for text in texts]
            await timed(label, asked)
    finally:
        await reader.close()
    assert sequential_scans(service) == before


def sequential_scans(service):
    """Return how often each large table was read from end to end, by whoever has disconnected."""
    return service.rows(
        "SELECT relname, seq_scan FROM pg_stat_user_tables"
        " WHERE schemaname = 'serving' AND relname = ANY(%s) ORDER BY relname",
        list(LARGE),
    )


async def timed(label, questions):
    spent, found = [], 0
    for question in questions:
        began = time.perf_counter()
        answer = await question()
        spent.append((time.perf_counter() - began) * 1_000)
        found += bool(answer.rows)
    cuts = statistics.quantiles(spent, n=100)
    print(f"  {label}: p50 {cuts[49]:.2f} ms, p99 {cuts[98]:.2f} ms; {found} of {len(spent)} found")
    assert found >= len(spent) * 0.9


def typo(name, rng):
    place = rng.randrange(1, len(name.split()[0]) - 1)
    return name[:place] + "x" + name[place + 1 :]
