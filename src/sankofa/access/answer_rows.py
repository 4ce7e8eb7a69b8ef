"""How many rows an answer has, for a request whose body comes from a cache at the edge.

They count towards the caller's limit, and a process that has not made the answer itself does not know them.
All processes share what they know in the usage store, for a while; each remembers what it has read there.
"""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress

from sankofa.core.errors import StoreUnavailable
from sankofa.storage.redis import Store

_SHARED_SECONDS = 600
_REMEMBERED = 20_000


class AnswerRows:
    """Row counts by the name of an answer, the least recently used dropped first."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: OrderedDict[str, int] = OrderedDict()

    async def find(self, name: str) -> int | None:
        """Return the rows of an answer, or None if no process has made it lately."""
        if name in self._known:
            self._known.move_to_end(name)
            return self._known[name]
        with suppress(StoreUnavailable):
            if (stored := await self._store.ask("GET", _key(name))) is not None:
                self._remember(name, int(stored))
        return self._known.get(name)

    async def note(self, name: str, rows: int) -> None:
        """Record the rows of an answer that this process has made."""
        if self._known.get(name) == rows:
            return
        self._remember(name, rows)
        with suppress(StoreUnavailable):
            await self._store.ask("SET", _key(name), rows, "EX", _SHARED_SECONDS)

    def _remember(self, name: str, rows: int) -> None:
        self._known[name] = rows
        if len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)


def _key(name: str) -> str:
    return f"answer:{name}:rows"
