"""The door of `/mcp`: method, key, size and shape of a message, before anything speaks the protocol.

The SDK takes over a second of processor time and 60 MB to load. It is loaded beside the requests, when the
first message comes: whoever only asks over REST neither waits for it nor pays for it.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, Self

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from sankofa.core.errors import ServiceError
from sankofa.web import problems
from sankofa.web.client_address import client_address
from sankofa.web.edge import MCP_ALLOWED, MCP_PATH
from sankofa.web.pipeline import Service, problem

if TYPE_CHECKING:
    from sankofa.surfaces.mcp import Speaker

LARGEST_BODY = 64 << 10
DEEPEST = 16


class Door:
    """Lets messages in. One per process; what speaks the protocol lives until it is left."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._speaker: asyncio.Future[Speaker] | None = None
        self._speaking: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._closing.set()
        if self._speaking:
            await self._speaking

    def route(self) -> Route:
        """Return the route; it takes every method, and says itself which there are."""
        return Route(MCP_PATH, self)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check method, key and message, then let the protocol be spoken."""
        request = Request(scope, receive)
        admitted = await self._admitted(request)
        if isinstance(admitted, Response):
            await admitted(scope, receive, send)
            return
        whole: list[Message] = [{"type": "http.request", "body": admitted, "more_body": False}]

        async def again() -> Message:
            return whole.pop() if whole else await receive()

        speaker = await self._found()
        await speaker.handle(request, again, send)

    async def _admitted(self, request: Request) -> bytes | Response:
        """Return the message of somebody we know, or what is wrong with the request."""
        if request.method != "POST":
            headers = {"Allow": MCP_ALLOWED, "Cache-Control": "no-store"}
            return problem(request, problems.WRONG_METHOD, None, headers)
        body = await _body(request)
        try:
            address = client_address(request, self._service.proxies)
            key = request.headers.get("x-api-key")
            request.state.caller = await self._service.gate.recognise(key, address)
        except ServiceError as error:
            return problem(request, problems.PROBLEMS[type(error)], error)
        if body is None:
            return problem(request, problems.BODY_TOO_LARGE)
        return body if is_readable(body) else problem(request, problems.UNREADABLE_MESSAGE)

    async def _found(self) -> Speaker:
        if self._speaker is None:
            self._speaker = asyncio.get_running_loop().create_future()
            # A task of its own: it outlives the request that came first.
            self._speaking = asyncio.create_task(self._speak(self._speaker))
        return await asyncio.shield(self._speaker)

    async def _speak(self, found: asyncio.Future[Speaker]) -> None:
        try:
            module = await asyncio.to_thread(importlib.import_module, "sankofa.surfaces.mcp")
            speaker: Speaker = module.Speaker(self._service)
            async with speaker.running():
                found.set_result(speaker)
                await self._closing.wait()
        except Exception as error:
            if found.done():
                raise
            found.set_exception(error)
            self._speaker = None  # the next message tries again


async def _body(request: Request) -> bytes | None:
    """Return the body, or None if it is too large.

    It is read before anybody is refused: who still sends while the connection is closed sees a broken one,
    and not why.
    """
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_BODY:
            return None
    return bytes(body)


class _Message(msgspec.Struct):
    """What a message must be: one request or notification, and no batch."""

    jsonrpc: Annotated[str, msgspec.Meta(pattern=r"^2\.0\Z")]
    method: Annotated[str, msgspec.Meta(max_length=128)]
    id: Annotated[str, msgspec.Meta(max_length=256)] | int | msgspec.UnsetType = msgspec.UNSET
    params: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET


_MESSAGE = msgspec.json.Decoder(_Message)


def is_readable(body: bytes | bytearray) -> bool:
    """Tell whether a body is one message in strict JSON that is nested no deeper than any of ours."""
    try:
        message = _MESSAGE.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    level: list[Any] = [message.params]
    for _ in range(DEEPEST):
        level = [inner for one in level for inner in _inside(one)]
        if not level:
            return True
    return False


def _inside(value: object) -> Iterable[Any]:
    match value:
        case dict():
            return value.values()
        case list():
            return value
        case _:
            return ()
