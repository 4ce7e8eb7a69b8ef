"""KEY-17: usage by key and day is what was charged, to the unit, whatever crashes."""

from __future__ import annotations

import csv
import io
import itertools
import json
from collections import Counter
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from redis import Redis as Client

from contract.keyed import furnish
from dev.follower import Follower
from dev.ports import unused_ports
from support.command import sankofa
from support.mcp_client import Agent
from support.waiting import until

pytestmark = pytest.mark.proves("KEY-17")
BUSY = 400  # enough that a process is granted leases


@pytest.fixture(scope="module")
def world(module_service):
    return furnish(module_service)


@pytest.fixture(scope="module")
def follower(world):
    follower = Follower(world.installation)
    follower.start()
    yield follower
    follower.destroy()


@pytest.fixture
def start(world, tmp_path):
    """Return a starter of API processes with an access log; all are stopped afterwards."""
    started = []

    def start(**options):
        environment = {
            "SANKOFA_ACCESS_LOG": str(tmp_path / "access.log"),
            "SANKOFA_TIERS": '{"professional": {"per_minute": 1000000}}',
        }
        api = world.installation.api(next(unused_ports()), environment=environment, **options)
        started.append(api)
        api.start()
        return api

    yield start
    for api in started:
        api.stop()


def used(world, key_id):
    """Return the usage of a key over all days, as the command prints it."""
    printed = json.loads(sankofa(world, "keys", "usage", key_id, "--json"))
    return sum(day["requests"] for day in printed["days"])


def charged(tmp_path):
    """Return the charged requests by key and day, as the access log has them."""
    lines = map(json.loads, (tmp_path / "access.log").read_text().splitlines())
    return Counter((line["key"], line["time"][:10]) for line in lines if line.get("charged"))


@pytest.mark.usefixtures("follower")
def test_answers_are_charged_and_refusals_are_not(world, start, tmp_path):
    api = start(workers=2)
    sample, paid, other = (world.issue(tier) for tier in ("sample", "professional", "professional"))
    with httpx.Client(base_url=api.url) as client:

        def status(path, issued=paid, method="GET", **headers):
            return client.request(method, path, headers={"X-API-Key": issued.key, **headers}).status_code

        first = client.get("/v1/editions", headers={"X-API-Key": paid.key})
        answers = [
            (status("/v1/editions", **{"If-None-Match": first.headers["etag"]}), 304),
            (status("/v1/editions", method="HEAD"), 200),
            (status("/v1/editions?no=such"), 400),
            (status("/v1/entities/DC000000000000"), 404),
            (status("/v1/editions?limit=26", sample), 402),
            (status("/v1/editions", other, method="OPTIONS"), 204),
            (status("/health", other), 200),
            (status("/v1/editions", other, **{"X-API-Key": paid.key[:-1]}), 401),
        ]
        assert [given for given, _ in answers] == [expected for _, expected in answers]
        refused = [status("/v1/editions", sample) for _ in range(70)].count(429)
        assert refused == 11
    agent = Agent(world, paid.key, port=api.port)
    assert agent.answer("list_catalogue", kind="line-items")["count"]
    agent.close()
    expected = {paid.key_id: 5 + agent.calls, sample.key_id: 71 - refused, other.key_id: 0}
    until(lambda: {key_id: used(world, key_id) for key_id in expected} == expected)
    api.stop()
    by_key = Counter()
    for (key_id, _), count in charged(tmp_path).items():
        by_key[key_id] += count
    assert by_key == Counter(expected)


@pytest.mark.usefixtures("follower")
def test_a_killed_process_loses_no_answer_and_charges_no_unused_lease(world, start):
    api, issued = start(), world.issue()
    with httpx.Client(base_url=api.url, headers={"X-API-Key": issued.key}) as client:
        for _ in range(BUSY):
            assert client.get("/v1/editions").status_code == 200
        assert client.get("/health").status_code == 200  # the same connection: the last answer is counted
    api.kill9()
    api.start()
    until(lambda: used(world, issued.key_id) == BUSY)
    until(lambda: world.rows("SELECT count(*) FROM ops.usage_tally WHERE is_complete") > [(0,)])


def test_a_usage_store_that_loses_its_contents_loses_no_count(world, start, follower):
    api, issued = start(), world.issue()
    follower.stop()
    with (
        httpx.Client(base_url=api.url, headers={"X-API-Key": issued.key}) as client,
        Client.from_url(world.settings.usage_url) as store,
    ):
        for number in itertools.count(1):
            assert client.get("/v1/editions").status_code == 200
            if number == BUSY // 2:
                until(lambda: store.smembers("usage:unsettled"))
                store.flushdb()
            if number == BUSY:
                break
        follower.start()
        until(lambda: used(world, issued.key_id) == BUSY)


@pytest.mark.usefixtures("follower")
def test_requests_that_were_admitted_without_the_usage_store_are_charged(world, start, stack):
    api, issued = start(), world.issue()
    with httpx.Client(base_url=api.url, headers={"X-API-Key": issued.key}) as client:
        stack.redis_usage.pause()
        try:
            for _ in range(50):
                assert client.get("/v1/editions").status_code == 200
        finally:
            stack.redis_usage.resume()
    until(lambda: used(world, issued.key_id) == 50)


def test_a_day_is_final_once_it_is_over_and_every_process_reported_its_end(world, follower):
    follower.stop()
    issued, yesterday = world.issue(), datetime.now(UTC).date() - timedelta(days=1)
    tallies = [f"{yesterday}.{number:016x}" for number in (1, 2)]
    with world.connect("follow") as connection:
        for tally, is_complete in zip(tallies, (True, False), strict=True):
            connection.execute(
                "INSERT INTO ops.usage_tally (tally, day, is_complete) VALUES (%s, %s, %s)",
                [tally, yesterday, is_complete],
            )
            connection.execute(
                "INSERT INTO ops.usage_day (day, key_id, tally, requests) VALUES (%s, %s, %s, 7)",
                [yesterday, issued.key_id, tally],
            )
        follower.start()
        asked = ("keys", "usage", issued.key_id, "--from", yesterday, "--to", yesterday)
        until(lambda: json.loads(sankofa(world, *asked, "--json"))["settled_at"])
        printed = json.loads(sankofa(world, *asked, "--json"))
        day = {"key_id": issued.key_id, "day": str(yesterday), "requests": 14, "is_final": False}
        month = {"key_id": issued.key_id, "month": f"{yesterday:%Y-%m}", "requests": 14, "is_final": False}
        assert (printed["days"], printed["months"]) == ([day], [month])
        assert printed["open_tallies"] == [tallies[1]]
        connection.execute("UPDATE ops.usage_tally SET is_complete = TRUE WHERE tally = %s", [tallies[1]])
    rows = list(csv.DictReader(io.StringIO(sankofa(world, *asked, "--csv"))))
    assert rows == [{**day, "requests": "14", "is_final": "true"}]
    assert f"{issued.key_id}  {yesterday}            14  final" in sankofa(world, *asked)
