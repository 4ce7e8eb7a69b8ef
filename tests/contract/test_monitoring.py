"""OPS-20 to OPS-22: metrics, the access log and the probe of a load balancer."""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import string
import subprocess
import time
from contextlib import closing
from http.client import HTTPConnection
from urllib.parse import quote

import httpx
import pytest

from contract.keyed import addresses, furnish
from dev import process
from dev.installation import command
from dev.ports import unused_ports
from sankofa.access.keys import generate
from sankofa.access.settling import Settling
from sankofa.storage.redis import JobStore
from sankofa.surfaces.monitoring.declared import METRICS, Part
from support.load import asked
from support.mcp_client import Agent
from support.scraping import scrape, value
from support.stated_tenders import PERSON
from support.waiting import until

STRANGE_REQUESTS = 10_000


@pytest.fixture(scope="module")
def world(module_service):
    return furnish(module_service)


@pytest.fixture
def start(world, tmp_path):
    """Return a starter of API processes that are watched; all are stopped afterwards."""
    started = []

    def start(**options):
        port, metrics = itertools.islice(unused_ports(), 2)
        environment = {
            "SANKOFA_METRICS": f"127.0.0.1:{metrics}",
            "SANKOFA_ACCESS_LOG": str(tmp_path / "access.log"),
            "SANKOFA_REFUSED_KEYS": "1000000",
            "SANKOFA_TIERS": '{"professional": {"per_minute": 1000000}}',
        }
        api = world.installation.api(port, environment=environment, **options)
        api.metrics, api.lines = metrics, tmp_path / "access.log"
        started.append(api)
        api.start()
        return api

    yield start
    for api in started:
        api.stop()


def lines(api):
    return [json.loads(line) for line in api.lines.read_text().splitlines()]


@pytest.mark.proves("OPS-20")
def test_requests_are_counted_by_endpoint_tier_and_class_of_status(world, start):
    api = start(workers=2)
    until(lambda: value(scrape(api.metrics), "sankofa_workers") == 2)  # one is enough for the API to answer
    key = {"X-API-Key": world.issue("starter").key}
    with httpx.Client(base_url=api.url) as client:
        first = client.get("/v1/editions", headers=key)
        for _ in range(4):  # each worker has a cache of its own
            assert client.get("/v1/editions", headers=key).status_code == 200
        known = key | {"If-None-Match": first.headers["etag"]}
        assert client.get("/v1/editions", headers=known).status_code == 304
        assert client.get("/v1/editions", headers={"X-API-Key": "nonsense"}).status_code == 401
        assert client.get("/v1/editions?no=such", headers=key).status_code == 400
        assert client.get("/nowhere").status_code == 404
    until(lambda: value(scrape(api.metrics), "sankofa_requests_total", endpoint="none") == 1)
    samples = scrape(api.metrics)
    counted = {
        (tier, status): value(
            samples, "sankofa_requests_total", endpoint="editions", tier=tier, status=status
        )
        for tier, status in (("starter", "2xx"), ("starter", "3xx"), ("starter", "4xx"), ("none", "4xx"))
    }
    assert counted == {
        ("starter", "2xx"): 5,
        ("starter", "3xx"): 1,
        ("starter", "4xx"): 1,
        ("none", "4xx"): 1,
    }
    assert value(samples, "sankofa_request_seconds_count", endpoint="editions") == 8
    outcomes = {each: value(samples, "sankofa_cache_total", outcome=each) for each in ("hit", "miss")}
    assert sum(outcomes.values()) == 5
    assert 1 <= outcomes["miss"] <= 2
    assert value(samples, "sankofa_cache_total", outcome="not_modified") == 1
    assert value(samples, "sankofa_admissions_total", outcome="admitted") == 7
    assert value(samples, "sankofa_admissions_total", outcome="unauthorised") == 1
    assert value(samples, "sankofa_edition_served", role="primary") == 1
    assert value(samples, "sankofa_pool_connections") >= 2
    assert value(samples, "sankofa_breaker_open") == 0
    assert (value(samples, "sankofa_workers"), value(samples, "sankofa_worker_starts_total")) == (2, 2)
    declared = {name for metric in METRICS if metric.part is Part.API for name in metric.samples}
    assert {name for name, _ in samples} == declared


