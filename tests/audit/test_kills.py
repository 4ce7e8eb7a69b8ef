"""kill -9 of all that writes, at random moments: nothing lost, doubled or half visible."""

from __future__ import annotations

import random
import time
from collections import Counter

import pytest

from audit.kills import Crew, consistent, kill_at_random, listed_files, run, timed
from demo import companyfacts
from demo.world import World
from dev.stack import Stack
from support.editions import content
from support.service import Service
from support.waiting import until

ISSUERS = 60
LONGEST_SECONDS = 1.2  # between two crashes
PEACE = 20  # crashes, after which nothing is killed until there is a new edition


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


@pytest.mark.timeout(3 * 3600)
def test_crashes_of_all_parts_at_once_lose_nothing(tmp_path, seed, size):
    rng = random.Random(seed)
    world = World(seed=seed, facts=size.crash_issuers * 250)
    paths = []
    for issuer in range(size.crash_issuers):
        paths.append(tmp_path / companyfacts.file_name(issuer))
        paths[-1].write_bytes(companyfacts.companyfacts(world, issuer))
    arrived, edition, killed = paths[:1], 0, Counter()
    acts = {
        "ingest": lambda: ingest(arrived[-3:]),
        "publish": lambda: ["publish", "--workers", "2"],
        "export": lambda: ["export"],
        "work": lambda: ["work", "build"],
    }
    with Stack.throwaway() as stack:
        undisturbed, service = Service(stack, "undisturbed"), Service(stack, "crashed")
        run(undisturbed, ingest(paths))
        run(undisturbed, ["publish"])
        with Crew(service, acts) as crew:
            for number in range(1, size.crashes + 1):
                crew.tend()
                time.sleep(rng.uniform(0, LONGEST_SECONDS))  # the moment of the crash
                if number % 11:
                    killed[crew.kill(rng)] += 1
                else:
                    stack.postgres.kill9()
                    stack.postgres.start()
                    killed["postgres"] += 1
                arrived = paths[: 1 + number * len(paths) // size.crashes]
                if number % PEACE == 0:
                    edition = next_edition(crew, service, edition)
        run(service, ingest(paths))
        for act in ("publish", "export", "publish"):  # the last edition lists the files of the one before
            run(service, [act])
        assert content(service, consistent(service)) == content(undisturbed, 1)
        ledger = "SELECT count(*) FROM ledger.fact"
        assert service.rows(ledger) == undisturbed.rows(ledger)
        files = listed_files(service)
        for each in (undisturbed, service):
            each.close()
    print(
        f"seed {seed}: killed {dict(killed)}, {edition} editions in between, {files} files:"
        " nothing lost, doubled or half visible"
    )


def next_edition(crew, service, last):
    """Leave the crew in peace until it has published; return the number of the edition, which is whole."""
    until(lambda: crew.tend() or service.rows("SELECT FROM serving.edition WHERE edition > %s", last), 300)
    return consistent(service)


def ingest(paths):
    return ["ingest", companyfacts.SOURCE, *map(str, paths), "--fetched-at", "2026-01-05T06:00:00"]
