"""Editions of series against an independent replay of generated documents that arrive in any order."""

from __future__ import annotations

import dataclasses
import random

import pytest

from oracle.series import vintages
from oracle.series_histories import bank_history, vintage_history
from sankofa.ingest.sources import source

ROWS = """
SELECT series_key, period_start, vintage, available_at, nullif(known_until, 'infinity'), value
FROM serving.macro_value WHERE published_in <= %s AND superseded_in > %s
ORDER BY series_key, period_start, vintage
"""


@pytest.mark.timeout(3600)
def test_editions_of_series_are_what_a_replay_of_their_documents_gives(service, seed, size):
    """After every publish the edition is compared, and at the end every edition again."""
    rng = random.Random(seed)
    arriving = []
    for number in range(size.orders * 8):
        told = [("demo-world-bank", *one) for one in bank_history(rng, f"AU.DIT.{number}")]
        alfred = audited(number)
        told += [(alfred, *one) for one in vintage_history(rng, alfred.states["series"]["key"])]
        arriving += told
    rng.shuffle(arriving)
    publishes = [*sorted(rng.sample(range(1, len(arriving)), 5)), len(arriving)]
    known, expected = [], {}
    for number, (origin, document, statements) in enumerate(arriving, 1):
        [batch] = service.ingest(document, source_name=origin)
        assert (batch.outcome, batch.rejected) == ("accepted", {})
        known += statements
        if number in publishes:
            expected[service.publish().edition] = replayed(known)
    for edition, rows in expected.items():
        assert service.rows(ROWS, edition, edition) == rows, f"edition {edition}"
    print(f"{len(arriving)} documents, {len(expected)} editions, {len(rows)} vintages: none differs")


def audited(number):
    """Return a source for one series of vintages."""
    alfred = source("demo-alfred")
    head = {**alfred.states["series"], "key": f"CPI.T{number:03}", "indicator": f"T{number}"}
    return dataclasses.replace(alfred, name=f"demo-alfred-{number}", states={"series": head})


def replayed(statements):
    """Replay each group of series alone: no document speaks of two."""
    groups = {}
    for statement in statements:
        key = next(iter(statement.values))
        groups.setdefault(key.rsplit(".", 1)[0] if key.startswith("WB.") else key, []).append(statement)
    return sorted(vintage[:6] for group in groups.values() for vintage in vintages(group))
