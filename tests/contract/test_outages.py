"""KEY-9 and ERR-7: what callers get while a store is stopped, killed or emptied, and how that ends."""

from __future__ import annotations

import re
import statistics
import time
from collections import Counter
from contextlib import contextmanager
from datetime import UTC, datetime

import httpx
import pytest
from redis import Redis

from contract.keyed import furnish
from dev.follower import Follower
from sankofa.access import keys
from sankofa.core.errors import StoreUnavailable
from support.mcp_client import Agent
from support.waiting import until

AUTHENTICATED = 2.0  # seconds after which a silent key store must show
DEADLINES = 0.4  # seconds that a call waits for a hung Redis: two attempts
REVOKED = 5.0  # seconds in which a revocation that is recorded must hold everywhere
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


def recovered(api):
    until(lambda: ask(api)[0].status_code == 200 and degraded(api) == [], seconds=15)


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


@pytest.fixture
def follower(api):
    follower = Follower(api.installation)
    follower.start()
    yield follower
    follower.destroy()


@pytest.mark.proves("KEY-9", "OPS-2")
@pytest.mark.usefixtures("follower")
def test_an_emptied_key_store_is_filled_without_an_operator(api):
    with Redis.from_url(api.settings.keys_url) as store:
        store.flushdb()
        until(lambda: store.get("registry") is not None)
    recovered(api)


@pytest.mark.proves("KEY-9", "OPS-2")
def test_a_recorded_revocation_holds_within_five_seconds_though_the_key_store_lacks_it(api, stack):
    issued = api.issue()
    assert ask(api, **{"X-API-Key": issued.key})[0].status_code == 200
    with Redis.from_url(stack.redis_keys_url) as store, api.installation.registry() as registry:
        store.config_set("maxmemory", 1)  # it answers, and takes nothing
        try:
            with pytest.raises(StoreUnavailable, match="revoked, and recorded"):
                registry.revoke(issued.key_id)
            until(lambda: ask(api, **{"X-API-Key": issued.key})[0].status_code == 503, REVOKED)
            until(lambda: degraded(api) == ["keys"])
            # Nobody else's key is concerned, so nobody else is refused.
            assert ask(api)[0].status_code == 200
            assert ask(api, **{"X-API-Key": keys.generate()})[0].status_code == 401
            assert httpx.get(api.api.url + "/ready", timeout=15).status_code == 200
        finally:
            store.config_set("maxmemory", 0)
        registry.sync()
    recovered(api)
    assert ask(api, **{"X-API-Key": issued.key})[0].status_code == 401


@pytest.mark.proves("KEY-6")
@pytest.mark.usefixtures("follower")
def test_a_flush_of_the_usage_store_does_not_reset_the_month(api):
    issued = api.issue("sample")

    def left():
        return month(ask(api, **{"X-API-Key": issued.key})[0])

    def kept():
        statement = "SELECT requests FROM ops.usage_month WHERE key_id = %s"
        return [requests for (requests,) in api.rows(statement, issued.key_id)]

    before = [left() for _ in range(12)][-1]
    until(lambda: kept() == [12])
    with Redis.from_url(api.settings.usage_url) as store:
        store.flushdb()
        until(lambda: store.get(f"u:{{{issued.key_id}}}:month:{datetime.now(UTC):%Y-%m}") == b"12")
    assert left() == before - 1


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


@pytest.mark.proves("KEY-9")
def test_a_hung_usage_store_delays_the_first_requests_only(api, stack):
    def elapsed():
        response = api.client.get(api.facts_path, headers=api.headers)
        assert response.status_code == 200
        return response.elapsed.total_seconds()

    elapsed()  # the connection is made
    with paused(stack.redis_usage):
        # A slow caller: requests are so far apart that each of them could be a probe of the store.
        began, seconds = time.monotonic(), []
        for number in range(8):
            until(lambda due=1.2 * number: time.monotonic() - began > due)
            seconds.append(elapsed())
        waited = [one for one in seconds if one > DEADLINES]
        assert 1 <= len(waited) <= 3, seconds
        assert max(seconds[:3]) < 1
        assert max(seconds[4:]) < DEADLINES, seconds
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
        # Once it is known to be silent, nobody but a probe waits for it any more.
        later = [ask(api, f"{api.facts_path}?as_of=2011-11-{day:02d}")[1] for day in range(1, 16)]
        assert statistics.median(later) < seconds / 2, (seconds, later)
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
def test_requests_that_ended_in_503_count_in_the_minute_and_not_in_the_month(api, stack):
    headers = {"X-API-Key": api.issue("starter").key}

    def left():
        fields = ask(api, **headers)[0].headers["ratelimit"]
        return [int(number) for number in re.findall(r'"(?:burst|month)";r=(\d+)', fields)]

    burst, by_month = left()
    with paused(stack.postgres):
        for day in range(1, 4):
            response, _ = ask(api, f"{api.facts_path}?as_of=2013-01-0{day}", **headers)
            assert response.status_code == 503
    recovered(api)
    assert left() == [burst - 4, by_month - 1]


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
    listed = Counter()
    with paused(stack.redis_keys):
        until(lambda: is_refused(agent, listed), AUTHENTICATED + 1)
    recovered(api)
    after = agent.call("get_fundamentals", service_id=api.large)
    # The messages that were answered before the silence was noticed, and this call.
    assert month(before) - month(after) == listed[200] + 1
    agent.close()


def is_refused(agent, statuses):
    status = agent.send("tools/list").status
    statuses[status] += 1
    return status == 503


def month(reply):
    return int(re.search(r'"month";r=(\d+)', reply.headers["RateLimit"])[1])
