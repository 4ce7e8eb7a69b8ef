"""The registry: PostgreSQL knows first, the key store follows, history stays."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from redis import Redis as Client

from dev.installation import Installation
from dev.ports import unused_ports
from dev.redis_server import Redis
from dev.service import wait_until
from dev.stack import temporary_home
from sankofa.access import records
from sankofa.access.keys import KeyHash, is_well_formed
from sankofa.access.registry import Registry
from sankofa.core.errors import NotFound, Refused, StoreUnavailable
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import connect
from sankofa.storage.redis import JobStore, RedisOptions

HASH = KeyHash(b"a pepper for tests only")


@pytest.fixture(scope="module")
def installation(stack):
    installation = Installation(stack, "test_key_registry")
    installation.prepare()
    return installation


@pytest.fixture(scope="module")
def server():
    with temporary_home() as home:
        server = Redis(home / "redis", "redis_keys", next(unused_ports()), persistent=True)
        server.start()
        yield server
        server.destroy()


@pytest.fixture
def client(server):
    with Client.from_url(server.url, decode_responses=True) as client:
        yield client


@pytest.fixture
def registry(installation, server, client):
    server.start()
    client.flushall()
    store = JobStore(RedisOptions(url=server.url, component="keys"))
    with connect(installation.dsn("keys")) as connection:
        registry = Registry(
            connection, store, HASH, Objects(installation.settings().journal()), operator="a test"
        )
        registry.sync()
        yield registry
    store.close()


def record(client, key):
    return client.get(records.name(HASH.of(key)))


def generation(installation):
    with connect(installation.stack.postgres_dsn(dbname=installation.database)) as admin:
        return admin.execute("SELECT coalesce(max(event), 0) FROM ops.key_event").fetchone()[0]


def standing(registry, key_id):
    return next(each for each in registry.registered() if each.key_id == key_id)


def test_an_issued_key_is_shown_once_and_kept_as_a_hash(registry, installation, client):
    issued = registry.issue("starter", "Ama's laboratory")
    assert is_well_formed(issued.key)
    assert issued.is_live
    assert issued.key_id == HASH.of(issued.key)[:12]
    assert record(client, issued.key) == '{"tier":"starter","is_public":false}'
    assert client.get(records.SENTINEL) == str(generation(installation))
    with connect(installation.stack.postgres_dsn(dbname=installation.database)) as admin:
        rows = admin.execute("SELECT row_to_json(key_event)::text FROM ops.key_event").fetchall()
    kept = [*(text for (text,) in rows), *client.keys(), *map(str, client.mget(client.keys()))]
    assert not [text for text in kept if issued.key in text or issued.key[4:34] in text]


def test_an_issued_key_outlives_a_key_store_that_was_down(registry, server, client):
    server.kill9()
    issued = registry.issue("sample", "while the store was down", public=True)
    assert not issued.is_live
    assert standing(registry, issued.key_id).is_public
    server.start()
    assert record(client, issued.key) is None
    assert registry.is_behind()
    registry.sync()
    assert not registry.is_behind()
    assert record(client, issued.key) == '{"tier":"sample","is_public":true}'


def test_the_next_act_brings_the_store_up_to_date(registry, server, client):
    kept = registry.issue("sample", "first")
    assert wait_until(lambda: client.info("persistence")["aof_buffer_length"] == 0, 10)  # it is in the file
    server.kill9()
    missed = registry.issue("sample", "second")
    with pytest.raises(StoreUnavailable, match="until the key store has the decision"):
        registry.revoke(kept.key_id)
    server.start()
    assert record(client, kept.key)
    registry.issue("sample", "third")
    assert record(client, kept.key) is None
    assert record(client, missed.key)


def test_a_revoked_key_has_no_record_and_its_history_stays(registry, client):
    issued = registry.issue("sample", "to be revoked")
    registry.revoke(issued.key_id)
    assert record(client, issued.key) is None
    assert standing(registry, issued.key_id).ends_at <= datetime.now(UTC)
    with pytest.raises(NotFound):
        registry.revoke(issued.key_id)
    with pytest.raises(NotFound):
        registry.change_tier(issued.key_id, "starter")
    with pytest.raises(NotFound):
        registry.revoke("0" * 12)


def test_a_tier_changes_and_the_key_stays(registry, client):
    issued = registry.issue("sample", "upgraded")
    registry.change_tier(issued.key_id, "professional")
    assert record(client, issued.key) == '{"tier":"professional","is_public":false}'
    assert standing(registry, issued.key_id).tier == "professional"


def test_the_registry_counts_the_valid_keys_of_each_pepper(registry, installation, server):
    newer = KeyHash(b"a newer pepper for tests", [b"a pepper for tests only"])
    current, retired = newer.pepper_ids
    kept, changed, revoked = (registry.issue("sample", name) for name in ("kept", "changed", "revoked"))
    before = registry.peppers()[retired]
    store = JobStore(RedisOptions(url=server.url, component="keys"))
    with connect(installation.dsn("keys")) as connection:
        successor = Registry(
            connection, store, newer, Objects(installation.settings().journal()), operator="a test"
        )
        successor.change_tier(changed.key_id, "starter")
        successor.revoke(revoked.key_id)
        replacing = successor.rotate(kept.key_id, grace=timedelta())
        assert successor.peppers() == {retired: before - 2, current: 1}
    store.close()
    assert standing(registry, changed.key_id).pepper_id == retired
    assert standing(registry, replacing.key_id).pepper_id == current


def test_a_rotated_key_works_through_its_grace_and_not_after(registry, client):
    first = registry.issue("starter", "rotates")
    second = registry.rotate(first.key_id)
    assert record(client, second.key) == record(client, first.key)
    assert 86_000 < client.ttl(records.name(HASH.of(first.key))) <= 86_400
    assert standing(registry, first.key_id).replaced_by == second.key_id
    third = registry.rotate(second.key_id, grace=timedelta())
    assert record(client, second.key) is None
    assert record(client, third.key)
    registry.sync()
    assert record(client, first.key)
    assert record(client, second.key) is None
    assert client.ttl(records.name(HASH.of(first.key))) <= 86_400


def test_a_rotated_key_ends_whatever_is_decided_about_it(registry, client):
    first = registry.issue("sample", "rotates and grows")
    registry.rotate(first.key_id, grace=timedelta(hours=1))
    registry.change_tier(first.key_id, "starter")
    assert record(client, first.key) == '{"tier":"starter","is_public":false}'
    assert 0 < client.ttl(records.name(HASH.of(first.key))) <= 3_600
    with pytest.raises(Refused, match="rotated before"):
        registry.rotate(first.key_id)
    registry.revoke(first.key_id)
    assert record(client, first.key) is None


def test_sync_fills_an_empty_store_and_writes_the_sentinel_last(registry, installation, client):
    valid = [registry.issue("sample", f"number {number}") for number in range(5)]
    ended = registry.issue("sample", "ended")
    registry.revoke(ended.key_id)
    client.flushall()
    client.config_set("maxmemory", "1")
    with pytest.raises(StoreUnavailable):
        registry.sync()
    assert client.get(records.SENTINEL) is None
    client.config_set("maxmemory", "0")
    assert registry.sync() == generation(installation)
    assert all(record(client, each.key) for each in valid)
    assert record(client, ended.key) is None


def test_sync_removes_what_the_registry_does_not_know(registry, client):
    issued = registry.issue("sample", "known")
    planted = records.name("ab" * 32)
    client.set(planted, '{"tier":"professional","is_public":false}')
    client.set(records.name(HASH.of(issued.key)), '{"tier":"professional","is_public":false}')
    registry.sync()
    assert client.get(planted) is None
    assert record(client, issued.key) == '{"tier":"sample","is_public":false}'


def test_sync_never_takes_a_valid_key_away_meanwhile(registry, client):
    issued = [registry.issue("sample", f"constant {number}") for number in range(20)]
    names = {records.name(HASH.of(each.key)) for each in issued}
    client.config_set("notify-keyspace-events", "KEA")
    with client.pubsub(ignore_subscribe_messages=True) as watcher:
        watcher.psubscribe("__keyspace@0__:*")
        registry.sync()
        client.set("end", 1)
        seen = []
        while not seen or not seen[-1][0].endswith(":end"):
            message = watcher.get_message(timeout=5)
            if message:
                seen.append((message["channel"], message["data"]))
    client.config_set("notify-keyspace-events", "")
    touched = {(channel.partition(":")[2], act) for channel, act in seen}
    assert {(name, "set") for name in names} <= touched
    assert not {(name, act) for name, act in touched if name in names and act != "set"}


def test_a_registry_older_than_the_store_changes_nothing(registry, client):
    issued = registry.issue("sample", "before the restore")
    client.set(records.SENTINEL, 1_000_000)
    with pytest.raises(Refused, match="restored"):
        registry.sync()
    assert client.get(records.SENTINEL) == "1000000"
    assert record(client, issued.key)


def test_two_operators_at_once_leave_one_order(installation, server, registry):
    other_store = JobStore(RedisOptions(url=server.url, component="keys"))
    with connect(installation.dsn("keys")) as connection:
        journal = Objects(installation.settings().journal())
        other = Registry(connection, other_store, HASH, journal, operator="a test")
        before = generation(installation)
        for number in range(10):
            (registry, other)[number % 2].issue("sample", f"turn {number}")
    other_store.close()
    assert generation(installation) == before + 10
    assert not registry.is_behind()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ops.key_event SET tier = 'professional'",
        "DELETE FROM ops.key_event",
        "TRUNCATE ops.key_event",
        "INSERT INTO ops.key_event (recorded_at) VALUES ('epoch')",
        "SELECT * FROM ops.batch",
        "SELECT * FROM serving.edition",
    ],
)
def test_the_registry_role_can_do_nothing_else(installation, statement):
    with connect(installation.dsn("keys")) as session, pytest.raises(psycopg.errors.InsufficientPrivilege):
        session.execute(statement)


@pytest.mark.parametrize("role", ["read", "ingest", "publish", "privacy"])
def test_no_other_role_sees_the_registry(installation, role):
    with connect(installation.dsn(role)) as session, pytest.raises(psycopg.errors.InsufficientPrivilege):
        session.execute("SELECT * FROM ops.key_event")


@pytest.mark.parametrize("statement", ["UPDATE ops.key_event SET label = 'x'", "TRUNCATE ops.key_event"])
def test_not_even_the_administrator_rewrites_history(installation, statement):
    with (
        connect(installation.stack.postgres_dsn(dbname=installation.database)) as admin,
        pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"),
    ):
        admin.execute(statement)


def test_everything_about_the_registry_is_documented(installation):
    with connect(installation.stack.postgres_dsn(dbname=installation.database)) as admin:
        undocumented = admin.execute(
            "SELECT attname FROM pg_attribute WHERE attrelid = 'ops.key_event'::regclass AND attnum > 0 "
            "AND col_description(attrelid, attnum) IS NULL"
        ).fetchall()
    assert undocumented == []
