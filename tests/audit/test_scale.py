"""The demo world at size: load, publish, one new filing on top, and what questions cost as it grows."""

from __future__ import annotations

import asyncio
import random
import statistics
import time
from dataclasses import replace
from datetime import date

import pytest

from audit.answer_times import answer_times
from audit.held_documents import hold_documents
from audit.sealing import sealing
from audit.workers import lanes
from demo import companyfacts
from demo.world import World
from dev.ports import Ports
from dev.stack import Stack, temporary_home
from sankofa.ask.endpoint import Page
from sankofa.editions.publish import publish
from sankofa.fundamentals.reads import facts_of_issuer
from sankofa.fundamentals.served import FundamentalsParams
from sankofa.storage.edition import Edition
from support.holding import decision
from support.service import Service

READS = 400
WORKERS = 2
MOST_BYTES = 700  # a fact in a first edition, whose indexes are packed; ADR 0055 says what they are
OF_DOCUMENTS = ("document", "batch", "edition_holds", "held_document", "pending")  # tables of ops
ROOM = 8 << 20  # where two workers extend a table at once, PostgreSQL adds up to 4 MB ahead of them


pytestmark = pytest.mark.timeout(4 * 3600)


@pytest.fixture(scope="module")
def service():
    with temporary_home() as home:
        stack = Stack(home, Ports.free(), durable=False, shared_buffers="2GB")
        stack.start()
        try:
            yield Service(stack, "scale")
        finally:
            stack.destroy()


@pytest.fixture(scope="module")
def world(size):
    return World(facts=size.facts[-1])


def test_the_world_grows_to_its_size(service, world, size):
    hold_documents(service, size.documents)
    loaded = 0
    parts = list(range(companyfacts.parts(world)))
    for facts in size.facts:
        began, before = time.monotonic(), loaded
        while loaded < facts and parts:
            document = companyfacts.part(world, parts.pop(0))
            (batch,) = service.ingest((document.content, document.fetched_at))
            loaded += batch.facts_appended
        load_seconds = time.monotonic() - began
        decision(service, release=True)  # the world grows more between two editions than a source may
        spent, publish_seconds = lanes(service, WORKERS)
        ((edition,),) = service.rows("SELECT max(edition) FROM serving.edition")
        print(
            f"{loaded:,} facts in the ledger, {loaded - before:,} new, loaded in {load_seconds:.0f} s;"
            f" edition {edition} in {publish_seconds:.0f} s with {WORKERS} workers,"
            f" {1_000_000 * sum(spent) / (loaded - before):.0f} µs of processor time for each new fact,"
            f" {spent[0] / sum(spent):.2f} of it in the busier lane"
        )
        rows, seconds, _ = sealing(service, edition)
        share = seconds / publish_seconds
        print(f"  sealing it reads and hashes {rows:,} rows in {seconds:.1f} s, {share:.1%} of the publish")
        issuers = issuers_of(service, edition=1)
        for name, number in (("current", edition), ("oldest", 1)):
            read, bare = read_ms(service, issuers, number)
            ratio = read / bare
            print(f"  by-issuer read p50, {name} edition: {read:.2f} ms, {ratio:.1f} times a bare SELECT 1")
        total = bytes_a_fact(service, loaded)
        assert edition > 1 or total < MOST_BYTES + ROOM / loaded


def bytes_a_fact(service, facts):
    """Print what PostgreSQL keeps for each fact of the ledger, and in which tables; return it.

    The records of documents count apart: there may be more of them than facts.
    """
    sizes = service.rows(
        "SELECT relname, pg_total_relation_size(oid), pg_indexes_size(oid) FROM pg_class"
        " WHERE relkind = 'r' AND relnamespace::regnamespace::text IN ('ledger', 'serving', 'ops', 'build')"
        " ORDER BY 2 DESC"
    )
    documents = sum(size for name, size, _ in sizes if name in OF_DOCUMENTS) / facts
    total = sum(size for _, size, _ in sizes) / facts - documents
    largest = ", ".join(
        f"{name} {size / facts:.0f} (indexes {indexes / facts:.0f})" for name, size, indexes in sizes[:3]
    )
    print(f"  {total:.0f} bytes a fact, and {documents:.0f} of documents: {largest}")
    return total


