"""Split long work into small steps, so that the process can answer other requests in between."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar

From = TypeVar("From")
To = TypeVar("To")
_STEP = 25  # rows: one or two milliseconds


async def gradually(make: Callable[[From], To], rows: Sequence[From]) -> list[To]:
    """Return the results of `make` for all rows, yielding to the event loop between batches."""
    made: list[To] = []
    for start in range(0, len(rows), _STEP):
        made.extend(map(make, rows[start : start + _STEP]))
        await asyncio.sleep(0)
    return made
