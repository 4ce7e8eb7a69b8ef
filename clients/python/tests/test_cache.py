"""Answers are kept by their ETag; the service is asked each time, and sends only what changed."""

from __future__ import annotations

import asyncio
import os
import stat
import time

import pytest

from faulty import faulty
from sankofa_client import AsyncClient, Client, DiskCache, NotFound
from sankofa_client._cache import Cache
from sankofa_client._retry import Reply
from support.filings import Filer
from support.waiting import until


def test_what_is_still_so_is_not_sent_again(demo, key, issuer):
    with faulty(demo.api.url) as server, Client(server.url, key=key) as client:
        first = list(client.fundamentals(issuer))
        table = client.fundamentals(issuer).to_arrow()
        assert list(client.fundamentals(issuer)) == first
        assert client.fundamentals(issuer).to_arrow().equals(table)
        client.fundamentals(issuer, as_of="2024-03-14").head(1)
        assert server.answered == [200, 200, 304, 304, 200]


def test_without_room_nothing_is_kept(demo, key, issuer):
    with faulty(demo.api.url) as server, Client(server.url, key=key, cache_bytes=0) as client:
        assert list(client.fundamentals(issuer)) == list(client.fundamentals(issuer))
        assert server.answered == [200, 200]


def answer(size, etag='"a"'):
    return Reply(200, {"etag": etag} if etag else {}, b"x" * size)


def test_the_cache_is_bounded_and_drops_what_was_used_least():
    cache = Cache(100)
    for name in "abcd":
        cache.keep(name, "json", answer(25))
    assert cache.get("a", "json")
    cache.keep("e", "json", answer(25))
    assert [name for name in "abcde" if cache.get(name, "json")] == ["a", "c", "d", "e"]
    assert cache.bytes == 100
    cache.keep("a", "json", answer(10))
    assert cache.bytes == 85
    cache.keep("a", "json", answer(26))
    cache.keep("c", "json", answer(5, etag=None))
    assert (cache.get("a", "json"), cache.get("c", "json"), cache.bytes) == (None, None, 50)
    assert cache.get("d", "arrow") is None


def test_pinned_answers_are_reused_from_disk_without_a_request(demo, key, issuer, tmp_path):
    with faulty(demo.api.url) as server:
        for _ in range(2):  # the second client finds what the first one stored
            with Client(server.url, key=key, edition=1, disk_cache=DiskCache(tmp_path)) as client:
                rows = list(client.fundamentals(issuer))
                table = client.fundamentals(issuer).to_arrow()
                assert rows
                assert table.num_rows == len(rows)
        assert server.answered == [200, 200]

        async def ask():
            async with AsyncClient(server.url, key=key, edition=1, disk_cache=DiskCache(tmp_path)) as client:
                return [row async for row in client.fundamentals(issuer)]

        assert asyncio.run(ask()) == rows
        assert server.answered == [200, 200]


def test_the_pages_of_a_pinned_walk_are_reused_too(demo, key, tmp_path):
    with faulty(demo.api.url) as server:
        walks = []
        for _ in range(2):
            with Client(server.url, key=key, edition=1, disk_cache=DiskCache(tmp_path)) as client:
                walks.append(list(client.panel(line_item="revenue", limit=2)))
        assert walks[0] == walks[1]
        assert len(server.answered) == (len(walks[0]) + 1) // 2


def test_what_names_no_edition_is_not_stored(demo, key, issuer, tmp_path):
    with Client(demo.api.url, key=key, disk_cache=DiskCache(tmp_path)) as client:
        client.fundamentals(issuer).head(1)
    assert list(tmp_path.iterdir()) == []


def test_another_key_has_answers_of_its_own(demo, key, issuer, tmp_path):
    with faulty(demo.api.url) as server:
        for one in (key, demo.issue(tier="sample").key):
            with Client(server.url, key=one, edition=1, disk_cache=DiskCache(tmp_path)) as client:
                client.fundamentals(issuer).head(1)
        assert server.answered == [200, 200]


def stale(directory):
    """Make every answer look as if it had been confirmed an hour ago."""
    for path in directory.iterdir():
        os.utime(path, (time.time() - 3_600,) * 2)


def test_an_old_answer_is_confirmed_once_and_then_reused(demo, key, issuer, tmp_path):
    with faulty(demo.api.url) as server:
        for _ in range(3):
            with Client(server.url, key=key, edition=1, disk_cache=DiskCache(tmp_path)) as client:
                rows = list(client.fundamentals(issuer))
            if server.answered == [200]:
                stale(tmp_path)
        assert rows
        assert server.answered == [200, 304]


def test_a_takedown_reaches_what_is_stored(make_service, tmp_path):
    service = make_service()
    filer = Filer(1).says(100, filed="2024-02-01").says(90, filed="2024-06-01")
    service.ingest(filer.document())
    service.publish()
    issuer, key = service.id_of(filer.identifier), service.issue().key
    disk = DiskCache(tmp_path)
    with Client(service.api.url, key=key, edition=1, disk_cache=disk) as client:

        def values():
            return [row.value_reported for row in client.fundamentals(issuer, vintages="all")]

        first, _ = client.fundamentals(issuer, vintages="all")
        service.take_down(issuer, first.fact_id)
        until(lambda: len(service.facts(issuer, edition=1, vintages="all")) == 1)
        assert values() == [100, 90]  # not asked again yet
        stale(tmp_path)
        assert values() == [90]
        assert values() == [90]
        service.take_down(issuer)
        until(lambda: service.get(f"/v1/fundamentals/{issuer}", edition=1, vintages="all").status_code == 404)
        stale(tmp_path)
        with pytest.raises(NotFound):
            values()
        assert list(tmp_path.iterdir()) == []


def test_a_damaged_file_is_asked_for_again(demo, key, issuer, tmp_path):
    with faulty(demo.api.url) as server:
        for _ in range(2):
            with Client(server.url, key=key, edition=1, disk_cache=DiskCache(tmp_path)) as client:
                assert list(client.fundamentals(issuer))
            (path,) = tmp_path.iterdir()
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
            path.write_bytes(path.read_bytes()[:-1])
        assert server.answered == [200, 200]


def test_the_directory_is_bounded_and_the_oldest_answers_go(tmp_path):
    disk = DiskCache(tmp_path, max_bytes=4_000)
    for number in range(12):
        disk.put(str(number), answer(500))
        os.utime(tmp_path / str(number), (number, number))
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 4_000
    assert disk.get("11")
    assert disk.get("0") is None
    disk.put("large", answer(1_500))
    disk.put("unnamed", answer(5, etag=None))
    assert disk.get("large") is None
    assert disk.get("unnamed") is None
