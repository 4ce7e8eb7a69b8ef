"""KEY-16: the addresses of a Redis behind Sentinels."""

from __future__ import annotations

import pytest

from sankofa.core.errors import Refused
from sankofa.storage.redis_address import watched


def test_an_address_names_sentinels_service_and_login():
    service = watched("redis+sentinel://me:p%40ss@one:1,[::1]:2,three/keys/7?sentinel_password=s")
    assert service.sentinels == [("one", 1), ("::1", 2), ("three", 26_379)]
    assert (service.name, service.redis["db"]) == ("keys", 7)
    assert (service.redis["username"], service.redis["password"]) == ("me", "p@ss")
    assert service.sentinel["password"] == "s"
    assert not service.redis["ssl"]
    assert "p@ss" not in repr(service)


def test_encrypted_and_single_servers_are_told_apart():
    assert watched("rediss+sentinel://one/keys").redis["ssl"]
    assert watched("redis://one:6379/0") is None


@pytest.mark.parametrize(
    "url",
    ["redis+sentinel://one", "redis+sentinel:///keys", "redis+sentinel://a:b/k", "redis+sentinel://a/k/x"],
)
def test_an_incomplete_address_is_refused(url):
    with pytest.raises(Refused, match="Sentinel address"):
        watched(url)
