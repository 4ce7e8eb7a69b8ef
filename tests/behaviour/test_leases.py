"""KEY-15: leases admit nothing beyond the limits, refuse nobody who stays below them, and spare calls."""

from __future__ import annotations

import asyncio
import bisect
import itertools
import math
import random
from importlib import resources

import pytest

from sankofa.access.leases import LEASE_SECONDS
from sankofa.access.limiter import Limiter, LimiterOptions
from sankofa.storage.redis import RedisOptions, Store
from support.usage_store import caller, limiting, month_keys, worst_minute

SOURCE = resources.files("sankofa.access").joinpath("limiter.lua").read_text()
# The same functions under a clock that the test sets.
CLOCKED = SOURCE.replace("redis.call('TIME')[1]", "redis.call('GET', 'clock')")
START = 1_800_000_000.0
RESERVE = 1 / 8  # of a limit, which leases leave to everybody


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock the test sets; deadlines of stores therefore never pass by themselves."""

    now = START

    def time(self):
        return self.now


class World:
    """Several processes with one usage store, and every admission with its moment."""

    def __init__(self, loop, server, client, processes):
        self.loop, self.client = loop, client
        options = RedisOptions(url=server.url, component="usage")
        self.stores = [Store(options) for _ in range(processes)]
        self.limiters = [Limiter(store, LimiterOptions(), loop.time) for store in self.stores]
        self.admitted = []  # moment, process

    async def advance(self, seconds):
        """Advance the clock in small steps, and give back every lease that ends."""
        small = min(seconds, 2 * LEASE_SECONDS)
        for step in (*itertools.repeat(0.5, int(small / 0.5)), small % 0.5, seconds - small):
            self.loop.now += step
            self.client.set("clock", int(self.loop.now))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            others = asyncio.all_tasks() - {asyncio.current_task()}
            await asyncio.gather(*others)

    async def take(self, process, who):
        decision = await self.limiters[process].take(who)
        if decision.violation is None:
            self.admitted.append((self.loop.now, process))
        return decision

    def since(self, seconds, *, but=None):
        """Return how many requests were admitted in the last seconds, without those of one process."""
        start = bisect.bisect_left(self.admitted, (self.loop.now - seconds, 0))
        return sum(process != but for _, process in self.admitted[start:])

    def counted(self):
        """Return how many requests the reference counts: those of this second and the 60 before."""
        return self.since(self.loop.now - int(self.loop.now) + 60)

    def unused(self):
        return sum(lease.left for limiter in self.limiters for lease in limiter.leases.all())

    async def close(self):
        for limiter, store in zip(self.limiters, self.stores, strict=True):
            await limiter.close()
            await store.close()


def in_virtual_time(server, client, processes, act):
    client.function_load(CLOCKED, replace=True)
    client.set("clock", int(START))

    async def run():
        world = World(asyncio.get_running_loop(), server, client, processes)
        try:
            await act(world)
        finally:
            await world.close()
        return world

    try:
        with asyncio.Runner(loop_factory=VirtualLoop) as runner:
            return runner.run(run())
    finally:
        client.function_flush()


@pytest.mark.parametrize("seed", range(6))
def test_any_arrivals_at_several_processes_stay_within_the_limits(usage_server, usage_client, seed):
    print("seed", seed)
    chance = random.Random(seed)
    processes, limit = chance.choice([1, 2, 5]), chance.choice([20, 60, 300])
    who = caller(limit, 1_000_000)
    outcomes = {"leased": 0, "refused": 0}

    async def act(world):
        for _ in range(250):
            await world.advance(chance.choice([0, 0.1, 0.3, 0.6, 1.1, 2, 7, 30, 61]))
            process = chance.randrange(processes)
            for _ in range(chance.choice([1, 1, 2, 5, 20, limit // 2])):
                unused = world.unused()
                decision = await world.take(process, who)
                outcomes["leased"] += world.unused() < unused
                if decision.violation:
                    outcomes["refused"] += 1
                    if not unused:
                        assert world.since(63) >= limit
                    else:
                        # only a caller this fast is refused although leases are unused elsewhere
                        assert world.since(LEASE_SECONDS) >= math.floor(limit * RESERVE)
                    break
                remaining = decision.windows[0].remaining
                assert remaining <= limit - world.counted() + world.since(LEASE_SECONDS, but=process)

    world = in_virtual_time(usage_server, usage_client, processes, act)
    assert worst_minute([moment for moment, _ in world.admitted], 60) <= limit
    assert list(month_keys(usage_client).values()) == [str(len(world.admitted))]
    assert outcomes["leased"] > 100
    assert outcomes["refused"]


def test_a_caller_at_an_even_pace_gets_its_whole_limit_from_several_processes(usage_server, usage_client):
    who = caller(240, 1_000_000)

    async def act(world):
        for number in range(600):
            assert (await world.take(number % 3, who)).violation is None
            await world.advance(0.26)

    in_virtual_time(usage_server, usage_client, 3, act)


def test_a_month_is_never_exceeded_and_its_last_requests_are_not_leased(usage_server, usage_client):
    who = caller(60, 100)

    async def act(world):
        for number in range(200):
            await world.take(number % 3, who)
            await world.advance(0.9)

    world = in_virtual_time(usage_server, usage_client, 3, act)
    assert len(world.admitted) == 100
    assert list(month_keys(usage_client).values()) == ["100"]


def test_requests_of_a_lease_count_in_the_month_in_which_they_are_admitted(usage_server, usage_client):
    who = caller(600, 1_000_000)
    end = 1_801_440_000  # 2027-02-01T00:00Z

    async def act(world):
        world.loop.now = end - 10
        for _ in range(100):
            await world.advance(0.25)
            await world.take(0, who)

    world = in_virtual_time(usage_server, usage_client, 1, act)
    before = sum(moment < end for moment, _ in world.admitted)
    counts = {name[-7:]: int(count) for name, count in month_keys(usage_client).items()}
    assert counts == {"2027-01": before, "2027-02": 100 - before}


@pytest.mark.usefixtures("usage_client")
def test_rows_sent_under_a_lease_are_reported_before_they_are_a_sixteenth_of_the_limit(usage_server):
    who = caller(600, 1_000_000, rows=1_600)

    async def act(limiter):
        for number in range(200):
            if (decision := await limiter.take(who)).violation:
                return number, decision.violation.policy
            limiter.sent(who, 10)
        return None

    admitted, policy = limiting(usage_server, act)
    assert policy == "rows"
    assert 1_600 <= admitted * 10 <= 1_600 + 1_600 // 16


@pytest.mark.usefixtures("usage_client")
def test_a_public_key_gets_no_lease(usage_server):
    async def act(limiter):
        for _ in range(50):
            await limiter.take(caller(600, client="203.0.113.7"))
        return limiter.leases.all()

    assert limiting(usage_server, act) == []


def test_a_new_limit_ends_the_lease_of_the_old_one(usage_server, usage_client):
    async def act(limiter):
        for _ in range(20):
            await limiter.take(caller(600))
        return [await limiter.take(caller(10)) for _ in range(2)]

    refused = limiting(usage_server, act)
    assert [decision.violation.policy for decision in refused] == ["burst", "burst"]
    assert list(month_keys(usage_client).values()) == ["20"]


def test_a_busy_key_needs_few_calls(usage_server, usage_client):
    usage_client.config_resetstat()

    async def act(limiter):
        for number in range(500):
            decision = await limiter.take(caller(1_200, 1_000_000))
            assert decision.windows[0].remaining == 1_199 - number

    limiting(usage_server, act)
    calls = usage_client.info("commandstats")["cmdstat_fcall"]["calls"]
    print(f"{calls} calls for 500 requests")
    assert calls <= 25


def test_a_silent_store_ends_leases(usage_server, usage_client):
    async def act(limiter):
        for _ in range(20):
            await limiter.take(caller(600))
        usage_server.pause()
        try:
            for _ in range(3):  # other keys find that the store is silent
                await limiter.take(caller(key_id="f" * 12))
            return await limiter.take(caller(600))
        finally:
            usage_server.resume()

    assert limiting(usage_server, act).degraded
    assert usage_client.ping()
