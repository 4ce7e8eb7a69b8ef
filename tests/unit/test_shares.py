"""KEY-9: without the usage store, the processes together stay within every limit."""

from __future__ import annotations

import calendar
import random

import pytest

from sankofa.access.share import Share

NAMES = ("b", "m", "r")


class Clock:
    def __init__(self, now):
        self.now = now

    def __call__(self):
        return self.now


@pytest.mark.parametrize("seed", range(3))
def test_shares_of_all_processes_together_stay_within_the_limit(seed):
    print("seed", seed)
    chance = random.Random(seed)
    limit, clock, admitted = 31, Clock(1_800_000_000.0), []
    shares = [Share(4, clock) for _ in range(4)]
    for _ in range(6_000):
        clock.now += chance.choice([0, 0, 0.05, 0.3, 2])
        violation = chance.choice(shares).take(NAMES, (limit, 10**9, 10**9))
        if violation is None:
            admitted.append(clock.now)
    worst = max(sum(start <= moment <= start + 60 for moment in admitted) for start in admitted)
    assert worst <= limit
    assert len(admitted) > 10 * limit


def test_a_share_counts_what_the_store_admitted_before():
    clock = Clock(1_800_000_000.0)
    share = Share(1, clock)
    for used in range(1, 4):
        share.note(NAMES, "2027-01", used)
    verdicts = [share.take(NAMES, (5, 100, 100)) for _ in range(3)]
    assert verdicts[:2] == [None, None]
    assert (verdicts[2].policy, verdicts[2].quota, verdicts[2].retry_after) == ("burst", 5, 61)
    clock.now += 61
    assert share.take(NAMES, (5, 5, 100)).policy == "month"


def test_a_share_of_the_month_goes_on_from_what_the_store_said_last():
    clock = Clock(calendar.timegm((2027, 1, 31, 23, 0, 0)))
    share = Share(2, clock)
    share.note(NAMES, "2027-01", 90)
    verdicts = [share.take(NAMES, (1_000, 100, 100)) for _ in range(6)]
    assert verdicts[:5] == [None] * 5
    assert (verdicts[5].policy, verdicts[5].retry_after) == ("month", 3_600)
    clock.now += 3_600
    assert share.take(NAMES, (1_000, 100, 100)) is None


def test_a_share_keeps_the_ceiling_and_gives_back_to_the_month_alone():
    share = Share(2, Clock(1_800_000_000.0))
    names = [(f"b{number}", f"m{number}", f"r{number}", "c") for number in range(3)]
    verdicts = [share.take(name, (10, 100, 100, 5)) for name in names]
    assert [violation and violation.policy for violation in verdicts] == [None, None, "ceiling"]
    share.give_back("m0")
    assert share.take(names[2], (10, 100, 100, 5)).policy == "ceiling"
    assert share.take(names[0], (10, 1, 100, 100)).policy == "month"
    assert share.take(names[0], (10, 2, 100, 100)) is None


def test_a_share_of_rows_counts_what_was_sent():
    clock = Clock(1_800_000_000.0)
    share = Share(2, clock)
    share.sent("r", 49)
    assert share.take(NAMES, (10, 100, 100)) is None
    share.sent("r", 1)
    violation = share.take(NAMES, (10, 100, 100))
    assert (violation.policy, violation.quota, violation.retry_after) == ("rows", 100, 61)
    clock.now += 61
    assert share.take(NAMES, (10, 100, 100)) is None
