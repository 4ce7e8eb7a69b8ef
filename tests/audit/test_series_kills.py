"""kill -9 of ingest and of publish while series are taken in: nothing lost, doubled or half visible."""

from __future__ import annotations

import random

import pytest

from audit.kills import kill_at_random, run, timed
from demo import macro_rates, macro_tables, macro_vintages
from demo.world import World

EDITION = """
SELECT fact_id, series_key, period_start, available_at, known_until::text, vintage, value
FROM serving.macro_value WHERE superseded_in = 2147483647 ORDER BY series_key, period_start, vintage
"""
DOUBLED = """
SELECT count(*) FROM (
    SELECT FROM serving.macro_value
    WHERE published_in <= (SELECT max(edition) FROM serving.edition)
        AND superseded_in > (SELECT max(edition) FROM serving.edition)
    GROUP BY fact_id HAVING count(*) > 1
) AS twice
"""


@pytest.mark.timeout(7200)
def test_series_survive_kills_at_random_moments(make_service, tmp_path, seed, size):
    rng = random.Random(seed)
    world = World(seed=seed)
    acts = []
    for written in (macro_tables, macro_rates, macro_vintages):
        for number in range(written.parts(world)):
            document = written.part(world, number)
            path = tmp_path / document.name
            path.write_bytes(document.content)
            fetched = f"{document.fetched_at:%Y-%m-%dT%H:%M:%S}"
            acts.append(["ingest", written.SOURCE, str(path), "--fetched-at", fetched])
    undisturbed, killed = make_service(), make_service()
    seconds = max(timed(undisturbed, act) for act in acts)
    seconds = max(seconds, timed(undisturbed, ["publish"]))
    for _ in range(size.kills):
        kill_at_random(killed, rng.choice([*acts, ["publish"]]), seconds, rng)
        assert killed.rows(DOUBLED) == [(0,)]
    for act in [*acts, ["publish"]]:
        run(killed, act)
    assert killed.rows(EDITION) == undisturbed.rows(EDITION)
    for table in ("ledger.series", "ledger.snapshot", "ledger.coverage"):
        assert killed.rows(f"SELECT count(*) FROM {table}") == undisturbed.rows(
            f"SELECT count(*) FROM {table}"
        )
    print(f"{size.kills} kills, {len(killed.rows(EDITION))} vintages: nothing lost, doubled or half visible")
