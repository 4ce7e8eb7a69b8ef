"""KEY-6: counts of the month go to PostgreSQL, and come back into a usage store that lost them, once."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from sankofa.access.months import Months
from sankofa.storage.redis import JobStore, RedisOptions

KEY, OTHER = "0123456789ab", "ba9876543210"
MONTH = f"{datetime.now(UTC):%Y-%m}"
COUNTER, OTHERS = (f"u:{{{key}}}:month:{MONTH}" for key in (KEY, OTHER))


@pytest.fixture
def months(module_service, usage_server, usage_client):
    with module_service.connect() as admin:
        admin.execute("TRUNCATE ops.usage_month")
    store = JobStore(RedisOptions(url=usage_server.url, component="usage"))
    with module_service.connect("follow") as connection:
        months = Months(connection, store)
        months.restore()
        usage_client.mset({COUNTER: 500, OTHERS: 7})
        months.keep()
        yield months
    store.close()


def kept(service):
    return dict(service.rows("SELECT key_id, requests FROM ops.usage_month WHERE month = %s", MONTH))


def test_counts_are_kept_as_they_grow_and_shrink(months, module_service, usage_client):
    assert kept(module_service) == {KEY: 500, OTHER: 7}
    usage_client.incrby(COUNTER, 3)
    usage_client.decr(OTHERS)
    months.keep()
    assert kept(module_service) == {KEY: 503, OTHER: 6}


def test_a_count_that_stays_is_not_written_again(months, module_service):
    before = module_service.rows("SELECT xmin::text, saved_at FROM ops.usage_month ORDER BY key_id")
    months.keep()
    assert module_service.rows("SELECT xmin::text, saved_at FROM ops.usage_month ORDER BY key_id") == before


def test_a_flush_is_mended_once_whatever_was_counted_meanwhile(months, module_service, usage_client):
    usage_client.flushall()
    usage_client.incrby(COUNTER, 3)
    assert months.restore() == 2
    assert (usage_client.get(COUNTER), usage_client.get(OTHERS)) == ("503", "7")
    assert months.restore() == 0
    months.keep()
    assert kept(module_service) == {KEY: 503, OTHER: 7}
    assert usage_client.ttl(COUNTER) > 86_400


def test_a_follower_that_was_killed_while_it_restored_adds_nothing_twice(months, usage_client):
    usage_client.flushall()
    months.restore()
    usage_client.delete(f"u:{{restored}}:{MONTH}")
    assert months.restore() == 2
    months.keep()
    assert (usage_client.get(COUNTER), usage_client.get(OTHERS)) == ("500", "7")


def test_a_count_that_began_again_before_it_was_kept_includes_what_was(months, module_service, usage_client):
    """As `keep` meets it, if a store is flushed between `restore` and `keep`."""
    usage_client.flushall()
    usage_client.incrby(COUNTER, 3)
    months.keep()
    assert usage_client.get(COUNTER) == "503"
    assert kept(module_service) == {KEY: 503, OTHER: 7}


def test_addresses_of_clients_are_not_kept(months, module_service, usage_client):
    for client in ("203.0.113.7/32", "2001:db8:1:2::/64"):
        usage_client.set(f"u:{{{KEY}}}:month:{client}:{MONTH}", 9)
    usage_client.set(f"u:{{probe}}:month:{MONTH}", 9)
    months.keep()
    assert kept(module_service) == {KEY: 500, OTHER: 7}
