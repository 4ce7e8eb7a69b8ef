"""After a takedown, every edge drops the bodies that were made before it.

No caller can get them any more, because their names have changed. They are dropped so that nothing of them
is left. Every process orders it when it begins to use a takedown number, also at its start, and repeats the
order until the edge confirms it. Two seconds later it orders it once more, because a body that was sent just
before may have reached the edge after the first order.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

import structlog

from sankofa.core.background import in_background
from sankofa.storage.reading import Reader
from sankofa.web.edge_cache import TAKEDOWN

_LOOK_SECONDS = 0.25
_RETRY_SECONDS = 1.0
_AGAIN_SECONDS = 2.0
_TIMEOUT_SECONDS = 2.0
_CONFIRMED = 200
_log = structlog.get_logger()


def purging(edges: Sequence[str], reader: Reader) -> AbstractAsyncContextManager[None]:
    """Keep the edges free of what was taken down, while the block runs."""
    return in_background(*(_keep_purged(edge, reader) for edge in edges))


async def _keep_purged(edge: str, reader: Reader) -> None:
    """Order one edge to drop old bodies, at the start and after every takedown."""
    purged: int | None = None
    is_reported = False
    while True:
        # Before the first poll the number is not known.
        takedown = reader.takedown if reader.newest is not None else None
        if takedown == purged:
            await asyncio.sleep(_LOOK_SECONDS)
            continue
        try:
            await asyncio.to_thread(_order, edge, str(takedown))
            await asyncio.sleep(_AGAIN_SECONDS)
            await asyncio.to_thread(_order, edge, str(takedown))
        except (OSError, HTTPException) as error:
            if not is_reported:
                _log.warning("edge cannot be purged, trying again", edge=edge, reason=type(error).__name__)
            is_reported = True
            await asyncio.sleep(_RETRY_SECONDS)
        else:
            purged, is_reported = takedown, False


def _order(edge: str, takedown: str) -> None:
    """Order an edge to drop every body that was not made under this takedown number. Raise if it does not."""
    address = urlsplit(edge)
    connection = HTTPConnection(address.hostname or "", address.port, timeout=_TIMEOUT_SECONDS)
    try:
        connection.request("BAN", "/", headers={TAKEDOWN: takedown})
        if connection.getresponse().status != _CONFIRMED:
            raise HTTPException
    finally:
        connection.close()
