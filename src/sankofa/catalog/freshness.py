"""The current freshness of each source. It belongs to no edition, because it changes with the clock."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sankofa.storage.queries import named
from sankofa.storage.reading import Reader, Row

_SQL = named(__package__)


async def freshness(reader: Reader) -> dict[str, Any]:
    """Return the freshness of each source: its promised dates compared with the current time."""
    rows = await reader.fetch_outside_editions(_SQL["freshness"])
    now = datetime.now(UTC)
    sources = [_describe(row, now) for row in rows]
    stale = [one["source"] for one in sources if one["state"] == "stale"]
    return {"checked_at": now, "stale": stale, "sources": sources}


def _describe(row: Row, now: datetime) -> dict[str, Any]:
    source, is_frozen, good_at, next_due, stale_at = row
    return {
        "source": source,
        "state": _state(now, is_frozen=is_frozen, good_at=good_at, stale_at=stale_at),
        "last_good_at": good_at,
        "next_due_at": next_due,
        "stale_at": stale_at,
    }


def _state(now: datetime, *, is_frozen: bool, good_at: datetime | None, stale_at: datetime | None) -> str:
    if is_frozen:
        return "frozen"
    if stale_at is None:
        return "on_request"
    if stale_at <= now:
        return "stale"
    return "fresh" if good_at else "new"
