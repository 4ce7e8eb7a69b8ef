"""KEY-9: stores that stop, die, are emptied or come back: what callers see, and how soon."""

from __future__ import annotations

import asyncio
import time
from contextlib import contextmanager
from datetime import timedelta

import pytest
from redis import Redis as Client

from dev.ports import unused_ports
from dev.redis_server import Redis
from dev.service import wait_until
from dev.stack import temporary_home
from sankofa.access import records
from sankofa.access.decision import LimitReached
from sankofa.access.gate import Gate, GateOptions
from sankofa.access.keys import KeyHash, generate
from sankofa.access.limiter import LimiterOptions
from sankofa.access.tiers import Tiers
from sankofa.core.errors import StoreUnavailable
from sankofa.storage.breaker import Breaker
from sankofa.storage.key_events import KeyEvents
from sankofa.storage.redis import RedisOptions, Store

PEPPER = b"a pepper for tests only"
HERE = "203.0.113.7"


@pytest.fixture(scope="module")
def servers():
    with temporary_home() as home:
        servers = {
            name: Redis(home / name, f"redis_{name}", next(unused_ports()), persistent=name == "keys")
            for name in ("keys", "usage")
        }
        yield servers
        for server in servers.values():
            server.destroy()


@pytest.fixture
def key(servers):
    """Return a valid key, in stores that both answer."""
    for server in servers.values():
        server.start()
    key = generate()
    with Client.from_url(servers["usage"].url) as usage, Client.from_url(servers["keys"].url) as keys:
        usage.flushall()
        keys.flushall()
        keys.mset(
            {
                records.SENTINEL: 1,
                records.name(KeyHash(PEPPER).of(key)): '{"tier":"sample","is_public":false}',
            }
        )
    yield key
    for server in servers.values():
        server.start()


def gated(servers, act, **options):
    options = GateOptions(
        keys_url=servers["keys"].url, usage_url=servers["usage"].url, hashing=KeyHash(PEPPER), **options
    )

    async def run():
        async with Gate(options, lambda: KeyEvents(1)) as gate:
            return await act(gate)

    return asyncio.run(run())


async def outcome(gate, key):
    """Return what came of one request and how long it took."""
    start = time.monotonic()
    try:
        _, decision = await gate.admit(key, HERE)
        what = "degraded" if decision.degraded else "admitted"
    except StoreUnavailable as error:
        what = f"{error.component} unavailable"
    except LimitReached as error:
        what = f"{error.policy} reached"
    return what, time.monotonic() - start


async def eventually(gate, key, wanted, seconds):
    start = time.monotonic()
    while (await outcome(gate, key))[0] != wanted:
        assert time.monotonic() - start < seconds, f"not {wanted} within {seconds} s"
        await asyncio.sleep(0.01)
    return time.monotonic() - start


@contextmanager
def paused(server):
    server.pause()
    try:
        yield
    finally:
        server.resume()


def crash(server):
    server.kill9()


def freeze(server):
    server.pause()


def empty(server):
    with Client.from_url(server.url) as client:
        client.flushall()


def fill(server):
    with Client.from_url(server.url) as client:
        client.config_set("maxmemory", 1)


@pytest.mark.parametrize("fault", [crash, freeze, empty])
def test_a_failing_key_store_is_noticed_within_two_seconds(servers, key, fault):
    async def act(gate):
        assert (await outcome(gate, key))[0] == "admitted"
        fault(servers["keys"])
        broken_at = time.monotonic()
        answers = []
        while time.monotonic() < broken_at + 3:
            answered = await asyncio.gather(*(outcome(gate, key) for _ in range(4)))
            answers += [(time.monotonic() - broken_at, *each) for each in answered]
            await asyncio.sleep(0.02)
        strangers = await outcome(gate, generate())
        return answers, strangers

    answers, strangers = gated(servers, act, tiers=Tiers.changed({"sample": {"per_minute": 300}}))
    late = {what for moment, what, _ in answers if moment > 2}
    print(
        f"last admitted {max((m for m, what, _ in answers if what == 'admitted'), default=0):.2f} s after, "
        f"longest answer {max(took for *_, took in answers):.3f} s, {len(answers)} answers"
    )
    assert late == {"keys unavailable"}
    assert {what for _, what, _ in answers} <= {"admitted", "keys unavailable"}
    assert max(took for *_, took in answers) < 1
    assert strangers[0] == "keys unavailable"


def test_an_open_breaker_answers_at_once_and_closes_without_a_restart(servers, key):
    async def act(gate):
        with paused(servers["keys"]):
            slow = await asyncio.gather(*(outcome(gate, key) for _ in range(16)))
            fast = [await outcome(gate, key) for _ in range(50)]
        recovered = await eventually(gate, key, "admitted", 3)
        return slow, fast, recovered

    slow, fast, recovered = gated(servers, act)
    print(f"slowest {max(took for _, took in slow):.3f} s, then {max(took for _, took in fast):.4f} s")
    print(f"back after {recovered:.2f} s")
    assert {what for what, _ in slow + fast} == {"keys unavailable"}
    assert max(took for _, took in slow) < 1
    assert max(took for _, took in fast) < 0.05


