"""OPS-27, OPS-28: the loss of the primary's machine, and a restore to a moment, on a small installation."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from dev.drill import drill
from dev.ha import HaStack
from support.filings import Filer
from support.high_availability import WRITES_BACK_SECONDS, Available


@pytest.fixture(scope="module")
def available():
    with HaStack.throwaway() as stack:
        available = Available(stack)
        yield available
        available.close()


@pytest.mark.proves("OPS-28")
def test_a_restore_to_a_moment_has_what_was_published_then_and_names_what_is_missing(available):
    stack, service = available.stack, available.service
    stack.postgres.repository.back_up(stack.postgres.primary.server)
    service.ingest(Filer(11).says(11, filed="2024-02-01").document())
    assert service.publish().edition == 2
    (moment,) = service.rows("SELECT clock_timestamp()")[0]
    service.ingest(Filer(12).says(12, filed="2024-02-01").document())
    assert service.publish().edition == 3

    then = drill(stack, moment)
    assert (then.newest, list(then.missing), then.problems) == (2, [3], [])
    now = drill(stack, datetime.now(UTC))
    assert (now.newest, list(now.missing), now.problems) == (3, [], [])


@pytest.mark.proves("OPS-27")
def test_the_machine_of_the_primary_is_lost_and_reads_writes_and_facts_are_not(available):
    with available.asking() as verdicts, available.writing() as writer:
        took = writer.back_after(available.stack.postgres.primary.kill9)
    stored = available.every_fact_is_served(writer)
    print(f"writes back after {took:.1f} s; {stored} documents served; reads: {dict(verdicts)}")
    assert took < WRITES_BACK_SECONDS
    assert set(verdicts) <= {"right", "late"}
