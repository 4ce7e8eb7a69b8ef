"""Parse days of documents, and find the later day of an instant in two time zones."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

_ISO_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@lru_cache(1 << 16)
def iso_day(text: object) -> date | None:
    """Return the day of a text such as 2024-03-31, or None."""
    try:
        return date.fromisoformat(text) if isinstance(text, str) and _ISO_DAY.fullmatch(text) else None
    except ValueError:
        return None


def later_day(moment: datetime, clock: ZoneInfo) -> date:
    """Return the later of an instant's days in UTC and in the given time zone."""
    return max(moment.astimezone(UTC).date(), moment.astimezone(clock).date())
