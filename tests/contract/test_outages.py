"""KEY-9 and ERR-7: what callers get while a store is stopped, killed or emptied, and how that ends."""

from __future__ import annotations

import re
import time
from contextlib import contextmanager

import httpx
import pytest
from redis import Redis

from contract.keyed import furnish
from mcp_client import Agent

AUTHENTICATED = 2.0  # seconds after which a silent key store must show
CONFIRMED = 5.0  # seconds without confirmation after which even cached answers stop


@pytest.fixture(scope="module")
def api(module_service):
    service = furnish(module_service)
    service.facts_path = f"/v1/fundamentals/{service.large}"
    assert service.get(service.facts_path).status_code == 200
    return service


@contextmanager
def paused(store):
    store.pause()
    try:
        yield
    finally:
        store.resume()


@contextmanager
def killed(store):
    store.kill9()
    try:
        yield
    finally:
        store.start()


def ask(api, path=None, **headers):
    """Ask once, with a key of its own turn, and say how long it took."""
    began = time.monotonic()
    response = httpx.get(
        api.api.url + (path or api.facts_path), headers={**api.headers, **headers}, timeout=15
    )
    return response, time.monotonic() - began


def degraded(api):
    began = time.monotonic()
    response = httpx.get(api.api.url + "/v1/status", timeout=15)
    assert time.monotonic() - began < 2
    body = response.json()
    assert response.status_code == (503 if body["degraded"] else 200)
    return body["degraded"]


def until(condition, seconds=15):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline


def recovered(api):
    until(lambda: ask(api)[0].status_code == 200 and degraded(api) == [])


@pytest.mark.proves("KEY-9", "OPS-2")
def test_a_stopped_key_store_is_503_for_every_well_formed_key(api, stack):
    with paused(stack.redis_keys):
        began = time.monotonic()
        while time.monotonic() - began < AUTHENTICATED:
            ask(api)
        for _ in range(20):
            response, seconds = ask(api)
            assert (response.status_code, response.json()["component"]) == (503, "keys")
            assert response.headers["retry-after"]
            assert seconds < 1
        assert ask(api, **{"X-API-Key": "malformed"})[0].status_code == 401
        assert httpx.get(api.api.url + "/health").status_code == 200
        until(lambda: degraded(api) == ["keys"])
    recovered(api)


@pytest.mark.proves("KEY-9")
def test_a_killed_key_store_comes_back_with_its_keys(api, stack):
    with killed(stack.redis_keys):
        until(lambda: ask(api)[0].status_code == 503, AUTHENTICATED + 1)
        until(lambda: degraded(api) == ["keys"])
    recovered(api)


@pytest.mark.proves("KEY-9")
def test_an_emptied_key_store_is_unavailable_and_not_a_reason_for_401(api):
    with Redis.from_url(api.settings.keys_url) as store:
        store.flushdb()
    began = time.monotonic()
    statuses = set()
    while time.monotonic() - began < AUTHENTICATED:
        statuses.add(ask(api)[0].status_code)
    assert statuses <= {200, 503}
    for _ in range(20):
        assert ask(api)[0].status_code == 503
    with api.installation.registry() as registry:
        registry.sync()
    recovered(api)


@pytest.mark.proves("KEY-9")
def test_without_the_usage_store_the_service_goes_on_within_limits(api, stack):
    limited = {"X-API-Key": api.issue("sample").key}
    with paused(stack.redis_usage):
        until(lambda: degraded(api) == ["usage"])
        statuses = [ask(api, **limited)[0].status_code for _ in range(70)]
        assert statuses.count(200) <= 60
        assert statuses[0] == 200
        assert statuses[-1] == 429
        response, seconds = ask(api)
        assert response.status_code == 200
        assert "ratelimit" not in response.headers
        assert seconds < 1
    recovered(api)
    assert "ratelimit" in ask(api)[0].headers


@pytest.mark.proves("ERR-7", "OPS-2")
def test_a_stopped_datastore_is_503_within_two_seconds_cached_answers_included(api, stack):
    etag = ask(api)[0].headers["etag"]
    with paused(stack.postgres):
        began = time.monotonic()
        uncached = f"{api.facts_path}?as_of=2011-11-11"
        response, seconds = ask(api, uncached)
        assert (response.status_code, response.json()["component"]) == (503, "datastore")
        assert response.headers["retry-after"]
        assert seconds < 2
        assert ask(api, **{"X-API-Key": "malformed"})[0].status_code == 401
        until(lambda: degraded(api) == ["datastore"])
        # Once it is known to be silent, nobody waits for it any more.
        quick = [ask(api, f"{api.facts_path}?as_of=2011-11-{day:02d}")[1] for day in range(1, 16)]
        assert min(quick) < 0.1
        # What was confirmed a moment ago may still be served; what could not be confirmed may not.
        until(lambda: time.monotonic() - began > CONFIRMED + 2)
        for headers in ({}, {"If-None-Match": etag}):
            response, seconds = ask(api, **headers)
            assert (response.status_code, seconds < 2) == (503, True)
    recovered(api)
    assert ask(api, **{"If-None-Match": etag})[0].status_code == 304


@pytest.mark.proves("ERR-7")
def test_a_killed_datastore_comes_back_without_a_restart_of_the_service(api, stack):
    with killed(stack.postgres):
        until(lambda: ask(api, f"{api.facts_path}?as_of=2012-12-12")[0].status_code == 503, 3)
    recovered(api)
    body = ask(api)[0].json()
    assert body["count"] == 60


@pytest.mark.proves("ERR-7", "KEY-6")
def test_requests_that_ended_in_503_are_not_counted(api, stack):
    headers = {"X-API-Key": api.issue("starter").key}

    def left():
        return int(ask(api, **headers)[0].headers["ratelimit"].split("r=")[1].split(";")[0])

    before = left()
    with paused(stack.postgres):
        for day in range(1, 4):
            response, _ = ask(api, f"{api.facts_path}?as_of=2013-01-0{day}", **headers)
            assert response.status_code == 503
    recovered(api)
    assert left() == before - 1


@pytest.mark.proves("MCP-1", "KEY-6", "KEY-9", "ERR-7")
def test_a_tool_call_says_that_a_store_is_silent_and_is_not_counted(api, stack):
    agent = Agent(api)
    before = agent.call("get_fundamentals", service_id=api.large)
    assert not before.is_error
    with paused(stack.postgres):
        reply = agent.call("get_fundamentals", service_id=api.large, as_of="2011-10-10")
        assert (reply.problem["code"], reply.problem["component"]) == ("unavailable", "datastore")
        assert reply.headers["Retry-After"]
    recovered(api)
    with paused(stack.redis_keys):
        until(lambda: agent.send("tools/list").status == 503, AUTHENTICATED + 1)
    recovered(api)
    after = agent.call("get_fundamentals", service_id=api.large)
    assert month(before) - month(after) == 1
    agent.close()


def month(reply):
    return int(re.search(r'"month";r=(\d+)', reply.headers["RateLimit"])[1])
