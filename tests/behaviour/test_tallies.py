"""KEY-17: tallies outlive their process, and are settled once whatever is repeated."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import closing, contextmanager
from datetime import UTC, date, datetime, timedelta

import pytest

from sankofa.access.settling import Settling
from sankofa.access.tallies import Tallies
from sankofa.access.tally import Tally
from sankofa.storage.postgres import InsufficientPrivilege
from sankofa.storage.redis import JobStore, RedisOptions, Store

DAY = date(2026, 11, 17)
KEY, OTHER = "0123456789ab", "ffffffffffff"
NOW = datetime.now(UTC)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "tallies"


@contextmanager
def follower(service, server):
    store = JobStore(RedisOptions(url=server.url, component="usage"))
    with service.connect("follow") as connection, closing(store):
        yield Settling(connection, store)


@pytest.fixture
def settling(module_service, usage_server, usage_client):
    assert not usage_client.keys()
    with module_service.connect() as admin:
        admin.execute("TRUNCATE ops.usage_tally, ops.usage_day, ops.usage_settled")
    with follower(module_service, usage_server) as settling:
        yield settling


def killed_after(act):
    """Run an act in a process of its own, which is killed then."""
    child = os.fork()
    if not child:
        try:
            act()
        finally:
            os.kill(os.getpid(), signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL


def with_tallies(server, folder, act):
    """Run an async act with the tallies of a process."""

    async def run():
        store = Store(RedisOptions(url=server.url, component="usage"))
        try:
            return await act(Tallies(store, folder))
        finally:
            await store.close()

    return asyncio.run(run())


def used(service):
    statement = "SELECT key_id, sum(requests)::int FROM ops.usage_day GROUP BY key_id"
    return dict(service.rows(statement))


def counts(tally):
    return {key_id: tally.count(key_id) for key_id in tally.unsettled}


def test_a_tally_that_was_left_behind_has_all_counts(folder):
    tally = Tally.begin(DAY, folder)
    keys = {f"{number:012x}": number % 3 + 1 for number in range(10_000)}  # the file has to grow
    for key_id, count in keys.items():
        for _ in range(count):
            tally.add(key_id)
    assert list(Tally.left_behind(folder)) == []  # its process lives
    tally.close()
    [found] = Tally.left_behind(folder)
    assert (found.name, found.day, counts(found)) == (tally.name, DAY, keys)
    assert list(Tally.left_behind(folder)) == []  # another process has it
    found.remove()
    assert list(folder.iterdir()) == []


def test_the_smallest_and_the_largest_id_are_keys(folder):
    tally = Tally.begin(DAY, folder)
    for key_id in ("000000000000", OTHER):
        tally.add(key_id)
    tally.close()
    [found] = Tally.left_behind(folder)
    assert counts(found) == {"000000000000": 1, OTHER: 1}


def test_without_a_folder_that_can_be_written_requests_are_counted_in_memory(tmp_path):
    occupied = tmp_path / "a file"
    occupied.touch()
    for folder in (None, occupied):
        tally = Tally.begin(DAY, folder)
        for number in range(5_000):
            tally.add(f"{number:012x}")
        assert counts(tally) == {f"{number:012x}": 1 for number in range(5_000)}


def test_a_name_of_another_form_is_no_tally(folder):
    folder.mkdir()
    for name in ("2026-11-17.tally", "notes.tally", "2026-11-17.0123456789abcdef.new"):
        (folder / name).write_bytes(bytes(16))
    assert list(Tally.left_behind(folder)) == []


def test_counts_are_settled_once_however_often_they_are_reported(
    settling, module_service, usage_server, usage_client, folder
):
    async def report(tallies):
        for moment in (NOW, NOW):
            tallies.count(KEY, moment)
        for _ in range(3):
            await tallies.report()
        settling.settle()
        tallies.count(KEY, NOW)
        tallies.count(OTHER, NOW)
        await tallies.report()
        await tallies.report()
        for _ in range(2):
            settling.settle()

    with_tallies(usage_server, folder, report)
    assert used(module_service) == {KEY: 3, OTHER: 1}
    assert not usage_client.smembers("usage:unsettled")


@pytest.mark.parametrize("crash", ["before a report", "after a report", "with the usage store"])
def test_a_killed_process_is_completed_by_the_next(settling, module_service, usage_server, folder, crash):
    async def counted(tallies):
        tallies.count(KEY, NOW)
        if crash != "before a report":
            await tallies.report()
            with follower(module_service, usage_server) as another:
                another.settle()
        tallies.count(KEY, NOW)

    async def following(tallies):
        await tallies.report()
        settling.settle()
        await tallies.report()

    killed_after(lambda: with_tallies(usage_server, folder, counted))
    if crash == "with the usage store":
        usage_server.kill9()  # it keeps nothing
        usage_server.start()
    with_tallies(usage_server, folder, following)
    assert used(module_service) == {KEY: 2}
    assert module_service.rows("SELECT is_complete FROM ops.usage_tally") == [(True,)]
    assert list(folder.iterdir()) == []


def test_a_commit_whose_reply_was_lost_is_repeated_without_effect(
    settling, module_service, usage_server, usage_client, folder
):
    async def report(tallies):
        tallies.count(KEY, NOW)
        await tallies.report()

    with_tallies(usage_server, folder, report)
    before = usage_client.dump(f"usage:unsettled:{next(iter(usage_client.smembers('usage:unsettled')))}")
    settling.settle()
    [[tally]] = module_service.rows("SELECT tally FROM ops.usage_tally")
    usage_client.restore(
        f"usage:unsettled:{tally}", 0, before
    )  # as if the follower had died after its commit
    usage_client.sadd("usage:unsettled", tally)
    settling.settle()
    assert used(module_service) == {KEY: 1}
    assert not usage_client.smembers("usage:unsettled")


def test_a_restored_database_gets_settled_counts_back(settling, module_service, usage_server, folder):
    async def report(tallies):
        tallies.count(KEY, NOW)
        await tallies.report()
        settling.settle()

    with_tallies(usage_server, folder, report)
    with module_service.connect() as admin:
        admin.execute("TRUNCATE ops.usage_tally, ops.usage_day")  # as in a backup from before
    settling.repeat()
    assert used(module_service) == {KEY: 1}


def test_a_new_day_has_a_tally_of_its_own_and_the_old_one_is_complete(
    settling, module_service, usage_server, folder
):
    async def report(tallies):
        tallies.count(KEY, NOW - timedelta(days=1))
        tallies.count(KEY, NOW)
        await tallies.report()
        settling.settle()
        await tallies.report()

    with_tallies(usage_server, folder, report)
    rows = module_service.rows("SELECT day, is_complete FROM ops.usage_tally ORDER BY day")
    assert rows == [(NOW.date() - timedelta(days=1), True), (NOW.date(), False)]
    assert len(list(folder.iterdir())) == 1


def test_usage_never_becomes_smaller_and_is_never_removed(settling, module_service, usage_server, folder):
    async def report(tallies):
        for _ in range(5):
            tallies.count(KEY, NOW)
        await tallies.report()
        settling.settle()

    with_tallies(usage_server, folder, report)
    for statement in ("UPDATE ops.usage_day SET requests = 4", "DELETE FROM ops.usage_day"):
        with module_service.connect() as admin, pytest.raises(InsufficientPrivilege, match="never becomes"):
            admin.execute(statement)


def test_entries_of_another_form_do_not_stop_the_follower(settling, module_service, usage_client):
    usage_client.sadd("usage:unsettled", "nonsense", f"{DAY}.0123456789abcdef")
    usage_client.hset("usage:unsettled:nonsense", KEY, 1)
    usage_client.hset(f"usage:unsettled:{DAY}.0123456789abcdef", mapping={"nobody": 1, KEY: 2})
    settling.settle()
    assert used(module_service) == {KEY: 2}
    assert not usage_client.smembers("usage:unsettled")
