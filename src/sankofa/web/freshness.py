"""The current freshness of each source: outside editions, without a key, at most one read a second."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sankofa.core.errors import StoreUnavailable
from sankofa.web.pipeline import problem
from sankofa.web.problems import PROBLEMS

PATH = "/v1/freshness"
_FRESH_SECONDS = 1.0
_MOMENT = {"type": ["string", "null"], "format": "date-time"}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "How fresh each source is, compared with the clock at most a second ago.",
    "properties": {
        "checked_at": {"type": "string", "format": "date-time", "description": "When it was compared."},
        "stale": {"type": "array", "items": {"type": "string"}, "description": "The sources that are stale."},
        "sources": {
            "type": "array",
            "description": "The sources that are fetched and served, by name.",
            "items": {
                "type": "object",
                "properties": {
                    "source": {"type": "string", "description": "Its name, as in the catalogue."},
                    "state": {
                        "type": "string",
                        "enum": ["fresh", "stale", "new", "frozen", "on_request"],
                        "description": "stale: two moments passed at which it was due, without success. "
                        "frozen: its publisher adds nothing any more. on_request: no moment is declared.",
                    },
                    "last_good_at": {**_MOMENT, "description": "When it last brought what is expected."},
                    "next_due_at": {**_MOMENT, "description": "When it is asked next; null: no moment."},
                    "stale_at": {**_MOMENT, "description": "From when on it is stale; null: never."},
                },
                "required": ["source", "state", "last_good_at", "next_due_at", "stale_at"],
            },
        },
    },
    "required": ["checked_at", "stale", "sources"],
}

Read = Callable[[], Awaitable[dict[str, Any]]]


class Freshness:
    """The last comparison with the clock."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._began_at = 0.0
        self._reading: asyncio.Task[bytes] | None = None

    def route(self) -> Route:
        """Return the route. It bypasses the endpoint pipeline, which is pinned to editions."""
        return Route(PATH, self._respond, methods=["GET"], name="freshness")

    async def _respond(self, request: Request) -> Response:
        now = time.monotonic()
        if self._reading is None or (self._reading.done() and now - self._began_at > _FRESH_SECONDS):
            self._began_at = now
            self._reading = asyncio.create_task(self._look())
        try:
            body = await asyncio.shield(self._reading)
        except StoreUnavailable as error:
            return problem(request, PROBLEMS[StoreUnavailable], error)
        return Response(body, 200, {"Cache-Control": "no-store"}, media_type="application/json")

    async def _look(self) -> bytes:
        return msgspec.json.encode(await self._read())
