"""One ledger published by one, two and four workers, and by workers that are killed: the same content."""

from __future__ import annotations

import random
import time

import pytest

from audit.workers import Family, lanes
from demo import companyfacts
from demo.world import World
from support.digest import digest

SHARE = 0.55  # of the processor time on the critical path, with two workers instead of one


@pytest.mark.timeout(4 * 3600)
def test_any_number_of_workers_writes_the_same_and_two_share_the_work(make_service, size):
    origin = make_service()
    load(origin, size.shared)
    critical, written = {}, {}
    for workers in (1, 2, 4):
        service = make_service(template=origin.installation.database)
        spent, seconds = lanes(service, workers)
        critical[workers], written[workers] = spent[0], digest(service)
        print(
            f"{size.shared:,} facts, {workers} workers: {seconds:.0f} s; processor seconds by lane:"
            f" {', '.join(f'{lane:.1f}' for lane in spent)}"
        )
    assert written[2] == written[1]
    assert written[4] == written[1]
    share = critical[2] / critical[1]
    print(f"processor time on the critical path with two workers: {share:.2f} of that with one")
    if size.shared >= 500_000:  # below, what one worker must do alone outweighs the chunks
        assert share <= SHARE


@pytest.mark.timeout(4 * 3600)
def test_killed_workers_and_coordinators_change_nothing(make_service, size, seed):
    rng = random.Random(seed)
    origin = make_service()
    load(origin, size.killed_facts)
    undisturbed = make_service(template=origin.installation.database)
    _, seconds = lanes(undisturbed, 1)
    expected = digest(undisturbed)
    kills, builds = 0, 0
    while kills < size.worker_kills:
        service = make_service(template=origin.installation.database)
        builds += 1
        family = Family(service, 3)
        while not service.rows("SELECT FROM serving.edition"):
            if family.is_over():
                family = Family(service, 3)  # the coordinator was killed: another continues the build
            time.sleep(rng.uniform(0, seconds / 6))  # the moment of the next kill
            if kills < size.worker_kills and not family.is_over():
                family.kill(rng.choice(family.pids))
                kills += 1
        if not family.is_over():
            family.wait()
        assert digest(service) == expected, f"seed {seed}"
        service.close()
    print(f"seed {seed}: {kills} kills in {builds} builds: the same content")


@pytest.mark.timeout(4 * 3600)
def test_a_build_killed_near_its_end_is_finished_in_a_quarter_of_its_time(make_service, size):
    origin = make_service()
    load(origin, size.shared)
    whole = make_service(template=origin.installation.database)
    _, seconds = lanes(whole, 1)
    service = killed_at(make_service, origin, 0.9 * seconds)
    _, rest = lanes(service, 1)
    print(
        f"{size.shared:,} facts: a build takes {seconds:.1f} s; after a kill at 90 %, the rest {rest:.1f} s"
    )
    assert digest(service) == digest(whole)
    if size.shared >= 500_000:  # below, starting the command takes as long as the rest
        assert rest < seconds / 4


def killed_at(make_service, origin, seconds):
    """Return a service whose publish was killed after so many seconds, before it had ended."""
    for _ in range(5):
        service = make_service(template=origin.installation.database)
        family = Family(service, 1)
        time.sleep(seconds)  # how far it comes is what is measured
        family.kill(family.pids[0])
        if not service.rows("SELECT FROM serving.edition"):
            return service
        seconds *= 0.97  # this time it was faster than the one before
    raise AssertionError("no publish could be killed before its end")


def load(service, facts):
    world = World(facts=facts)
    for document in companyfacts.documents(world):
        service.ingest((document.content, document.fetched_at))
