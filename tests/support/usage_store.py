"""The usage store and its limiter, as tests of limits use them."""

from __future__ import annotations

import asyncio

from sankofa.access.caller import Caller
from sankofa.access.limiter import Limiter, LimiterOptions
from sankofa.access.tiers import Tier
from sankofa.storage.redis import RedisOptions, Store


def caller(per_minute=60, per_month=5_000, *, rows=30_000, key_id="a1b2c3d4e5f6", client=None):
    tier = Tier(
        name="sample",
        rows=25,
        per_minute=per_minute,
        per_month=per_month,
        rows_per_minute=rows,
        at_once=2,
    )
    return Caller(key_id=key_id, tier=tier, is_public=client is not None, client_prefix=client)


def limiting(server, act, **options):
    """Run an async act with a limiter."""

    async def run():
        store = Store(RedisOptions(url=server.url, component="usage"))
        limiter = Limiter(store, LimiterOptions(**options))
        await limiter.open()
        try:
            return await act(limiter)
        finally:
            await limiter.close()
            await store.close()

    return asyncio.run(run())


def month_keys(client):
    return {name: client.get(name) for name in client.keys("u:*:month*")}


def worst_minute(moments, minute):
    """Return the most moments that any sliding minute holds."""
    moments = sorted(moments)
    start = worst = 0
    for end, moment in enumerate(moments):
        while moment - moments[start] > minute:
            start += 1
        worst = max(worst, end - start + 1)
    return worst
