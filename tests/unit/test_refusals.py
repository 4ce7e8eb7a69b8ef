"""KEY-2: refused keys are counted per client in a sliding minute."""

from __future__ import annotations

from sankofa.access.decision import Violation
from sankofa.access.refusals import REFUSED_KEYS, Refusals


def test_a_client_above_the_limit_is_told_when_to_come_back_and_others_are_not_concerned():
    now = [1_000.0]
    refusals = Refusals(2, clock=lambda: now[0])
    assert [refusals.count("203.0.113.1") for _ in range(2)] == [None, None]
    assert refusals.count("203.0.113.1") == Violation(REFUSED_KEYS, 2, 61)
    assert refusals.count("203.0.113.2") is None
    now[0] += 60
    assert refusals.count("203.0.113.1") == Violation(REFUSED_KEYS, 2, 1)
    now[0] += 1
    assert refusals.count("203.0.113.1") is None


def test_what_was_refused_above_the_limit_does_not_prolong_it():
    now = [1_000.0]
    refusals = Refusals(1, clock=lambda: now[0])
    refusals.count("203.0.113.1")
    for _ in range(60):
        now[0] += 1
        assert refusals.count("203.0.113.1")
    now[0] += 1
    assert refusals.count("203.0.113.1") is None


def test_clients_are_forgotten_rather_than_remembered_without_bound():
    refusals = Refusals(1, clock=lambda: 1_000.0)
    assert refusals.count("first") is None
    for number in range(10_000):
        refusals.count(str(number))
    assert refusals.count("first") is None


def test_answers_above_the_limit_come_late_and_spread():
    delays = {Refusals(1).delay() for _ in range(100)}
    assert len(delays) > 50
    assert 2 <= min(delays) <= max(delays) <= 4
