"""Sizes and seeds of the audit. A seed that failed is repeated with AUDIT_SEED."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass

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
    facts: tuple[int, ...]
    organisations: int
    walks: int
    releases: int
    restatements: int
    screened: int


SIZES = {
    "small": Size(
        issuers=120,
        editions=4,
        questions=6_000,
        series_questions=2_000,
        replays=1_000,
        orders=6,
        kills=12,
        facts=(250_000, 500_000),
        organisations=20_000,
        walks=20,
        releases=12_000,
        restatements=400,
        screened=3_000,
    ),
    "full": Size(
        issuers=1_000,
        editions=8,
        questions=100_000,
        series_questions=50_000,
        replays=10_000,
        orders=100,
        kills=200,
        facts=(500_000, 5_000_000, 20_000_000),
        organisations=3_400_000,
        walks=1_000,
        releases=2_000_000,
        restatements=100_000,
        screened=100_000,
    ),
}


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
