"""The status of the service: a real read from each store, at most one probe a second."""

from __future__ import annotations

import asyncio
import time
from typing import Any, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from sankofa.access.gate import Gate, health
from sankofa.storage.reading import Reader

_FRESH_SECONDS = 1.0


class _Looked(NamedTuple):
    """The status document, and the components without which this process cannot answer."""

    document: dict[str, Any]
    failing: list[str]


class Status:
    """The probe and its last result."""

    def __init__(self, gate: Gate, reader: Reader, *, build: str, version: str) -> None:
        self._gate = gate
        self._reader = reader
        self._about = {"build": build, "version": version}
        self._probed_at = 0.0
        self._probe: asyncio.Task[_Looked] | None = None

    async def respond(self, _request: Request) -> Response:
        """Return the status document; 503 with the names of the failed stores."""
        body = (await self._looked()).document
        status = 503 if body["degraded"] else 200
        headers = {"Cache-Control": "no-store"} | ({"Retry-After": "2"} if body["degraded"] else {})
        return Response(msgspec.json.encode(body), status, headers, media_type="application/json")

    async def failing(self) -> list[str]:
        """Return the components without which this process cannot answer.

        The usage store is not one of them: without it, limits apply by process. Before the first edition
        there is nothing to answer with.
        """
        document, failing = await self._looked()
        return failing or ([] if document["edition"] else ["edition"])

    async def _looked(self) -> _Looked:
        """Return the status of all stores; callers at the same time share one probe a second."""
        now = time.monotonic()
        if self._probe is None or (self._probe.done() and now - self._probed_at > _FRESH_SECONDS):
            self._probed_at = now
            self._probe = asyncio.create_task(self._look())
        return await asyncio.shield(self._probe)

    async def _look(self) -> _Looked:
        stores, datastore = await asyncio.gather(self._gate.probe(), health(self._reader.probe()))
        checks = {"datastore": datastore, **stores}
        degraded = [name for name, one in checks.items() if not one.ok]
        document = {
            "status": "degraded" if degraded else "ok",
            **self._about,
            "edition": self._reader.newest if datastore.ok else None,
            "checks": {name: {"ok": one.ok, "latency_ms": one.latency_ms} for name, one in checks.items()},
            "degraded": degraded,
        }
        return _Looked(document, [name for name, one in checks.items() if one.stops])
