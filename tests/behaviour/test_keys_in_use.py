"""KEY-9: a key in use is read again before its record ends, so no request of it waits for the key store."""

from __future__ import annotations

import asyncio
import time
from datetime import timedelta

import pytest
from redis import Redis as Client

from dev.ports import unused_ports
from dev.redis_server import Redis
from dev.stack import temporary_home
from sankofa.access import records
from sankofa.access.gate import Gate, GateOptions
from sankofa.access.keys import KeyHash, generate
from sankofa.storage.key_events import KeyEvents

HASHING = KeyHash(b"a pepper for tests only")
REMEMBERED = 4.0  # seconds


@pytest.fixture
def server():
    with temporary_home() as home:
        server = Redis(home, "redis_keys", next(unused_ports()), persistent=False)
        server.start()
        yield server
        server.destroy()


@pytest.fixture
def key_store(server):
    with Client.from_url(server.url) as client:
        client.set(records.SENTINEL, 1)
        yield client


@pytest.fixture
def key(key_store):
    key = generate()
    key_store.set(records.name(HASHING.of(key)), '{"tier":"sample","is_public":false}')
    return key


def test_a_store_that_pauses_after_it_was_asked_again_delays_no_request(server, key_store, key):
    options = GateOptions(
        keys_url=server.url,
        usage_url=server.url,
        hashing=HASHING,
        remember=timedelta(seconds=REMEMBERED),
    )

    def look_ups():
        return key_store.info("commandstats")["cmdstat_mget"]["calls"]

    async def ask_until(gate, is_over):
        while not is_over():
            assert await gate.find(key)
            await asyncio.sleep(0.05)

    async def act():
        async with Gate(options, lambda: KeyEvents(1)) as gate:
            began = time.monotonic()
            assert await gate.find(key)
            await ask_until(gate, lambda: look_ups() > 1)
            renewed = time.monotonic() - began
            server.pause()
            await ask_until(gate, lambda: time.monotonic() - began > REMEMBERED + 0.2)
            return renewed

    assert REMEMBERED / 2 <= asyncio.run(act()) < REMEMBERED
