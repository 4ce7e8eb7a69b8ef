"""Choose the delta file that holds every change since the last complete fetch.

A delta of seven days holds the changes of the seven days before the publisher's newest publication. The copy
that was fetched last may have been hours old by then, so a delta must reach further back than the fetch.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Annotated

import msgspec

from sankofa.ingest.portals.template import DAYS, require_template

# The age of the newest publication when it was fetched. GLEIF publishes every eight hours.
_MARGIN = timedelta(hours=12)


class Delta(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file with the changes of some days."""

    days: Annotated[int, msgspec.Meta(ge=1)]
    address: str

    def __post_init__(self) -> None:
        """Raise if the address has placeholders: a delta is one file."""
        require_template(self.address, without=DAYS | {"page", "offset", "item"})


def smallest(deltas: Iterable[Delta], last_good: datetime | None, now: datetime) -> Delta | None:
    """Return the smallest delta that holds every change since then, or None if the full copy is needed."""
    if last_good is None or last_good > now:
        return None
    reach = now - last_good + _MARGIN
    covering = (delta for delta in deltas if timedelta(days=delta.days) >= reach)
    return min(covering, key=lambda delta: delta.days, default=None)
