"""How large the world is and how long each measurement takes; BENCH_SIZE chooses."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass

from sankofa.access.tiers import Tiers

MOST_REQUESTS_PER_SECOND = 3_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much of everything."""

    facts: int
    seconds: int  # of one run
    rounds: int


SIZES = {
    "small": Size(facts=25_000, seconds=2, rounds=3),
    "full": Size(facts=250_000, seconds=5, rounds=3),
}

# Few enough that a request never waits for a connection to PostgreSQL, also on a loaded machine.
CONNECTIONS = 8
BARE_CLIENTS = 4  # of pgbench; with two cores, more are not faster
BARE_SUBJECTS = 20  # whose statements pgbench runs
SUBJECTS = 100  # their bodies fit into the default cache of every process
_PER_MINUTE = Tiers().professional.per_minute
# Callers at half their limit: more keys would make every request look its key up, fewer would be refused.
_PER_KEY_AND_SECOND = _PER_MINUTE / 60 / 2


def keys_for(requests_per_second: float) -> int:
    """Return how many keys take turns at a rate; limits stay as configured, and none is reached."""
    return math.ceil(requests_per_second / _PER_KEY_AND_SECOND)


def chosen() -> Size:
    """Return the size that the environment names."""
    return SIZES[os.environ.get("BENCH_SIZE", "full")]
