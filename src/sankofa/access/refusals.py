"""Rejected keys, counted per client prefix in a sliding minute.

Each process counts for itself, so that a rejected key uses no store and nothing that valid keys need. A
client above the limit is answered late: guessing keys one after the other is slow and uses no processor time.
"""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable

from sankofa.access.decision import Violation
from sankofa.access.share import Minute

REFUSED_KEYS = "refused-keys"
_DELAY_MILLISECONDS = range(2_000, 4_000)
_REMEMBERED = 10_000


class Refusals:
    """Counters by client prefix, least recently used dropped first."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.time) -> None:
        self._per_minute = per_minute
        self._clock = clock
        self._minutes: OrderedDict[str, Minute] = OrderedDict()

    def delay(self) -> float:
        """Return the seconds that a client above the limit waits; random, to spread a flood."""
        return secrets.choice(_DELAY_MILLISECONDS) / 1_000

    def count(self, prefix: str) -> Violation | None:
        """Count one rejected key; return the violation if the client is already above the limit."""
        now = int(self._clock())
        minute = self._minutes.setdefault(prefix, Minute())
        self._minutes.move_to_end(prefix)
        if len(self._minutes) > _REMEMBERED:
            self._minutes.popitem(last=False)
        if minute.used(now) < self._per_minute:
            minute.add(now)
            return None
        return Violation(REFUSED_KEYS, self._per_minute, minute.seconds_until(self._per_minute))
