"""Days as documents write them, and the day on which a moment was over everywhere it matters."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

_ISO_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@lru_cache(1 << 16)
def iso_day(text: object) -> date | None:
    """Return the day that is written as 2024-03-31, or None where this is none."""
    try:
        return date.fromisoformat(text) if isinstance(text, str) and _ISO_DAY.fullmatch(text) else None
    except ValueError:
        return None


def later_day(moment: datetime, clock: ZoneInfo) -> date:
    """Return the later of the days that a moment is on, in UTC and by a clock."""
    return max(moment.astimezone(UTC).date(), moment.astimezone(clock).date())