@pytest.mark.proves("OPS-20", "OPS-4")
def test_counts_of_a_killed_worker_are_kept(start):
    api = start()
    for _ in range(10):
        assert asked(api.port)[0] == 200

    def counted():
        return value(scrape(api.metrics), "sankofa_requests_total", endpoint="health")

    until(lambda: counted() >= 10)
    before = counted()
    [worker] = process.children(api.pid)
    os.kill(worker, signal.SIGKILL)
    until(lambda: process.children(api.pid) not in ([], [worker]))
    assert counted() >= before
    assert asked(api.port)[0] == 200
    until(lambda: counted() > before)
    assert value(scrape(api.metrics), "sankofa_worker_starts_total") == 2


@pytest.mark.proves("OPS-20", "OPS-21")
def test_random_paths_and_keys_add_no_series_and_no_words_of_theirs(world, start):
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    api = start()
    connection = HTTPConnection("127.0.0.1", api.port, timeout=30)

    def ask(path, key):
        headers = {"X-API-Key": key, "X-Request-Id": key}
        connection.request("GET", path, headers=headers)
        connection.getresponse().read()

    def word():
        return "".join(chance.choices(string.ascii_lowercase, k=12))

    def strange():
        path = chance.choice(
            ["/{}", "/v1/{}", "/v1/fundamentals/{}", "/v1/search?q={}", "/docs/{}", "/v1/macro?{}=1"]
        )
        return path.format(word()), chance.choice([word(), generate(), world.tiers["professional"].key])

    def count():
        return value(scrape(api.metrics), "sankofa_requests_total")

    for _ in range(1_000):
        ask(*strange())
    until(lambda: count() >= 1_000)
    before = set(scrape(api.metrics))
    for _ in range(STRANGE_REQUESTS):
        ask(*strange())
    until(lambda: count() >= 1_000 + STRANGE_REQUESTS)
    connection.close()
    after = set(scrape(api.metrics))
    print(f"{len(after)} series after {count():,.0f} requests")
    assert after == before
    assert len(after) < 200


def of_the_worker(service, **settings):
    """Return the samples that `sankofa work metrics` exports."""
    port = next(unused_ports())
    arguments, environment = command(service.installation, "work", "metrics")
    environment |= {"SANKOFA_METRICS": f"127.0.0.1:{port}", **settings}
    with subprocess.Popen(arguments, env=environment) as running:
        try:
            until(lambda: asked(port, "/metrics")[0] == 200)
            samples = scrape(port)
        finally:
            running.terminate()
    return samples


@pytest.mark.proves("OPS-20")
def test_the_state_of_the_database_is_exported_by_the_worker(world):
    before = time.time()
    with closing(JobStore(world.settings.usage_store())) as store, world.connect("follow") as connection:
        Settling(connection, store).settle()
    samples = of_the_worker(world)
    assert before - 1 < value(samples, "sankofa_usage_settled_timestamp_seconds") < time.time() + 1
    assert value(samples, "sankofa_edition_current") == 1
    assert value(samples, "sankofa_edition_build_seconds") > 0
    assert value(samples, "sankofa_edition_rows", dataset="AF-FUND", act="put") >= 60
    assert value(samples, "sankofa_takedowns") == 0
    assert value(samples, "sankofa_queue_jobs", status="todo") == 0
    assert value(samples, "sankofa_feed_state", state="new") > 5
    assert (value(samples, "sankofa_database_read"), value(samples, "sankofa_held")) == (2, 0)
    declared = {name for metric in METRICS if metric.part is not Part.API for name in metric.samples}
    # No source was ever fetched, so no run was good.
    assert {name for name, _ in samples} == declared - {"sankofa_feed_good_timestamp_seconds"}


@pytest.mark.proves("OPS-20")
def test_a_database_that_does_not_answer_is_reported_as_such(world):
    nowhere = next(unused_ports())
    samples = of_the_worker(world, SANKOFA_PUBLISH_DSN=f"postgresql://nobody@127.0.0.1:{nowhere}/none")
    assert value(samples, "sankofa_database_read", part="editions") == 0
    assert value(samples, "sankofa_database_read", part="feeds") == 1


