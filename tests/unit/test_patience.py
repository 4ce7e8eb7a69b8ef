"""A deadline counts the time in which the process could run, and no other."""

from __future__ import annotations

import asyncio
import time

import pytest

from sankofa.storage.patience import Patience

SECONDS = 0.1


def test_a_reply_that_came_while_the_process_stood_still_is_taken():
    async def ask():
        replied = asyncio.get_running_loop().create_future()
        asyncio.get_running_loop().call_later(SECONDS / 2, replied.set_result, "reply")
        asyncio.get_running_loop().call_soon(time.sleep, 3 * SECONDS)  # nothing of the process runs meanwhile
        async with Patience(SECONDS):
            return await replied

    assert asyncio.run(ask()) == "reply"


def test_a_process_that_stood_still_early_has_its_whole_time_afterwards():
    """A pause need not last until the deadline to count: this one ends before."""

    async def ask():
        loop = asyncio.get_running_loop()
        replied = loop.create_future()
        loop.call_later(1.5 * SECONDS, replied.set_result, "reply")
        loop.call_soon(time.sleep, 0.9 * SECONDS)
        async with Patience(SECONDS):
            return await replied

    assert asyncio.run(ask()) == "reply"


def test_a_silent_store_is_given_up():
    async def ask():
        async with Patience(SECONDS):
            await asyncio.get_running_loop().create_future()

    began = time.monotonic()
    with pytest.raises(TimeoutError):
        asyncio.run(ask())
    assert time.monotonic() - began >= SECONDS


def test_a_process_that_never_runs_in_time_gives_up_at_last():
    async def stand_still():
        while True:
            time.sleep(SECONDS)  # noqa: ASYNC251 - that the loop does not run is the point
            await asyncio.sleep(0)

    async def ask():
        standing = asyncio.create_task(stand_still())
        try:
            async with Patience(SECONDS):
                await asyncio.get_running_loop().create_future()
        finally:
            standing.cancel()

    with pytest.raises(TimeoutError):
        asyncio.run(ask())


def test_what_fails_within_the_block_fails_as_itself():
    async def ask():
        async with Patience(SECONDS):
            raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        asyncio.run(ask())
