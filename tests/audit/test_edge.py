"""An edge under a load that repeats itself, with publishes in between: its share, its answers, the counts."""

from __future__ import annotations

import itertools
import random
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection, RemoteDisconnected

import pytest
from redis import Redis as Client

from support.edge import behind_edge
from support.filings import Filer
from support.service import Service
from support.waiting import until

CALLERS = 4
ISSUERS = 30
MOST_QUESTIONS = 100
GOAL = 0.95  # of the requests are answered by the edge
GONE_SECONDS = 5
REPEATS = 1.1  # exponent of Zipf's law: how often a question is asked, by its rank
CODINGS = ("gzip", "identity")
SHAPES = ("", "?period_type=FY", "?vintages=all", "?as_of=2020-06-30")
# Many requests of few keys are no part of what is tried; rows a page differ, and paid keys see more.
TIERS = (
    '{"sample": {"per_minute": 1000000, "per_month": 1000000, "rows_per_minute": 100000000},'
    ' "starter": {"per_minute": 1000000, "per_month": 1000000, "rows_per_minute": 100000000},'
    ' "professional": {"per_minute": 1000000, "rows_per_minute": 100000000}}'
)


@pytest.fixture
def furnished(stack):
    """Return a service with issuers whose answers differ between free and paid keys."""
    service = Service(stack, "audit_edge")
    service.filers = [filer(number) for number in range(1, ISSUERS + 1)]
    service.ingest(*(each.document() for each in service.filers))
    service.publish()
    service.ids = [service.id_of(each.identifier) for each in service.filers]
    service.issued = {tier: service.issue(tier) for tier in ("sample", "starter", "professional")}
    yield service
    service.close()


def filer(number):
    made = Filer(number)
    for year, line in itertools.product(range(2010, 2024), ("Revenue", "CostOfSales", "ProfitLoss")):
        period = (f"{year}-01-01", f"{year}-12-31")
        made.says(year * number, filed=f"{year + 1}-03-01", concept=f"ifrs-full:{line}", period=period)
    return made


