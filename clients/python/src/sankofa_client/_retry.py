"""Whether to ask again, and when: a decision without a clock, so that it can be looked at."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

# What may pass by itself. Anything else of the 4xx says that the question is wrong: asking again is no help.
LIMITED = 429
PASSING = frozenset({LIMITED, 502, 503, 504})
_A_MINUTE = 90.0  # the longest that a limit of the minute lasts, and some more
_FIRST = 0.2
_LONGEST = 5.0
_SPREAD = 0.25  # who were told the same second should not all come back in it


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, whatever its status."""

    status: int
    headers: Mapping[str, str]
    content: bytes


@dataclass(frozen=True, slots=True)
class Silence:
    """No answer: the connection failed or time ran out."""

    reason: str
    timed_out: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long one question may take in all, and how often it is asked."""

    seconds: float = 30.0
    attempts: int = 4
    waits_for_limits: bool = False
    chance: Callable[[], float] = random.random

    def pause(self, outcome: Reply | Silence, *, attempt: int, left: float) -> float | None:
        """Return for how long to wait before asking again; None says not to."""
        if attempt >= self.attempts or (isinstance(outcome, Reply) and outcome.status not in PASSING):
            return None
        told = retry_after(outcome.headers) if isinstance(outcome, Reply) else None
        if told is not None:
            wait = told + _SPREAD * self.chance()
        else:
            wait = min(_LONGEST, _FIRST * 2 ** (attempt - 1)) * (0.5 + self.chance() / 2)
        # Waiting beyond the deadline would only postpone the error.
        return wait if wait < left else None

    def limit(self, outcome: Reply | Silence) -> float | None:
        """Return for how long a limit of the minute lasts, if it is to be waited for; months are not."""
        if not (self.waits_for_limits and isinstance(outcome, Reply) and outcome.status == LIMITED):
            return None
        told = retry_after(outcome.headers)
        return told + _SPREAD * self.chance() if told is not None and told <= _A_MINUTE else None


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Return the seconds that a server asks to wait, however it says so; None if it does not."""
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - (now or datetime.now(UTC))).total_seconds())
