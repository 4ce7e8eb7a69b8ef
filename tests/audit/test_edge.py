"""An edge under a load that repeats itself, with publishes in between: who answers, what, and what is counted."""

from __future__ import annotations

import itertools
import random
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection

import pytest
from redis import Redis as Client

from support.edge import behind_edge
from support.filings import Filer
from support.service import Service
from support.waiting import until

CALLERS = 4
ISSUERS = 30
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
    rng = random.Random(seed)
    service = furnished
    sent, wrong = Counter(), []
    with behind_edge(service, workers=2, SANKOFA_TIERS=TIERS, SANKOFA_PROCESSES="2") as edge:
        load = Load(service, edge, rng)
        before = edge.varnish.counters()["MAIN.cache_hit"]
        start = time.monotonic()
        for _ in range(size.edge_publishes):
            load.run(size.edge_requests // size.edge_publishes, sent, wrong)
            published(service, rng)
        seconds = time.monotonic() - start
        until(lambda: edge.varnish.counters()["MAIN.client_req"] >= load.led())
        share = (edge.varnish.counters()["MAIN.cache_hit"] - before) / sum(sent.values())
        print(
            f"seed {seed}: {sum(sent.values()):,} requests of {len(load.asked):,} questions, {size.edge_publishes}"
            f" publishes, {seconds:.0f} s: {share:.1%} answered by the edge, {len(wrong)} wrong"
        )
        assert wrong == []
        assert share >= GOAL
        assert counted(service) == {service.issued[tier].key_id: sent[tier] for tier in sent}
        gone(service, edge)
