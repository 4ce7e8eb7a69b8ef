"""KEY-16: both stores behind Sentinels: a master that dies or freezes is replaced, and nothing is lost."""

from __future__ import annotations

import asyncio
import time

import pytest
from redis import Redis

from dev.ports import unused_ports
from dev.sentinels import WatchedRedis
from dev.service import wait_until
from dev.stack import temporary_home
from sankofa.access import records
from sankofa.access.decision import LimitReached
from sankofa.access.gate import Gate, GateOptions
from sankofa.access.keys import KeyHash, generate
from sankofa.core.errors import StoreUnavailable
from sankofa.storage.key_events import KeyEvents
from sankofa.storage.redis import JobStore, RedisOptions, Store

PEPPER = b"a pepper for tests only"
HERE = "203.0.113.7"
KEYS = 50
BACK_SECONDS = 5.0
LIMIT = 60  # of the sample tier
AT_ONCE = 20


@pytest.fixture
def stores():
    ports = unused_ports()
    with temporary_home() as home:
        stores = {
            name: WatchedRedis(home, name, ports, persistent=name == "keys") for name in ("keys", "usage")
        }
        try:
            for store in stores.values():
                store.start()
            yield stores
        finally:
            for store in stores.values():
                store.destroy()


@pytest.fixture
def keys(stores):
    """Return valid keys that master and replica of the key store hold."""
    keys = [generate() for _ in range(KEYS)]
    store = JobStore(RedisOptions(url=stores["keys"].url, component="keys"))
    for key in keys:
        store.ask("SET", records.name(KeyHash(PEPPER).of(key)), '{"tier":"sample","is_public":false}')
    store.ask("SET", records.SENTINEL, 1)
    assert store.ask("WAIT", 1, 5_000) == 1
    store.close()
    return keys


def gated(stores, act):
    options = GateOptions(keys_url=stores["keys"].url, usage_url=stores["usage"].url, hashing=KeyHash(PEPPER))

    async def run():
        async with Gate(options, lambda: KeyEvents(1)) as gate:
            return await act(gate)

    return asyncio.run(run())


def connections(servers):
    """Return how many connections servers have received, the ones that ask for this among them."""
    received = 0
    for server in servers:
        with Redis(port=server.port) as client:
            received += client.info("stats")["total_connections_received"]
    return received


def test_connections_made_at_the_same_time_ask_the_sentinels_once(stores):
    async def ask_at_once():
        store = Store(RedisOptions(url=stores["keys"].url, component="keys"))
        try:
            return await asyncio.gather(*(store.ask("PING") for _ in range(AT_ONCE)))
        finally:
            await store.close()

    sentinels = stores["keys"].sentinels
    before = connections(sentinels)
    assert asyncio.run(ask_at_once()) == ["PONG"] * AT_ONCE
    assert connections(sentinels) - before == 1 + len(sentinels)


def test_connections_are_kept_for_the_next_burst_while_their_server_answers(stores):
    """New ones cost a busy process much, just when it has no time."""
    master = stores["keys"].master

    async def ask():
        store = Store(RedisOptions(url=stores["keys"].url, component="keys"))
        try:
            await asyncio.gather(*(store.ask("PING") for _ in range(AT_ONCE)))
            first = connections([master])
            end = time.monotonic() + 1.0  # longer than a server may be silent
            while time.monotonic() < end:
                await store.ask("PING")
                await asyncio.sleep(0.05)
            await asyncio.gather(*(store.ask("PING") for _ in range(AT_ONCE)))
            return connections([master]) - first
        finally:
            await store.close()

    assert asyncio.run(ask()) == 1  # that which counts them


async def outcome(gate, key):
    try:
        _, decision = await gate.admit(key, HERE)
    except StoreUnavailable as error:
        return f"{error.component} unavailable"
    except LimitReached as error:
        return f"{error.policy} reached"
    return "degraded" if decision.degraded else "admitted"


async def back_after(gate, key, fail, seconds):
    """Return the seconds from a failure, which must be noticed, to the next request that is fully served."""
    start = time.monotonic()
    fail()
    seen = set()
    while "admitted" not in seen or len(seen) == 1:
        assert time.monotonic() - start < seconds, f"not back within {seconds} s: {seen}"
        seen.add(await outcome(gate, key))
        if len(seen) == 1:
            seen.discard("admitted")  # from memory, before the failure was noticed
        await asyncio.sleep(0.05)
    return time.monotonic() - start


@pytest.mark.parametrize("how", ["kill9", "pause"])
def test_the_key_store_fails_over_and_every_key_stays_valid(stores, keys, how):
    old = stores["keys"].master

    async def act(gate):
        assert await outcome(gate, keys[0]) == "admitted"
        took = await back_after(gate, keys[0], getattr(old, how), BACK_SECONDS)
        return took, {await outcome(gate, key) for key in keys}

    took, outcomes = gated(stores, act)
    print(f"{how} of the key store's master: back after {took:.1f} s")
    assert outcomes == {"admitted"}
    assert stores["keys"].master is not old
    if how == "pause":
        old.resume()


def test_the_usage_store_fails_over_with_its_counts(stores, keys):
    old = stores["usage"].master

    async def act(gate):
        assert [await outcome(gate, keys[0]) for _ in range(40)] == ["admitted"] * 40
        took = await back_after(gate, keys[1], old.kill9, BACK_SECONDS)
        after = [await outcome(gate, keys[0]) for _ in range(LIMIT - 38)]
        return took, after

    took, after = gated(stores, act)
    print(f"kill of the usage store's master: back after {took:.1f} s; then {after.count('admitted')} more")
    assert set(after) == {"admitted", "burst reached"}
    # A lease that ended while no server answered was not given back.
    assert LIMIT - 40 - LIMIT // 8 <= after.count("admitted") <= LIMIT - 40


def test_an_old_master_that_comes_back_is_not_asked(stores, keys):
    old = stores["usage"].master

    async def act(gate):
        assert [await outcome(gate, keys[0]) for _ in range(LIMIT)] == ["admitted"] * LIMIT
        old.pause()  # nobody asks meanwhile, so the gate keeps its connections
        assert await asyncio.to_thread(wait_until, lambda: stores["usage"].master is not old, 30)
        old.resume()
        return await outcome(gate, keys[0])

    assert gated(stores, act) == "burst reached"


def test_a_silent_sentinel_delays_nothing_for_long(stores, keys):
    stores["keys"].sentinels[0].pause()

    async def act(gate):
        return [await outcome(gate, key) for key in keys[:5]]

    try:
        assert gated(stores, act) == ["admitted"] * 5
    finally:
        stores["keys"].sentinels[0].resume()
