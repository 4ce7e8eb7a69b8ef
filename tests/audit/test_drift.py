"""Poisoned documents are held back, and ordinary editions are not."""

from __future__ import annotations

import itertools
import random
import time
from collections import Counter

import pytest

from demo import companyfacts, tenders_ke, tenders_za
from demo.world import World
from demo.write import FORMATS
from sankofa.drift.screen import screen
from sankofa.ingest import run
from support import poison
from support.demo_tenders import documents

HELD_AT_LEAST = 0.99


@pytest.mark.timeout(7200)
def test_poisoned_documents_are_held_back(service, seed, size):
    rng = random.Random(seed)
    service.has_lenient_reviewer = False
    poison.load(service)
    service.publish()
    held, missed = Counter(), []
    for number, kind in zip(range(size.poisonings), itertools.cycle(poison.KINDS), strict=False):
        source, body = poison.poisoned(kind, rng)
        (batch,) = service.ingest(poison.fetched(body, number), source_name=source)
        assert batch.outcome == "accepted"
        held[kind] += bool(batch.held)
        if not batch.held:
            missed.append((number, kind, source))
    print(f"{size.poisonings} poisonings, held back: {dict(held)}; missed: {missed}")
    assert service.publish() is None or missed
    assert sum(held.values()) >= HELD_AT_LEAST * size.poisonings


@pytest.fixture
def screening(monkeypatch):
    """Return the seconds that each screening takes from now on."""
    seconds = []

    def timed(*arguments, **options):
        began = time.monotonic()
        reasons = screen(*arguments, **options)
        seconds.append(time.monotonic() - began)
        return reasons

    monkeypatch.setattr(run, "screen", timed)
    return seconds


@pytest.mark.timeout(7200)
def test_ordinary_editions_of_the_demo_world_are_never_held_back(service, screening, seed, size):
    """All but the tenders of later months is the first load; then come a filing and a month at a time."""
    world = World(facts=2_000)
    rng = random.Random(seed)
    for written in FORMATS.values():
        parts = range(written.parts(world)) if written not in (tenders_za, tenders_ke) else range(2)
        for number in parts:
            part = written.part(world, number)
            service.ingest((part.content, part.fetched_at), source_name=written.SOURCE)
    service.publish()
    held, ingested = [], 0
    screening.clear()
    began = time.monotonic()
    for number in range(1, size.ordinary_editions + 1):
        issuer = rng.randrange(world.issuers)
        later = [companyfacts.later_filing(world, issuer, number)]
        written = rng.choice((tenders_za, tenders_ke))
        months = documents(written)
        later.append(months[2 + number % (len(months) - 2)])
        for document, source in zip(later, (companyfacts.SOURCE, written.SOURCE), strict=True):
            (batch,) = service.ingest((document.content, document.fetched_at), source_name=source)
            ingested += batch.outcome == "accepted"
            held += batch.held
        published = service.publish()
        assert published is not None
    seconds = time.monotonic() - began
    cost = sum(screening) / seconds
    print(f"{size.ordinary_editions} editions of {ingested} documents: {len(held)} held back")
    print(f"screening took {cost:.1%} of {seconds:.0f} s of ingest and publish")
    assert held == []