def issuers_of(service, edition):
    return [
        row[0]
        for row in service.rows(
            "SELECT service_id FROM serving.issued_id WHERE published_in <= %s ORDER BY 1 LIMIT 5000",
            edition,
        )
    ]


class Timed:
    """A reader as the endpoint knows it, over one connection; it keeps what its statements took."""

    def __init__(self, connection):
        self.connection, self.seconds = connection, 0.0

    async def fetch(self, statement, values, **_):
        began = time.perf_counter()
        rows = self.connection.execute(statement, values).fetchall()
        self.seconds = time.perf_counter() - began
        return rows


def read_ms(service, issuers, edition):
    """Return the median times of the endpoint's own statement and, in between, of the simplest one."""
    rng = random.Random(1)
    page = Page(edition=Edition(edition, "", date(2026, 1, 5)), rows=8_000)
    times, bare = [], []
    with service.connect("read") as connection:
        reader = Timed(connection)
        for _ in range(READS):
            asked = FundamentalsParams(
                service_id=rng.choice(issuers), as_of=date(2024, 6, 30), period_type="FY"
            )
            assert asyncio.run(facts_of_issuer(reader, asked, page)).rows
            times.append(reader.seconds)
            began = time.perf_counter()
            connection.execute("SELECT 1").fetchall()
            bare.append(time.perf_counter() - began)
    return statistics.median(times) * 1000, statistics.median(bare) * 1000


def test_questions_read_no_large_table_whole(service, rng):
    answer_times(service, rng)


def test_one_new_filing_is_current_in_two_seconds_whatever_lies_below_it(service, world, size):
    whole = service.publisher()
    *data, _tallies, _totals = whole.walks
    unmeasured = replace(whole, walks=tuple(data), check=lambda _connection, _edition: None)
    took = [publish_later_filing(service, world, number, whole) for number in range(1, 21)]
    bare = [publish_later_filing(service, world, number, unmeasured) for number in range(21, 26)]
    print(
        f"  above {size.documents:,} documents, one new filing is current {max(took):.2f} s"
        f" after its ledger commit at worst (of {len(took)})"
    )
    ratio = statistics.median(took) / statistics.median(bare)
    print(f"  with quality and its floors, publishing it takes {ratio:.2f} times what it takes without")
    ((edition,),) = service.rows("SELECT max(edition) FROM serving.edition")
    rows, seconds, scanned = sealing(service, edition)
    print(f"  sealing it: {rows:,} rows in {seconds * 1000:.0f} ms, {seconds / took[-1]:.1%} of the publish")
    assert scanned == set()
    assert max(took) < size.current_seconds


def publish_later_filing(service, world, number, publisher):
    document = companyfacts.later_filing(world, 0, number)
    service.ingest((document.content, document.fetched_at))
    began = time.monotonic()
    assert publish(publisher)
    return time.monotonic() - began


def test_corrections_close_rows_by_hot_updates(service):
    """Close rows as corrections do, undo it, and see how many of the updates are HOT."""
    one_line = hot_share(service, "line_item = 'revenue' AND fiscal_year = 2022")
    whole_year = hot_share(service, "fiscal_year = 2022")
    print(f"  closed by HOT updates: {one_line:.0%} of one line of a year, {whole_year:.0%} of a whole year")
    assert one_line > 0.7  # a page keeps a twentieth of its room free (ADR 0055)


def hot_share(service, which):
    """Return the share of HOT updates when such rows of two thousand issuers are closed."""
    statistic = "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = 'fundamentals_fact'"
    service.rows("SELECT pg_stat_reset()")
    with service.connect("publish") as publisher, publisher.transaction(force_rollback=True):
        closed = publisher.execute(
            "UPDATE serving.fundamentals_fact"
            " SET superseded_in = (SELECT max(edition) + 1 FROM serving.edition)"
            " WHERE service_id IN (SELECT service_id FROM ops.issued_id ORDER BY service_id LIMIT 2000)"
            f" AND superseded_in = 2147483647 AND {which}"
        ).rowcount
    updated, hot = (0, 0)
    while updated < closed:
        ((updated, hot),) = service.rows(statistic)
    with service.connect("migrate") as owner:
        owner.execute("VACUUM serving.fundamentals_fact")
    return hot / updated