@pytest.mark.parametrize("name", ["keys", "usage"])
def test_a_restarted_store_is_used_again_without_a_failed_request(servers, key, name):
    async def act(gate):
        await asyncio.gather(*(outcome(gate, key) for _ in range(10)))
        servers[name].kill9()
        servers[name].start()
        return await asyncio.gather(*(outcome(gate, key) for _ in range(10)))

    assert {what for what, _ in gated(servers, act, remember=timedelta())} == {"admitted"}


@pytest.mark.parametrize("fault", [crash, freeze, fill])
def test_a_failing_usage_store_leaves_each_process_its_share(servers, key, fault):
    async def act(gate):
        before = [(await outcome(gate, key))[0] for _ in range(6)]
        fault(servers["usage"])
        during = [await outcome(gate, key) for _ in range(40)]
        health = await gate.probe()
        if fault is fill:
            with Client.from_url(servers["usage"].url) as client:
                client.config_set("maxmemory", 0)
        servers["usage"].start()
        recovered = await eventually(gate, key, "admitted", 3)
        return before, during, health, recovered

    before, during, health, recovered = gated(servers, act, limiter=LimiterOptions(processes=3))
    print(f"slowest {max(took for _, took in during):.3f} s, back after {recovered:.2f} s")
    assert before == ["admitted"] * 6
    # A third of 60, of which this process had used six before; a few of the others it had leased (KEY-15).
    leased = [what for what, _ in during].count("admitted")
    assert leased <= 6
    served = ["admitted"] * leased + ["degraded"] * (14 - leased)
    assert [what for what, _ in during] == served + ["burst reached"] * 26
    assert max(took for _, took in during) < 1
    assert (health["keys"].ok, health["usage"].ok) == (True, False)


def test_both_stores_silent_is_still_answered_within_a_second(servers, key):
    async def act(gate):
        with paused(servers["keys"]), paused(servers["usage"]):
            answers = await asyncio.gather(*(outcome(gate, key) for _ in range(8)))
            start = time.monotonic()
            health = await gate.probe()
            return answers, health, time.monotonic() - start

    answers, health, took = gated(servers, act)
    assert {what for what, _ in answers} == {"keys unavailable"}
    assert max(seconds for _, seconds in answers) < 1
    assert not health["keys"].ok
    assert not health["usage"].ok
    assert took < 1


@pytest.mark.usefixtures("key")
def test_a_late_answer_is_never_taken_for_another(servers):
    async def act():
        store = Store(RedisOptions(url=servers["keys"].url, component="keys"))
        try:
            for number in range(4):
                assert await store.ask("ECHO", f"warm {number}") == f"warm {number}"
            with paused(servers["keys"]):
                for number in range(2):
                    with pytest.raises(StoreUnavailable):
                        await store.ask("ECHO", f"late {number}")
                given_up = asyncio.create_task(store.ask("ECHO", "cancelled"))
                await asyncio.sleep(0.05)
                given_up.cancel()
                await asyncio.gather(given_up, return_exceptions=True)
            words = [f"word {number}" for number in range(50)]
            return words, await asyncio.gather(*(store.ask("ECHO", word) for word in words))
        finally:
            await store.close()

    words, echoes = asyncio.run(act())
    assert echoes == words


@pytest.mark.usefixtures("key")
def test_connections_that_died_while_idle_cost_nobody_an_answer(servers):
    async def act():
        store = Store(RedisOptions(url=servers["usage"].url, component="usage"))
        try:
            await asyncio.gather(*(store.ask("PING") for _ in range(20)))
            with Client.from_url(servers["usage"].url) as client:
                client.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
            return await asyncio.gather(*(store.ask("PING") for _ in range(40)))
        finally:
            await store.close()

    assert asyncio.run(act()) == ["PONG"] * 40


@pytest.mark.usefixtures("key")
def test_connections_are_bounded_and_closed(servers):
    async def act(client):
        # Time enough for the last in the queue: a connection given up is still counted by the server.
        patient = RedisOptions(
            url=servers["usage"].url,
            component="usage",
            connections=5,
            command=timedelta(seconds=30),
        )
        store = Store(patient)
        await asyncio.gather(*(store.ask("PING") for _ in range(200)))
        most = client.info("clients")["connected_clients"]
        await store.close()
        return most

    with Client.from_url(servers["usage"].url) as client:
        before = client.info("clients")["connected_clients"]
        assert asyncio.run(act(client)) <= before + 5
        assert wait_until(lambda: client.info("clients")["connected_clients"] == before, 2)


def test_the_breaker_opens_probes_and_closes():
    now = [0.0]
    breaker = Breaker(clock=lambda: now[0])
    for _ in range(4):
        breaker.failed()
    assert breaker.admits()
    breaker.succeeded()
    for _ in range(4):
        breaker.failed()
    assert breaker.is_closed, "failures count in a row"
    breaker.failed()
    assert not breaker.is_closed
    assert not breaker.admits()
    now[0] = 1.0
    assert [breaker.admits(), breaker.admits()] == [True, False]
    breaker.failed()
    now[0] = 1.9
    assert not breaker.admits()
    now[0] = 2.0
    assert breaker.admits()
    breaker.succeeded()
    assert not breaker.is_closed
    assert breaker.admits(), "after one good probe the next follows at once"
    breaker.succeeded()
    assert breaker.is_closed


def test_failures_far_apart_do_not_open_the_breaker():
    now = [0.0]
    breaker = Breaker(clock=lambda: now[0])
    for _ in range(20):
        breaker.failed()
        now[0] += 0.6
    assert breaker.is_closed
