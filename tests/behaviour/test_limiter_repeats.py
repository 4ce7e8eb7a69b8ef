"""KEY-3, KEY-4: a request that the usage store heard late is counted once, though it was asked twice."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from functools import partial

from sankofa.access.limiter import Limiter, LimiterOptions
from sankofa.storage.redis import RedisOptions, Store
from support.usage_store import caller, limiting, month_keys


class Watched(Store):
    """A store that tells when it asks for the second time."""

    def __init__(self, options):
        super().__init__(options)
        self.asks_again = asyncio.Event()

    async def _exchange(self, words, *, is_first):
        if not is_first:
            self.asks_again.set()
        return await super()._exchange(words, is_first=is_first)


def asking_again(usage_server, act):
    """Return what an act gives whose first call was heard and not answered in time."""

    async def run():
        store = Watched(RedisOptions(url=usage_server.url, component="usage", command=timedelta(seconds=1)))
        limiter = Limiter(store, LimiterOptions())
        await limiter.open()
        _, decision = await take_some(2, limiter)
        usage_server.pause()
        try:
            acting = asyncio.create_task(act(limiter, decision))
            await asyncio.wait_for(store.asks_again.wait(), 30)
        finally:
            usage_server.resume()
        try:
            return await acting
        finally:
            await store.close()

    return asyncio.run(run())


def test_a_request_that_was_heard_late_is_counted_once(usage_server, usage_client):
    decision = asking_again(usage_server, lambda limiter, _: limiter.take(caller()))
    assert not decision.degraded
    assert decision.windows[0].remaining == 60 - 3
    assert list(month_keys(usage_client).values()) == ["3"]


def test_a_refund_that_was_heard_late_is_given_once(usage_server, usage_client):
    asking_again(usage_server, lambda limiter, decision: limiter.refund(decision))
    assert list(month_keys(usage_client).values()) == ["1"]
    (decision,) = limiting(usage_server, partial(take_some, 1))
    assert decision.windows[0].remaining == 60 - 3


async def take_some(count, limiter):
    return [await limiter.take(caller()) for _ in range(count)]
