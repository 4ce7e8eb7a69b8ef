"""A publisher that waits, above many documents: what looking costs, and how soon one filing is current."""

from __future__ import annotations

import statistics
import subprocess
import time
from datetime import UTC, datetime

import pytest

from audit.held_documents import hold_documents
from dev.installation import command
from dev.service import wait_until
from sankofa.editions.publish import is_due
from support.filings import Filer

LOOK_MS = 10
CURRENT_TIMES = 2
WAL_BYTES = 100_000
FILINGS = 20
_INSERTS = """
SELECT coalesce(sum(n_tup_ins), 0) FROM pg_stat_sys_tables WHERE schemaname = 'pg_catalog'
"""
_DEAD = "SELECT n_dead_tup FROM pg_stat_user_tables WHERE relname = 'pending'"


@pytest.mark.timeout(3600)
def test_waiting_costs_nothing_and_a_filing_is_current_at_once(service, make_service, size):
    hold_documents(service, size.documents)
    service.ingest(Filer(1).says(1, filed="2024-02-01").document())
    service.publish()
    publisher = service.publisher()
    # The list of what is pending was a million rows long; autovacuum shortens it within a minute or two.
    assert wait_until(lambda: service.rows(_DEAD)[0][0] < 10_000, 300)
    with service.connect("publish") as connection:
        is_due(connection, publisher)
        looks = [milliseconds(lambda: is_due(connection, publisher)) for _ in range(100)]
    look = statistics.median(looks)
    print(
        f"{size.documents:,} documents held: looking for something new takes {look:.1f} ms,"
        f" {max(looks):.1f} at worst"
    )
    assert look < LOOK_MS  # the worst of a hundred says more of what else the machine does
    took = [publish_one(service, number) for number in range(2, 2 + FILINGS)]
    empty = make_service()
    times = statistics.median(took) / statistics.median(publish_one(empty, n) for n in range(2, 2 + FILINGS))
    print(
        f"one new filing is current {max(took):.2f} s after its ledger commit at worst (of {FILINGS}),"
        f" {times:.2f} times as long as above no documents"
    )
    assert times < CURRENT_TIMES
    assert max(took) < size.current_seconds
    idle(service, size)


def milliseconds(act):
    began = time.perf_counter()
    assert not act()
    return (time.perf_counter() - began) * 1000


def publish_one(service, number):
    moment = datetime(2026, 1, 6, tzinfo=UTC)
    service.ingest((Filer(number).says(number, filed="2024-02-01").document(), moment))
    began = time.monotonic()
    assert service.publish()
    return time.monotonic() - began


def idle(service, size):
    """Run `sankofa publish --watch` with nothing to do, and count what is written."""
    alone, _ = written(service, size.idle_seconds)
    line, environment = command(service.installation, "publish", "--watch")
    with subprocess.Popen(line, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert "nothing is new" in process.stdout.readline()
            wal, inserts = written(service, size.idle_seconds)
        finally:
            process.terminate()
    print(
        f"{size.idle_seconds} idle seconds of --watch: {wal:,} bytes of WAL ({alone:,} without it),"
        f" {inserts} inserts into system catalogues"
    )
    assert wal - alone < WAL_BYTES
    assert inserts == 0


def written(service, seconds):
    """Return the bytes of WAL and the inserts into catalogues that so many seconds bring."""
    before = standing(service)
    time.sleep(seconds)  # the time that is measured
    after = standing(service)
    ((wal,),) = service.rows("SELECT %s::pg_lsn - %s::pg_lsn", after[0], before[0])
    return int(wal), after[1] - before[1]


def standing(service):
    ((wal,),) = service.rows("SELECT pg_current_wal_insert_lsn()")
    ((inserts,),) = service.rows(_INSERTS)
    return wal, inserts