@pytest.mark.proves("OPS-21")
def test_every_request_is_one_line_with_its_id_and_without_keys_and_names(world, start):
    api = start()
    keys = [world.issue(tier) for tier in ("sample", "starter", "professional")]
    secrets = [*(issued.key for issued in keys), generate(), PERSON, quote(PERSON)]
    ids = []
    with httpx.Client(base_url=api.url, timeout=30) as client:
        for secret in secrets:
            sent = dict.fromkeys(("X-API-Key", "X-Request-Id", "User-Agent"), secret.encode())
            named = quote(secret)
            paths = [*addresses(world).values(), "/health", "/openapi.json", "/docs/", f"/{named}"]
            paths += [f"/v1/fundamentals/{named}", f"/v1/search?q={named}", f"/docs?{named}=1"]
            ids += [client.get(path, headers=sent).headers["x-request-id"] for path in paths]
    agent = Agent(world, keys[0].key, port=api.port)
    agent.call("search_entities", query=PERSON)
    agent.close()
    until(lambda: [line for line in lines(api) if line["endpoint"] == "mcp"])
    text = api.lines.read_text()
    assert [secret for secret in secrets if secret in text] == []
    assert {line["request_id"] for line in lines(api)} >= set(ids)
    [line] = [each for each in lines(api) if each["request_id"] == ids[0]]
    assert set(line) == {
        "time",
        "request_id",
        "charged",
        "endpoint",
        "status",
        "ms",
        "bytes",
        "tier",
        "key",
        "cache",
        "edition",
    }
    assert (line["tier"], line["key"], line["status"]) == ("sample", keys[0].key_id, 200)
    assert {each["endpoint"] for each in lines(api)} >= {"none", "page", "health", "search", "fundamentals"}


@pytest.mark.proves("OPS-21")
def test_a_line_says_without_which_store_there_was_no_answer_and_why(world, start, stack):
    api = start()
    key = world.issue().key
    agent = Agent(world, key, port=api.port)
    for store, name in ((stack.redis_keys, "keys"), (stack.postgres, "datastore")):
        store.pause()
        try:
            until(lambda: asked(api.port, "/v1/editions", {"X-API-Key": key})[0] == 503)
            if name == "datastore":
                assert agent.call("search_entities", query="nobody").problem["component"] == name
        finally:
            store.resume()
        until(lambda: asked(api.port, "/ready")[0] == 200)
    agent.close()
    until(lambda: [line for line in lines(api) if line["endpoint"] == "mcp"])
    refused = [line for line in lines(api) if line["endpoint"] == "editions" and line["status"] == 503]
    [call] = [line for line in lines(api) if line["endpoint"] == "mcp"]
    reasons = {line["unavailable"].partition(" unavailable: ") for line in [*refused, call]}
    assert {name for name, _, why in reasons if why} == {"keys", "datastore"}


@pytest.mark.proves("OPS-22")
def test_ready_names_the_store_without_which_nothing_is_answered(start, stack):
    api = start()

    def ready():
        response = httpx.get(f"{api.url}/ready", headers={"Host": "10.0.0.7"}, timeout=15)
        return response.status_code, response.json()

    assert ready() == (200, {"status": "ready", "failing": []})
    for store, expected in (
        (stack.redis_keys, (503, {"status": "not_ready", "failing": ["keys"]})),
        (stack.postgres, (503, {"status": "not_ready", "failing": ["datastore"]})),
        (stack.redis_usage, (200, {"status": "ready", "failing": []})),
    ):
        store.pause()
        try:
            if expected[0] != 200:
                until(lambda wanted=expected: ready()[0] == wanted[0])
                assert set(expected[1]["failing"]) <= set(ready()[1]["failing"])
            else:
                until(lambda: asked(api.port, "/v1/status")[0] == 503)
                assert ready() == expected
            assert asked(api.port)[0] == 200  # /health asks no store
        finally:
            store.resume()
        until(lambda: ready()[0] == 200)


@pytest.mark.proves("OPS-22")
def test_ready_fails_at_once_on_sigterm_while_requests_are_answered(world, start):
    api = start(workers=2, drain_seconds=3)
    key = {"X-API-Key": world.issue().key}
    until(lambda: asked(api.port, "/ready")[0] == 200)
    os.kill(api.pid, signal.SIGTERM)
    until(lambda: asked(api.port, "/ready")[0] == 503, seconds=2)
    assert httpx.get(f"{api.url}/ready").json() == {"status": "stopping", "failing": []}
    assert asked(api.port, "/v1/editions", key)[0] == 200
    until(lambda: not api.alive, seconds=25)


@pytest.mark.proves("OPS-22")
def test_a_service_without_an_edition_is_not_ready(service):
    service.issue()
    response = service.client.get("/ready")
    assert (response.status_code, response.json()["failing"]) == (503, ["edition"])
