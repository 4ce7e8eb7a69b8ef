"""Header fields that announce a deprecation: RFC 9745, RFC 8594, RFC 5829."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from email.utils import format_datetime

from sankofa.core.deprecation import Deprecated


def fields(carried: Sequence[Deprecated]) -> dict[str, str]:
    """Return the deprecation fields of a response; of several dates, the earliest counts.

    `Link` is a list field: a response that has other links joins them by a comma.
    """
    if not carried:
        return {}
    since = _midnight(min(entry.since for entry in carried))
    sunset = _midnight(min(entry.sunset for entry in carried))
    successors = dict.fromkeys(entry.successor for entry in carried)
    return {
        "Deprecation": f"@{int(since.timestamp())}",
        "Sunset": format_datetime(sunset, usegmt=True),
        "Link": ", ".join(f'<{successor}>; rel="successor-version"' for successor in successors),
    }


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
