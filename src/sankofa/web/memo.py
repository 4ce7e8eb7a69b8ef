"""Prepared requests, so that a repeated request is not parsed, validated and hashed again.

An entry holds what follows from the text of a request, the tier, the current edition and the newest takedown,
and nothing else. A new edition or takedown drops all entries. Key and limits are checked before, each time.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from sankofa.ask.question import Question
from sankofa.storage.reading import Reader
from sankofa.web.cache import Body

_LONGEST = 2_048  # characters of a kept request: longer ones are prepared each time
_BYTES_EACH = 16 << 10  # at most, of an entry

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A validated request: its question, the name of its answer, its headers, and how its body is made."""

    question: Question
    name: str  # cache key and entity tag of the answer
    headers: Mapping[str, str]
    make: Callable[[], Awaitable[Body]]
    takedown: int = 0  # the newest one when the answer was named; a cache at the edge is given it


class Memo:
    """Prepared requests by what was sent, the least recently used dropped first."""

    def __init__(self, reader: Reader, most_bytes: int) -> None:
        self._reader = reader
        self._most = most_bytes // _BYTES_EACH
        self._standing = reader.standing
        self._kept: OrderedDict[Key, Prepared] = OrderedDict()

    def find(self, key: Key) -> Prepared | None:
        """Return the prepared request if it is kept, and of the current edition."""
        return self._kept.get(key) if self._reader.standing == self._standing else None

    async def get(self, key: Key, prepare: Callable[[], Awaitable[Prepared]]) -> Prepared:
        """Return the prepared request, preparing it if needed. Errors are not kept."""
        standing = self._reader.standing
        if standing != self._standing:
            self._kept.clear()
            self._standing = standing
        if found := self._kept.get(key):
            self._kept.move_to_end(key)
            return found
        prepared = await prepare()
        # If the edition changed while this request was prepared, it may belong to either edition.
        if standing is not None and standing == self._reader.standing == self._standing:
            self._keep(key, prepared)
        return prepared

    def _keep(self, key: Key, prepared: Prepared) -> None:
        if sum(map(len, key)) > _LONGEST or not self._most:
            return
        self._kept[key] = prepared
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
