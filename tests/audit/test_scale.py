"""The demo world at size: load, publish, one new filing on top, and what a read costs as the ledger grows."""

from __future__ import annotations

import random
import statistics
import time

import pytest

from demo import companyfacts
from demo.world import World
from dev.ports import Ports
from dev.stack import Stack, temporary_home
from sankofa.storage.queries import named
from service import Service

READS = 400
PUBLISH_SECONDS = 2


@pytest.mark.timeout(4 * 3600)
def test_the_demo_world_at_size(size):
    with temporary_home() as home:
        stack = Stack(home, Ports.free(), durable=False, shared_buffers="2GB")
        stack.start()
        try:
            measure(Service(stack, "scale"), size)
        finally:
            stack.destroy()


def measure(service, size):
    loaded = 0
    world = World(facts=size.facts[-1])
    parts = list(range(companyfacts.parts(world)))
    for facts in size.facts:
        began = time.monotonic()
        while loaded < facts and parts:
            document = companyfacts.part(world, parts.pop(0))
            (batch,) = service.ingest((document.content, document.fetched_at))
            loaded += batch.facts_appended
        load_seconds = time.monotonic() - began
        began = time.monotonic()
        published = service.publish()
        publish_seconds = time.monotonic() - began
        put = sum(published.changes["AF-FUND"].put.values())
        print(
            f"{loaded:,} facts in the ledger, loaded in {load_seconds:.0f} s;"
            f" edition {published.edition} puts {put:,} rows in {publish_seconds:.0f} s"
        )
        issuers = issuers_of(service, edition=1)
        current, first = read_ms(service, issuers, published.edition), read_ms(service, issuers, 1)
        print(f"  by-issuer read p50: current edition {current:.2f} ms, oldest edition {first:.2f} ms")
    one_new_filing(service, world)
    hot_updates(service)


def issuers_of(service, edition):
    return [
        row[0]
        for row in service.rows(
            "SELECT service_id FROM serving.issued_id WHERE published_in <= %s ORDER BY 1 LIMIT 5000",
            edition,
        )
    ]


def read_ms(service, issuers, edition):
    """Return the median time of the endpoint's own statement for random issuers, on a warm connection."""
    rng = random.Random(1)
    statement = named("sankofa.fundamentals")["facts_of_issuer"]
    times = []
    with service.connect("read") as connection:
        for _ in range(READS):
            asked = {
                "service_id": rng.choice(issuers),
                "edition": edition,
                "as_of": "2024-06-30",
                "period_type": "FY",
                "vintages": "latest",
            }
            began = time.perf_counter()
            assert connection.execute(statement, asked).fetchall()
            times.append(time.perf_counter() - began)
    return statistics.median(times) * 1000


def one_new_filing(service, world):
    """A filing committed to the ledger is current within two seconds, whatever lies below it."""
    took = []
    for number in range(1, 6):
        document = companyfacts.later_filing(world, 0, number)
        service.ingest((document.content, document.fetched_at))
        began = time.monotonic()
        assert service.publish()
        took.append(time.monotonic() - began)
    print(f"  one new filing is current {max(took):.2f} s after its ledger commit at worst (of {len(took)})")
    assert max(took) < PUBLISH_SECONDS


def hot_updates(service):
    """Close a year of two thousand issuers, as a restatement would, and see how many updates are HOT."""
    statistic = "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = 'fundamentals_fact'"
    service.rows("SELECT pg_stat_reset()")
    with service.connect("publish") as publisher:
        ids = [row[0] for row in publisher.execute("SELECT service_id FROM ops.issued_id LIMIT 2000")]
        began = time.monotonic()
        with publisher.transaction(force_rollback=True):
            coming = service.rows("SELECT max(edition) + 1 FROM serving.edition")[0][0]
            closed = publisher.execute(
                "UPDATE serving.fundamentals_fact SET superseded_in = %s WHERE service_id = ANY(%s)"
                " AND vintage = 1 AND fiscal_year = 2022 AND superseded_in = 2147483647",
                [coming, ids],
            ).rowcount
        seconds = time.monotonic() - began
    updated, hot = (0, 0)
    while updated < closed:
        ((updated, hot),) = service.rows(statistic)
    print(f"  {closed:,} rows closed in {seconds:.1f} s: {100 * hot / updated:.0f} % HOT updates")
    assert hot / updated > 0.8
