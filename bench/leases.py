"""`python -m bench.leases`: the usage store's processor time for a request, without leases and with them.

Without leases: keys that send three requests each, too few for a lease. With leases: ten busy keys of the
professional tier. Both runs make the same number of requests on one server, so the ratio is what counts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import chain, repeat

from bench import processor
from dev.ports import unused_ports
from dev.redis_server import Redis
from dev.stack import temporary_home
from sankofa.access.caller import Caller
from sankofa.access.limiter import Limiter, LimiterOptions
from sankofa.access.tiers import Tiers
from sankofa.storage.redis import RedisOptions, Store

_BUSY_KEYS, _EACH, _ROUNDS = 10, 900, 3
_AT_ONCE = 8


def main() -> None:
    """Measure and print."""
    with temporary_home() as home:
        server = Redis(home / "redis", "redis_usage", next(unused_ports()), persistent=False)
        server.start()
        try:
            requests = _BUSY_KEYS * _EACH
            few = [f"few{number:09}" for number in range(requests // _ROUNDS)] * _ROUNDS
            busy = list(
                chain.from_iterable(repeat(f"busy{number:08}", _EACH) for number in range(_BUSY_KEYS))
            )
            without, with_leases = (asyncio.run(_cost(server, key_ids)) for key_ids in (few, busy))
        finally:
            server.destroy()
    print(
        f"{requests:,} requests: {without * 1e6:.1f} µs of the usage store's processor each without leases,"
        f" {with_leases * 1e6:.1f} µs with them; ratio {with_leases / without:.3f}"
    )


async def _cost(server: Redis, key_ids: Sequence[str]) -> float:
    """Return the store's processor seconds for each request, some of which are made concurrently."""
    store = Store(RedisOptions(url=server.url, component="usage"))
    limiter = Limiter(store, LimiterOptions())
    await limiter.open()
    tier = Tiers().professional
    waiting = iter(key_ids)

    async def ask() -> None:
        for key_id in waiting:
            decision = await limiter.take(Caller(key_id=key_id, tier=tier))
            if decision.degraded or decision.violation:
                raise SystemExit("the usage store did not admit a request: nothing was measured")

    before = processor.seconds(server)
    await asyncio.gather(*(ask() for _ in range(_AT_ONCE)))
    await limiter.close()
    spent = processor.seconds(server) - before
    await store.close()
    return spent / len(key_ids)


if __name__ == "__main__":
    main()
