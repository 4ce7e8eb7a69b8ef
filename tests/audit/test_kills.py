"""kill -9 of ingest and of publish at random moments: nothing lost, doubled or half visible."""

from __future__ import annotations

import random

import pytest

from audit.kills import kill_at_random, run, timed
from demo import companyfacts
from demo.world import World
from support.editions import content

ISSUERS = 60


@pytest.mark.timeout(7200)
def test_ingest_and_publish_survive_kills_at_random_moments(make_service, tmp_path, seed, size):
    rng = random.Random(seed)
    world = World(seed=seed, facts=ISSUERS * 250)
    paths = []
    for issuer in range(ISSUERS):
        paths.append(tmp_path / companyfacts.file_name(issuer))
        paths[-1].write_bytes(companyfacts.companyfacts(world, issuer))
    undisturbed, killed = make_service(), make_service()
    run(undisturbed, ingest(paths))
    seconds = {"ingest": timed(make_service(), ingest(paths)), "publish": timed(undisturbed, ["publish"])}
    expected = content(undisturbed, 1)
    visible = set()
    for number in range(size.kills):
        # Each round works on a few more documents, so that there is always something to interrupt.
        part = paths[: 1 + (number + 1) * len(paths) // size.kills]
        act = rng.choice(["ingest", "publish"])
        kill_at_random(killed, ingest(part) if act == "ingest" else ["publish"], seconds[act], rng)
        visible.add(consistent(killed))
    run(killed, ingest(paths))
    run(killed, ["publish"])
    newest = killed.rows("SELECT max(edition) FROM serving.edition")[0][0]
    assert content(killed, newest) == expected
    ledger = "SELECT count(*) FROM ledger.fact"
    assert killed.rows(ledger) == undisturbed.rows(ledger)
    told = f"{size.kills} kills, {newest} editions, {len(expected[0])} facts"
    print(f"{told}: nothing lost, doubled or half visible")


def ingest(paths):
    return ["ingest", companyfacts.SOURCE, *map(str, paths), "--fetched-at", "2026-01-05T06:00:00"]


def consistent(service):
    """Check that the current edition is whole: every fact its batches told of, and no other."""
    ((edition,),) = service.rows("SELECT coalesce(max(edition), 0) FROM serving.edition")
    ((held,),) = service.rows(
        "SELECT count(DISTINCT bs.subject_id) FROM ops.edition_holds h JOIN ops.batch_subject bs"
        " ON bs.batch_id = h.number WHERE h.kind = 'batch' AND h.edition <= %s",
        edition,
    )
    ((shown,),) = service.rows(
        "SELECT count(*) FROM serving.issued_id WHERE published_in <= %s AND superseded_in > %s",
        edition,
        edition,
    )
    assert shown == held
    ((doubled,),) = service.rows(
        "SELECT count(*) FROM (SELECT fact_id FROM serving.fundamentals_fact WHERE published_in <= %s"
        " AND superseded_in > %s GROUP BY fact_id, line_item, labelled_from HAVING count(*) > 1) AS twice",
        edition,
        edition,
    )
    assert doubled == 0
    return edition
