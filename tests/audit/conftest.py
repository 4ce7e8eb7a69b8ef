"""Sizes and seeds of the audit. A seed that failed is repeated with AUDIT_SEED."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass, replace
from math import inf

import pytest


@dataclass(frozen=True)
class Size:
    """How much of everything."""

    issuers: int
    editions: int
    questions: int
    series_questions: int
    replays: int
    orders: int
    kills: int
    flips: int
    faults: int
    campaign_faults: int
    soaked: int
    facts: tuple[int, ...]
    organisations: int
    misspellings: int
    withheld_probes: int
    walks: int
    releases: int
    restatements: int
    screened: int
    screen_pages: int
    followed: int
    diffs: int
    tool_questions: int
    tool_rounds: int
    payloads: int
    messages: int
    compared: int
    exported: int
    export_kills: int
    client_questions: int
    client_rows: int
    poisonings: int
    ordinary_editions: int
    shared: int
    killed_facts: int
    worker_kills: int
    documents: int
    idle_seconds: int
    current_seconds: float  # a bound that only a machine with nothing else to do can keep
    kept_issuers: int
    kept_publishes: int
    feed_days: int
    feed_sources: int
    feed_faults: int
    feed_kills: int
    panel_cells: int
    panel_days: int
    proofs: int
    charged_requests: int
    usage_crashes: int
    edge_requests: int
    edge_publishes: int
    lake_editions: int
    lake_facts: int
    crashes: int
    crash_issuers: int
    traps: int
    generated: int
    feed_due_seconds: int  # between two runs of a source; divides a minute


SIZES = {
    "small": Size(
        issuers=40,
        editions=4,
        questions=1_500,
        series_questions=1_000,
        replays=200,
        orders=2,
        kills=3,
        flips=10,
        faults=6,
        campaign_faults=30,
        soaked=200,
        facts=(60_000,),
        organisations=8_000,
        misspellings=300,
        withheld_probes=1_000,
        walks=10,
        releases=3_000,
        restatements=120,
        screened=1_000,
        screen_pages=100,
        followed=6,
        diffs=100,
        tool_questions=200,
        tool_rounds=80,
        payloads=200,
        messages=400,
        compared=1_000,
        exported=40_000,
        export_kills=2,
        client_questions=150,
        client_rows=20_000,
        poisonings=15,
        ordinary_editions=3,
        shared=30_000,
        killed_facts=30_000,
        worker_kills=2,
        documents=5_000,
        idle_seconds=2,
        current_seconds=inf,
        kept_issuers=100,
        kept_publishes=4,
        feed_days=5,
        feed_sources=10,
        feed_faults=16,
        feed_kills=4,
        panel_cells=3_000,
        panel_days=5,
        proofs=500,
        charged_requests=20_000,
        usage_crashes=8,
        edge_requests=5_000,
        edge_publishes=5,
        lake_editions=10,
        lake_facts=40_000,
        crashes=22,
        crash_issuers=10,
        traps=1_500,
        generated=500,
        feed_due_seconds=6,
    ),
    "full": Size(
        issuers=1_000,
        editions=8,
        questions=100_000,
        series_questions=50_000,
        replays=10_000,
        orders=100,
        kills=200,
        flips=200,
        faults=200,
        campaign_faults=500,
        soaked=20_000,
        facts=(500_000, 20_000_000),
        organisations=3_400_000,
        misspellings=1_000,
        withheld_probes=100_000,
        walks=1_000,
        releases=2_000_000,
        restatements=20_000,
        screened=100_000,
        screen_pages=4_000,
        followed=50,
        diffs=10_000,
        tool_questions=10_000,
        tool_rounds=2_000,
        payloads=10_000,
        messages=50_000,
        compared=100_000,
        exported=20_000_000,
        export_kills=50,
        client_questions=10_000,
        client_rows=1_000_000,
        poisonings=300,
        ordinary_editions=60,
        shared=5_000_000,
        killed_facts=250_000,
        worker_kills=200,
        documents=1_000_000,
        idle_seconds=60,
        current_seconds=2,
        kept_issuers=1_000,
        kept_publishes=100,
        feed_days=60,
        feed_sources=40,
        feed_faults=300,
        feed_kills=100,
        panel_cells=200_000,
        panel_days=50,
        proofs=10_000,
        charged_requests=1_000_000,
        usage_crashes=50,
        edge_requests=100_000,
        edge_publishes=50,
        lake_editions=100,
        lake_facts=2_000_000,
        crashes=2_200,
        crash_issuers=200,
        traps=930_000,
        generated=20_000,
        feed_due_seconds=10,
    ),
}
# Between the two: panel, search, proofs and faults at counts that one machine reaches in minutes.
SIZES["medium"] = replace(
    SIZES["small"],
    organisations=300_000,
    misspellings=1_000,
    withheld_probes=20_000,
    panel_cells=200_000,
    panel_days=50,
    proofs=10_000,
    campaign_faults=120,
)


@pytest.fixture(scope="session")
def size():
    return SIZES[os.environ.get("AUDIT_SIZE", "full")]


@pytest.fixture(scope="session")
def seed():
    number = int(os.environ.get("AUDIT_SEED") or random.SystemRandom().randrange(10**6))
    print(f"\nAUDIT_SEED={number}")
    return number


@pytest.fixture
def rng(seed):
    return random.Random(seed)
