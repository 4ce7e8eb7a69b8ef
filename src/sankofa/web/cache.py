"""A cache of answer bodies: bounded in bytes; concurrent requests for one body share one computation.

An entry is never stale: the key holds everything that determines a body, including the edition's mark and
the last takedown.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Body:
    """A finished answer: its bytes and the headers that describe them."""

    content: bytes
    headers: dict[str, str]
    rows: int  # rows in it, as the limits count them


class BodyCache:
    """Finished answers by key, the least recently used dropped first."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._bytes = 0
        self._bodies: OrderedDict[str, Body] = OrderedDict()
        self._making: dict[str, asyncio.Task[Body]] = {}

    def __contains__(self, key: str) -> bool:
        return key in self._bodies

    def find(self, key: str) -> Body | None:
        """Return the cached body for a key, or None."""
        if key in self._bodies:
            self._bodies.move_to_end(key)
        return self._bodies.get(key)

    async def get(self, key: str, make: Callable[[], Awaitable[Body]]) -> Body:
        """Return the body, making it if needed. Concurrent callers share one result; errors are not kept."""
        if kept := self.find(key):
            return kept
        if key not in self._making:
            # A separate task, because the first caller may disconnect while others wait.
            self._making[key] = asyncio.create_task(self._make(key, make))
        return await asyncio.shield(self._making[key])

    async def _make(self, key: str, make: Callable[[], Awaitable[Body]]) -> Body:
        try:
            body = await make()
        finally:
            del self._making[key]
        self._keep(key, body)
        return body

    def _keep(self, key: str, body: Body) -> None:
        if len(body.content) > self._most // 8:
            return
        self._bodies[key] = body
        self._bytes += len(body.content)
        while self._bytes > self._most:
            _, dropped = self._bodies.popitem(last=False)
            self._bytes -= len(dropped.content)
