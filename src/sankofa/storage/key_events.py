"""How far the key registry is, and which keys its last events concern."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple


class KeyEvents(NamedTuple):
    """The number of the newest key event, and whose the last events are."""

    newest: int = 0
    recent: Sequence[str] = ()  # key ids, newest first; without any, nobody knows whose they are

    def concern(self, key_ids: Collection[str], *, after: int) -> bool:
        """Return whether an event after a number may concern one of these keys."""
        missing = max(0, self.newest - after)
        return missing > len(self.recent) or not set(key_ids).isdisjoint(self.recent[:missing])
