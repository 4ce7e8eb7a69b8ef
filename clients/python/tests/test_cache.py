"""Answers are kept by their ETag; the service is asked each time, and sends only what changed."""

from __future__ import annotations

from faulty import faulty
from sankofa_client import Client
from sankofa_client._cache import Cache
from sankofa_client._retry import Reply


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
