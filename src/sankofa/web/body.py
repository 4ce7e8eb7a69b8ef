"""The body of a request, read within a size and a time."""

from __future__ import annotations

import asyncio

from starlette.requests import ClientDisconnect, Request

from sankofa.web.problems import BODY_TOO_LARGE, BODY_TOO_SLOW, Problem

LARGEST_BODY = 64 << 10
BODY_SECONDS = 5


async def body_of(request: Request, unreadable: Problem, seconds: float = BODY_SECONDS) -> bytes | Problem:
    """Return the body, or the problem with it; `unreadable` is that of a body that breaks off."""
    body = bytearray()
    try:
        async with asyncio.timeout(seconds):
            async for chunk in request.stream():
                body += chunk
                if len(body) > LARGEST_BODY:
                    return BODY_TOO_LARGE
    except TimeoutError:
        return BODY_TOO_SLOW
    except ClientDisconnect:  # also what the server reports of a body in broken chunks
        return unreadable
    return bytes(body)
