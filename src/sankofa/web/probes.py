"""The two probes of a load balancer: `/health` (the process runs) and `/ready` (it can answer now)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from sankofa.web.status import Status

Handler = Callable[[Request], Awaitable[Response]]


def health(is_stopping: Callable[[], bool]) -> Handler:
    """Return the handler of `/health`. It calls no store: a restart would not bring a store back."""

    async def handle(_request: Request) -> Response:
        return _answer({"status": "stopping"}, 503) if is_stopping() else _answer({"status": "ok"})

    return handle


def ready(is_stopping: Callable[[], bool], status: Status) -> Handler:
    """Return the handler of `/ready`. It names the components without which requests fail."""

    async def handle(_request: Request) -> Response:
        if is_stopping():
            return _answer({"status": "stopping", "failing": []}, 503)
        failing = await status.failing()
        if failing:
            return _answer({"status": "not_ready", "failing": failing}, 503)
        return _answer({"status": "ready", "failing": []})

    return handle


def _answer(body: dict[str, object], status: int = 200) -> Response:
    headers = {"Cache-Control": "no-store"}
    return Response(msgspec.json.encode(body), status, headers, media_type="application/json")
