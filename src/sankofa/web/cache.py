"""Bodies of answers, kept by what they depend on: bounded in bytes, and made once when many ask at once.

Nothing here is ever stale: the key holds everything that decides a body, the edition's mark and the last
takedown included.
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
    rows: int  # that it holds, as limits count them


class BodyCache:
    """Finished answers by key, the least recently used dropped first."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._bytes = 0
        self._bodies: OrderedDict[str, Body] = OrderedDict()
        self._making: dict[str, asyncio.Task[Body]] = {}

    def find(self, key: str) -> Body | None:
        """Return a body that is kept."""
        if key in self._bodies:
            self._bodies.move_to_end(key)
        return self._bodies.get(key)

    async def get(self, key: str, make: Callable[[], Awaitable[Body]]) -> Body:
        """Return a body. Who asks while it is being made waits for it; a failure is shared, and not kept."""
        if kept := self.find(key):
            return kept
        if key not in self._making:
            # A task of its own: the first caller may hang up while others wait.
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
