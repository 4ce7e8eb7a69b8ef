"""Tasks that run beside the rest of a process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any


@asynccontextmanager
async def in_background(*endless: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Run coroutines that do not end by themselves while this is entered; cancel and await them then."""
    tasks = [asyncio.create_task(one) for one in endless]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
