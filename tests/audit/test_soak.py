"""ERR-7, KEY-9, OPS-4: random faults on a loaded machine give no wrong answer and no 503 without a cause."""

from __future__ import annotations

import random
import time
from collections import Counter

import httpx
import pytest

from audit.soak import Callers, Fault, causeless, kinds, loaded_machine
from demo.world import World
from dev.follower import Follower
from dev.ports import Ports, unused_ports
from dev.service import wait_until
from dev.stack import Stack, temporary_home
from support.demo_world import load
from support.service import Service

CALLERS = 8
PATHS = 200
LONGEST_SECONDS = 3.0
RECOVERY_SECONDS = 30


@pytest.fixture
def service():
    with temporary_home() as home:
        stack = Stack(home, Ports.free())
        stack.start()
        try:
            service = Service(stack, "soak")
            load(service, World(facts=1_000))
            service.publish()
            yield service
        finally:
            stack.destroy()


@pytest.fixture
def api(service):
    environment = {"SANKOFA_CACHE_BYTES": "0"}  # so that every answer is read
    api = service.installation.api(next(unused_ports()), workers=2, environment=environment)
    follower = Follower(service.installation)
    follower.start()
    api.start()
    yield api
    api.stop()
    follower.stop()


@pytest.mark.timeout(7200)
def test_no_answer_is_wrong_and_no_503_is_without_a_cause(service, api, size, seed):
    chance = random.Random(seed)
    keys = [service.issue().key for _ in range(CALLERS)]
    callers = Callers(api.port, expected(service, api, chance), keys)
    faults = []
    with loaded_machine(), callers.asking():
        for kind in drawn(list(kinds(service.installation.stack, api)), size.faults, chance):
            fault = Fault(kind, time.monotonic())
            faults.append(fault)
            kind.begin()
            time.sleep(chance.uniform(0.1, LONGEST_SECONDS))  # how long the fault lasts
            kind.end()
            fault.ended = time.monotonic()
            assert wait_until(lambda: is_well(api.url), RECOVERY_SECONDS), f"{kind.name}: no recovery"
            fault.ended = max(fault.ended, time.monotonic() - 1)
            time.sleep(chance.uniform(0, 1))  # some come soon after another, some later
    report(callers.answers, faults, seed)
    wrong = [answer for answer in callers.answers if answer.status == 200 and not answer.is_right]
    failed = [answer for answer in callers.answers if answer.status != 200 and causeless(answer, faults)]
    assert len(callers.answers) >= size.soaked
    assert wrong == []
    assert failed == []


def expected(service, api, chance):
    """Return many questions about edition 1, and the answers while all is well."""
    issuers = [row[0] for row in service.rows("SELECT DISTINCT service_id FROM serving.fundamentals_fact")]
    paths = []
    for _ in range(PATHS):
        day = f"20{chance.randrange(15, 26)}-{chance.randrange(1, 13):02}-{chance.randrange(1, 29):02}"
        paths += [
            f"/v1/fundamentals/{chance.choice(issuers)}?as_of={day}&edition=1",
            f"/v1/tenders?country={chance.choice(['ZA', 'KE'])}&limit=20&as_of={day}&edition=1",
            f"/v1/entities/{chance.choice(issuers)}?edition=1",
        ]
    with httpx.Client(base_url=api.url) as client:
        answers = {path: client.get(path, headers=service.headers) for path in paths}
    assert {answer.status_code for answer in answers.values()} == {200}
    return {path: answer.content for path, answer in answers.items()}


def drawn(every, number, chance):
    """Yield kinds of faults: each comes once before any comes again."""
    while number > 0:
        chance.shuffle(every)
        yield from every[:number]
        number -= len(every)


def is_well(url):
    try:
        return httpx.get(f"{url}/v1/status", timeout=5).status_code == 200
    except httpx.HTTPError:
        return False


def report(answers, faults, seed):
    statuses = Counter(answer.status for answer in answers)
    slowest = max(answer.ended - answer.began for answer in answers)
    print(f"\nseed {seed}: {len(faults)} faults, {len(answers):,} requests: {dict(statuses)}")
    print(f"slowest {slowest:.2f} s; by fault:", dict(Counter(fault.kind.name for fault in faults)))
    for answer in answers:
        if answer.status != 200 and causeless(answer, faults):
            near = min(faults, key=lambda fault: abs(fault.began - answer.began))
            since = answer.began - near.began
            took = answer.ended - answer.began
            print(f"causeless: {answer.status} {answer.component} after {took:.2f} s,", end=" ")
            print(f"{since:.1f} s after {near.kind.name}")