@pytest.mark.timeout(4 * 3600)
def test_the_edge_answers_what_repeats_and_nothing_else_changes(furnished, size, seed):
    service, rng = furnished, random.Random(seed)
    with behind_edge(service, workers=2, SANKOFA_TIERS=TIERS, SANKOFA_PROCESSES="2") as edge:
        load = Load(service, edge, questions=min(MOST_QUESTIONS, size.edge_requests // 250), seed=seed)
        start = time.monotonic()
        for number in range(size.edge_publishes):
            load.run(size.edge_requests // size.edge_publishes)
            published(service, rng, number)
        seconds = time.monotonic() - start
        total = sum(load.sent.values())
        until(lambda: is_settled(edge))
        share = edge.varnish.counters()["MAIN.cache_hit"] / total
        repeated = 1 - len(load.truth) / total
        print(
            f"seed {seed}: {total:,} requests for {len(load.truth):,} answers,"
            f" {size.edge_publishes} publishes, {seconds:.0f} s: {repeated:.1%} repeat an answer,"
            f" {share:.1%} came from the edge, {len(load.wrong)} wrong"
        )
        assert load.wrong == []
        assert share >= GOAL
        expected = {service.issued[tier].key_id: number for tier, number in (load.sent + load.direct).items()}
        until(lambda: counted(service) == expected, 10)  # leases that were not used up are given back
        print(f"counted: {sum(expected.values()):,} requests, of which {sum(load.direct.values()):,} direct")
        gone(service, edge)


class Load:
    """Callers of all tiers who ask the same questions again and again, and compare what they get."""

    def __init__(self, service, edge, questions, seed):
        self.service = service
        self.edge = edge
        paths = [f"/v1/fundamentals/{id_}{shape}" for shape in SHAPES for id_ in service.ids]
        random.Random(seed).shuffle(paths)
        self.paths = paths[:questions]
        self.weights = [1 / rank**REPEATS for rank in range(1, len(self.paths) + 1)]
        self.seeds = itertools.count(seed)
        self.sent, self.direct, self.wrong, self.truth = Counter(), Counter(), [], {}
        self.lock = threading.Lock()

    def run(self, requests):
        with ThreadPoolExecutor(CALLERS) as pool:
            list(pool.map(self.call, [requests // CALLERS] * CALLERS))

    def call(self, requests):
        rng = random.Random(next(self.seeds))
        edge = HTTPConnection("127.0.0.1", self.edge.nginx.ports["edge"], timeout=30)
        origin = HTTPConnection("127.0.0.1", self.service.api.port, timeout=30)
        with closing(edge), closing(origin):
            for path in rng.choices(self.paths, self.weights, k=requests):
                tier, [coding] = rng.choice(list(self.service.issued)), rng.choices(CODINGS, (9, 1))
                headers = {"X-API-Key": self.service.issued[tier].key, "Accept-Encoding": coding}
                status, fields, body = ask(edge, path, headers)
                self.check(origin, (tier == "sample", path, fields["ETag"]), fields, headers, (status, body))
                with self.lock:
                    self.sent[tier] += 1

    def check(self, origin, place, fields, headers, answer):
        """Compare an answer with what the service itself sends this key for the permanent address."""
        with self.lock:
            truth = self.truth.get(place)
        if truth is None:
            status, direct, body = ask(origin, fields["Content-Location"], headers)
            truth = (status, body)
            tier = next(name for name, key in self.service.issued.items() if key.key == headers["X-API-Key"])
            with self.lock:
                self.direct[tier] += 1
                self.truth[place] = truth
                if direct["ETag"] != place[2]:
                    self.wrong.append((place, "another name"))
        if answer != truth:
            with self.lock:
                self.wrong.append((place, "another answer"))


def ask(connection, path, headers):
    try:
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
    except (RemoteDisconnected, BrokenPipeError):  # the service ends idle connections (OPS-5)
        connection.close()
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
    return response.status, response.headers, response.read()


def published(service, rng, number):
    """Publish a new filing of one issuer."""
    one = rng.choice(service.filers)
    one.says(
        number,
        filed="2024-06-01",
        concept="ifrs-full:GrossProfit",
        period=(f"{1950 + number}-01-01", f"{1950 + number}-12-31"),
    )
    service.ingest(one.document())
    service.publish()


def is_settled(edge):
    """Return whether the counters of the cache, which are written once a second, have stopped rising."""
    before = edge.varnish.counters()["MAIN.cache_hit"]
    time.sleep(1.5)
    return edge.varnish.counters()["MAIN.cache_hit"] == before


def counted(service):
    """Return the requests that the usage store counted for each key."""
    with Client.from_url(service.settings.usage_url, decode_responses=True) as usage:
        names = {
            issued.key_id: usage.keys(f"u:{{{issued.key_id}}}:month:*") for issued in service.issued.values()
        }
        return {key_id: sum(int(usage.get(name)) for name in months) for key_id, months in names.items()}


def gone(service, edge):
    """Take down the issuer with most requests. No tier, format or worker may still return it in time."""
    path = f"/v1/fundamentals/{service.ids[0]}"
    forms = [
        {"X-API-Key": issued.key, "Accept-Encoding": coding}
        for issued in service.issued.values()
        for coding in CODINGS
    ]
    through = HTTPConnection("127.0.0.1", edge.nginx.ports["edge"], timeout=30)
    with closing(through):
        for form in forms * 3:
            assert ask(through, path, form)[0] == 200
        start, seen_at = time.monotonic(), 0.0
        service.take_down(service.ids[0])
        while time.monotonic() - start < 2 * GONE_SECONDS:
            if any(ask(through, path, form)[0] != 404 for form in forms):
                seen_at = time.monotonic() - start
    print(f"taken down: last seen after {seen_at:.1f} s")
    assert seen_at < GONE_SECONDS
