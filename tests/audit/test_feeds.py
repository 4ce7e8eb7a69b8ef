"""Feeds over simulated days, with faults and killed workers: nothing lost, doubled or half published."""

from __future__ import annotations

import os
import random
from collections import Counter
from datetime import UTC, datetime, timedelta
from math import isfinite

import pytest

from audit.feed_checks import Outcome
from audit.feeding import Feeding
from publisher.client import Running
from support.editions import content

# After so many no further day begins: AUDIT_FEED_SECONDS, to see how far a busy machine gets.
SECONDS = float(os.environ.get("AUDIT_FEED_SECONDS", "inf"))
_SERIES = """
SELECT value.series_key, value.period_start, value.period_end, value.available_at, value.known_until::text,
    value.vintage, value.measure, value.value, value.unit, value.fact_id, p.document_ref, p.observed_at
FROM serving.macro_value AS value JOIN serving.provenance AS p USING (provenance_id)
WHERE value.published_in <= %s AND value.superseded_in > %s
"""


@pytest.mark.timeout(3 * 3600)
def test_feeds_survive_faults_and_kills(make_service, tmp_path, seed, size):
    first_day = datetime.now(UTC).date() - timedelta(days=size.feed_days)
    service, undisturbed = make_service(), make_service()
    with Running(
        seed, sources=size.feed_sources, days=size.feed_days, first_day=first_day, hosts=8
    ) as publisher:
        feeding = Feeding(service, publisher, tmp_path, random.Random(seed), size.feed_due_seconds)
        feeding.run(size.feed_days, size.feed_faults, size.feed_kills, SECONDS)
        outcome = Outcome(feeding)

    def require_equal_content():
        outcome.load_undisturbed(undisturbed)
        undisturbed.publish()
        expected, found = served(undisturbed), served(service)
        assert expected == found, [differing(*pair) for pair in zip(expected, found, strict=True)]
        return f"{sum(map(len, found)):,} rows as undisturbed"

    checks = (
        outcome.require_every_document_once,
        outcome.require_whole_runs,
        outcome.require_reasons,
        outcome.require_polite,
        require_equal_content,
        outcome.require_punctual,
        outcome.seconds_to_answer,
        outcome.seconds_by_part,
    )
    figures, failures = collected(checks)
    kinds = Counter(fault for _, _, fault, _ in feeding.ordered)
    interrupted = sum(bool(taken) for _, taken in feeding.kills)
    print(
        f"seed {seed}: {len(feeding.advanced)} days, {size.feed_sources} sources, {kinds.total()} faults in"
        f" {len(outcome.spoiled):,} answers ({', '.join(f'{kind} {n}' for kind, n in kinds.most_common())}),"
        f" {len(feeding.kills)} kills ({interrupted} during runs); {'; '.join(figures)}"
    )
    assert not failures, "\n".join(failures)
    assert feeding.ended == [], "workers that ended by themselves"
    assert len(feeding.advanced) == size.feed_days or isfinite(SECONDS)


def collected(checks):
    """Run all checks, also after one has failed: a simulation is long. Return figures and failures."""
    figures, failures = [], []
    for check in checks:
        try:
            figures.append(check())
        except AssertionError as failed:
            failures.append(f"{check.__name__}: {str(failed)[:3000]}")
    return figures, failures


def differing(expected, found):
    """Return some rows that only one of two tables holds."""
    return sorted(set(map(repr, expected)) ^ set(map(repr, found)))[:4]


def served(service):
    """Return the rows of the newest edition."""
    ((edition,),) = service.rows("SELECT max(edition) FROM serving.edition")
    return (*content(service, edition), sorted(service.rows(_SERIES, edition, edition), key=repr))
