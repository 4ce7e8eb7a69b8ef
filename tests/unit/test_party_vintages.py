"""Vintages of parts: the sweep over days gives what a count on each day gives."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

from sankofa.tenders.counting import Counted, vintages

FIRST = date(2024, 1, 1)
DAYS = 60


def drawn(chance):
    """Return the releases of a part, in groups with drawn days and dates."""
    found = []
    for number in range(chance.randrange(12)):
        known_from = FIRST + timedelta(chance.randrange(DAYS))
        known_until = known_from + timedelta(chance.randrange(1, 20)) if chance.random() < 0.6 else None
        moments = sorted(
            datetime(2023, 12, 1, tzinfo=UTC) + timedelta(days=chance.randrange(8), hours=chance.randrange(3))
            for _ in range(chance.randrange(1, 4))
        )
        cited = f"{chance.randrange(10**6):06}-{number}"
        found.append(
            Counted(known_from, known_until, len(moments), moments[0], moments[-1], cited, f"p{cited}", cited)
        )
    return found


def on(day, counted):
    """Return what is known on a day, by looking at every release."""
    known = [
        one for one in counted if one.known_from <= day and (one.known_until is None or one.known_until > day)
    ]
    if not known:
        return None
    newest = max(one.last_at for one in known)
    cited = min((one for one in known if one.last_at == newest), key=lambda one: one.place)
    return (
        min(one.first_at for one in known).date(),
        newest.date(),
        sum(one.releases for one in known),
        cited.provenance_id,
        cited.location,
    )


def test_a_vintage_holds_on_each_of_its_days_and_differs_from_the_one_before():
    seed = random.randrange(10**9)
    print(f"seed {seed}")
    chance = random.Random(seed)
    for _ in range(400):
        counted = drawn(chance)
        found = list(vintages(counted))
        for day in (FIRST + timedelta(number) for number in range(DAYS + 30)):
            held = [
                one[2:]
                for one in found
                if one.available_at <= day and (one.known_until is None or one.known_until > day)
            ]
            expected = on(day, counted)
            assert held == ([expected] if expected else []), (seed, day)
        for one, following in pairwise(found):
            assert one.known_until is not None
            assert one.known_until <= following.available_at
            assert one.known_until < following.available_at or one[2:] != following[2:]
