"""KEY-14: what one process answers side by side is shared out by caller and tier, and in turns."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest

from sankofa.access import turns as module
from sankofa.access.caller import Caller
from sankofa.access.decision import LimitReached
from sankofa.access.tiers import Tiers
from sankofa.access.turns import Turns
from sankofa.core.errors import StoreUnavailable

TIERS = Tiers()


def caller(number, tier="professional", client=None):
    return Caller(key_id=f"{number:012}", tier=TIERS.named(tier), client_prefix=client)


class Requests:
    """Requests that begin when told, and end when told."""

    def __init__(self, turns):
        self.turns = turns
        self.begun = []
        self.ends = {}

    async def ask(self, who, name):
        self.ends[name] = asyncio.Event()
        async with self.turns.turn(who):
            self.begun.append(name)
            await self.ends[name].wait()

    def start(self, who, *names):
        return [asyncio.create_task(self.ask(who, name)) for name in names]

    async def end(self, name):
        self.ends[name].set()
        await settled()


async def settled():
    for _ in range(10):
        await asyncio.sleep(0)


def run(act, places=6, processes=1):
    async def running():
        requests = Requests(Turns(places, processes))
        try:
            return await act(requests)
        finally:
            for task in asyncio.all_tasks() - {asyncio.current_task()}:
                task.cancel()
            await settled()

    return asyncio.run(running())


def test_a_caller_holds_half_of_the_places_and_a_tier_all_but_one():
    async def act(requests):
        requests.start(caller(1), "a1", "a2", "a3", "a4")
        requests.start(caller(2), "b1", "b2", "b3")
        await settled()
        assert requests.begun == ["a1", "a2", "a3", "b1", "b2"]
        requests.start(caller(3, "sample"), "c1")
        await settled()
        assert requests.begun[-1] == "c1"

    run(act)


def test_those_who_wait_take_turns_by_caller():
    async def act(requests):
        requests.start(caller(1), "a1", "a2", "a3", "a4", "a5")
        requests.start(caller(2, "starter"), "b1", "b2", "b3", "b4", "b5")
        requests.start(caller(3, "sample"), "c1", "c2")
        await settled()
        assert requests.begun == ["a1", "a2", "a3", "b1", "b2", "b3"]
        for name in ("a1", "b1", "a2"):
            await requests.end(name)
        assert requests.begun[6:] == ["a4", "b4", "c1"]

    run(act)


def test_a_place_is_each_clients_own_under_a_public_key():
    async def act(requests):
        requests.start(caller(1, "sample", "203.0.113.7"), "a1", "a2", "a3")
        requests.start(caller(1, "sample", "203.0.113.8"), "b1")
        await settled()
        assert requests.begun == ["a1", "a2", "b1"]

    run(act, places=9)


def test_the_free_tier_holds_a_third_of_the_places_and_delays_no_paying_caller():
    async def act(requests):
        for number in range(20):
            requests.start(caller(1, "sample", f"203.0.113.{number}"), f"a{number}")
        requests.start(caller(2), "b1", "b2", "b3")
        requests.start(caller(3, "starter"), "c1")
        await settled()
        assert requests.begun == ["a0", "a1", "b1", "b2", "b3", "c1"]

    run(act)


def test_a_request_that_would_wait_too_long_is_refused_at_once_with_the_expected_wait(monkeypatch):
    monkeypatch.setattr(module, "_REFUSED_AFTER_SECONDS", 0)

    async def act(requests):
        seconds = 0.05  # of an answer, as long as none was made
        refused = []
        for number in range(100):
            (asked,) = requests.start(caller(1, "sample", f"203.0.113.{number}"), f"a{number}")
            await settled()
            if asked.done():
                refused.append(asked.exception())
        # Two places: 80 that wait take 2 s.
        assert len(refused) == 100 - 2 - 81
        assert {type(error) for error in refused} == {StoreUnavailable}
        assert {error.retry_after for error in refused} == {3}
        assert 81 * seconds / 2 > 2
        (paying,) = requests.start(caller(2), "b1")
        await settled()
        assert requests.begun[-1] == "b1"
        assert not paying.done()

    run(act)


def test_processes_share_what_a_tier_gives_at_once():
    async def act(requests):
        requests.start(caller(1), "a1", "a2", "a3")
        await settled()
        assert requests.begun == ["a1", "a2"]

    run(act, places=20, processes=4)


def test_who_lets_too_many_wait_is_refused_and_nobody_else(monkeypatch):
    monkeypatch.setattr(module, "_REFUSED_AFTER_SECONDS", 0)

    async def act(requests):
        *_, last = requests.start(caller(1), *(f"a{number}" for number in range(16)))
        with pytest.raises(LimitReached) as raised:
            await last
        assert (raised.value.policy, raised.value.limit, raised.value.retry_after) == ("at-once", 8, 1)
        requests.start(caller(2), "b1")
        await settled()
        assert requests.begun == ["a0", "a1", "a2", "b1"]

    run(act)


def test_patience_ends(monkeypatch):
    monkeypatch.setattr(module, "_PATIENCE_SECONDS", 0.01)

    async def act(requests):
        requests.start(caller(1), "a1")
        await settled()
        (own,) = requests.start(caller(1), "a2")
        (other,) = requests.start(caller(2), "b1")
        await asyncio.wait([own, other])
        with pytest.raises(LimitReached):
            own.result()
        with pytest.raises(StoreUnavailable):
            other.result()
        await requests.end("a1")
        requests.start(caller(2), "b2")
        await settled()
        assert requests.begun == ["a1", "b2"]

    run(act, places=1)


def test_nothing_is_left_of_requests_that_ended_or_were_given_up():
    async def act(requests):
        turns = requests.turns
        tasks = requests.start(caller(1), *(f"a{number}" for number in range(6)))
        await settled()
        tasks[0].cancel()  # holds a place
        tasks[5].cancel()  # waits
        await settled()
        for name in ("a1", "a2", "a3", "a4"):
            await requests.end(name)
        assert requests.begun == ["a0", "a1", "a2", "a3", "a4"]
        async with AsyncExitStack() as stack:
            for number in (1, 1, 1, 2, 2):
                await stack.enter_async_context(turns.turn(caller(number)))
            await stack.enter_async_context(turns.turn(caller(3, "sample")))

    run(act)
