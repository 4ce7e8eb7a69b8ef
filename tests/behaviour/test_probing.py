"""A store that was given up is asked again, whatever becomes of the task that probes it."""

from __future__ import annotations

import asyncio

import pytest

from dev.ports import unused_ports
from dev.redis_server import Redis
from sankofa.core.errors import StoreUnavailable
from sankofa.storage.redis import RedisOptions, Store


def test_a_store_that_comes_back_is_found_though_its_probe_was_cancelled(tmp_path):
    server = Redis(tmp_path / "keys", "redis_keys", next(unused_ports()), persistent=False)

    async def give_up_and_find_again():
        store = Store(RedisOptions(url=server.url, component="keys"))
        try:
            while store.is_answering:
                with pytest.raises(StoreUnavailable):
                    await store.ask("PING")
            for task in asyncio.all_tasks() - {asyncio.current_task()}:
                task.cancel()
            await asyncio.to_thread(server.start)
            async with asyncio.timeout(20):
                while not store.is_answering:
                    with pytest.raises(StoreUnavailable):
                        await store.ask("PING")
                    await asyncio.sleep(0)
            assert await store.ask("PING") == "PONG"
        finally:
            await store.close()

    try:
        asyncio.run(give_up_and_find_again())
    finally:
        server.destroy()
