"""One ledger published by one, two and four workers, and by workers that are killed: the same content."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass

import pytest

from audit.workers import Family, lanes
from demo import companyfacts
from demo.world import World
from support.digest import digest
from support.service import Service

SHARE = 0.55  # of the processor time on the critical path, with two workers instead of one


@dataclass(frozen=True)
class Alone:
    """A loaded service that has published nothing, and what one worker makes of a copy of it."""

    origin: Service
    spent: list[float]  # processor seconds by lane
    seconds: float
    digest: dict[str, tuple[int, int]]


@pytest.fixture(scope="module")
def alone(stack, size):
    origin = Service(stack, "workers_origin")
    load(origin, size.shared)
    copy = Service(stack, "workers_alone", template=origin.installation.database)
    spent, seconds = lanes(copy, 1)
    print(f"{size.shared:,} facts, 1 worker: {seconds:.0f} s; {sum(spent):.1f} processor seconds")
    yield Alone(origin, spent, seconds, digest(copy))
    copy.close()
    origin.close()


@pytest.mark.timeout(4 * 3600)
@pytest.mark.parametrize("workers", [2, 4])
def test_any_number_of_workers_writes_the_same_and_two_share_the_work(make_service, size, alone, workers):
    service = make_service(template=alone.origin.installation.database)
    spent, seconds = lanes(service, workers)
    share = spent[0] / alone.spent[0]
    print(
        f"{size.shared:,} facts, {workers} workers: {seconds:.0f} s; processor seconds by lane:"
        f" {', '.join(f'{lane:.1f}' for lane in spent)}; the busiest {share:.2f} of one worker alone"
    )
    assert digest(service) == alone.digest
    if workers == 2 and size.shared >= 500_000:  # below, what one worker must do alone outweighs the chunks
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
def test_a_build_killed_near_its_end_is_finished_in_a_quarter_of_its_time(make_service, size, alone):
    service = killed_at(make_service, alone.origin, 0.9 * alone.seconds)
    _, rest = lanes(service, 1)
    print(f"{size.shared:,} facts: a build takes {alone.seconds:.1f} s, the rest after 90 % {rest:.1f} s")
    assert digest(service) == alone.digest
    if size.shared >= 500_000:  # below, starting the command takes as long as the rest
        assert rest < alone.seconds / 4


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
