"""`as_of` and `pinned` hold inside their block, for those who are inside, and for nobody else."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import date

import pytest

from sankofa_client import AsyncClient, Client, InvalidParameter, Scope


def test_a_day_holds_inside_the_block_and_an_argument_wins(client, issuer):
    with client.as_of("2024-03-14"):
        assert client.fundamentals(issuer).as_of == date(2024, 3, 14)
        assert client.fundamentals(issuer, as_of="2023-01-01").as_of == date(2023, 1, 1)
        with client.as_of(date(2022, 1, 1)):
            assert client.fundamentals(issuer).as_of == date(2022, 1, 1)
            with client.as_of(None):
                assert client.scope == Scope()
        assert client.scope == Scope(as_of="2024-03-14")
        assert client.entity(issuer).one().service_id == issuer  # takes no as_of, and is sent none
    assert client.scope == Scope()


def test_a_block_that_fails_ends_too(client):
    with pytest.raises(RuntimeError), client.as_of("2024-03-14"):
        raise RuntimeError
    assert client.scope == Scope()


def test_rows_are_of_the_day_on_which_they_were_asked_for(client, issuer):
    with client.as_of("2024-03-14"):
        facts = client.fundamentals(issuer)
    assert facts.as_of == date(2024, 3, 14)
    assert all(fact.available_at <= date(2024, 3, 14) for fact in facts)


def test_a_day_is_of_one_client(client, demo, key):
    with Client(demo.api.url, key=key) as other, client.as_of("2024-03-14"):
        assert other.scope == Scope()


def test_other_threads_do_not_see_it_and_the_client_of_the_block_is_fixed_everywhere(client, issuer):
    with client.as_of("2024-03-14") as then, ThreadPoolExecutor(2) as pool:
        assert pool.submit(lambda: client.scope).result() == Scope()
        assert pool.submit(lambda: then.fundamentals(issuer).as_of).result() == date(2024, 3, 14)
    assert then.fundamentals(issuer).as_of == date(2024, 3, 14)


def test_tasks_inherit_a_day_and_do_not_leak_into_each_other(demo, key, issuer):
    days = [f"20{year}-06-30" for year in range(17, 25)]

    async def on(client, day, everybody):
        with client.as_of(day):
            await everybody.wait()  # all are inside their blocks at once
            inherited = asyncio.create_task(client.fundamentals(issuer).first_page())
            return str((await inherited).as_of)

    async def ask():
        async with AsyncClient(demo.api.url, key=key) as client:
            everybody = asyncio.Barrier(len(days))
            told = await asyncio.gather(*(on(client, day, everybody) for day in days))
            assert client.scope == Scope()
            async with client.pinned(1):
                assert (await client.editions().first_page()).edition == 1
            async with client.pinned() as current:
                assert current.scope.edition == (await client.status()).edition
            return told

    assert asyncio.run(ask()) == days


def test_an_edition_holds_inside_the_block(client, issuer):
    with client.pinned(1) as first:
        assert client.fundamentals(issuer).edition == 1
        with client.as_of("2024-03-14"), client.pinned():
            assert client.scope == Scope("2024-03-14", 1)
            assert client.fundamentals(issuer, edition=2).edition == 2
    assert client.editions().edition == 2
    assert client.fundamentals(issuer).edition == 1  # the newest that changed it (EDN-9)
    assert first.fundamentals(issuer).edition == 1


def test_a_cursor_of_another_day_is_refused_inside_a_block(client):
    cursor = client.tenders(country="KE", limit=1).first_page.next_cursor
    assert client.tenders(cursor=cursor).first_page.rows
    with client.as_of("2024-03-14"), pytest.raises(InvalidParameter, match="cursor"):
        client.tenders(cursor=cursor).first_page  # noqa: B018
