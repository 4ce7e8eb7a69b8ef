"""Fixtures that several modules of behaviour share."""

from __future__ import annotations

import pytest
from redis import Redis as Client

from dev.ports import unused_ports
from dev.redis_server import Redis
from dev.stack import temporary_home


@pytest.fixture(scope="module")
def usage_server():
    with temporary_home() as home:
        server = Redis(home / "redis", "redis_usage", next(unused_ports()), persistent=False)
        server.start()
        yield server
        server.destroy()


@pytest.fixture
def usage_client(usage_server):
    with Client.from_url(usage_server.url, decode_responses=True) as client:
        client.flushall()
        yield client
