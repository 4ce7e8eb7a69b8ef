"""The checks in front of `/mcp`: method, key, limits, size and shape of a message.

Every message counts as one request, and it is counted before its body is read: the minute limit bounds how
many bodies a key can send slowly, and a message above the limit costs no more than a request above it.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from sankofa.access import ratelimit_fields
from sankofa.core.errors import ServiceError
from sankofa.web import problems
from sankofa.web.body import body_of
from sankofa.web.client_address import client_address
from sankofa.web.credentials import key_of
from sankofa.web.edge import MCP_ALLOWED, MCP_PATH
from sankofa.web.pipeline import Service, problem

if TYPE_CHECKING:
    from sankofa.surfaces.mcp import Speaker

# A body sent together with the head is already available.
_REFUSED_BODY_SECONDS = 1
DEEPEST = 16


class Door:
    """Passes valid messages to the MCP server. One per process; it answers while `running` is entered.

    It is started with the first message: to load the SDK takes as long as the rest of a worker's start.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._speaker: asyncio.Future[Speaker] | None = None
        self._tasks = asyncio.TaskGroup()
        self._stopping = asyncio.Event()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Answer messages while this is entered."""
        async with self._tasks:
            yield
            self._stopping.set()

    async def _serve(self, speaker: asyncio.Future[Speaker]) -> None:
        """Run the MCP server. The SDK is loaded in a thread: other requests are answered meanwhile."""
        try:
            mcp = await asyncio.to_thread(importlib.import_module, "sankofa.surfaces.mcp")
            loaded: Speaker = mcp.Speaker(self._service)
        except Exception as error:  # the messages that wait get it, and the next one tries again
            self._speaker = None
            speaker.set_exception(error)
            return
        async with loaded.running():
            speaker.set_result(loaded)
            await self._stopping.wait()

    async def _running_speaker(self) -> Speaker:
        if self._speaker is None:
            self._speaker = asyncio.get_running_loop().create_future()
            self._tasks.create_task(self._serve(self._speaker))
        return await asyncio.shield(self._speaker)

    def route(self) -> Route:
        """Return the route for all methods; those other than POST are rejected here."""
        return Route(MCP_PATH, self, name="mcp")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check method, key, limits and message, then pass the message to the MCP server."""
        request = Request(scope, receive)
        admitted = await self._admitted(request)
        if isinstance(admitted, Response):
            await admitted(scope, receive, send)
            return
        whole: list[Message] = [{"type": "http.request", "body": admitted, "more_body": False}]

        async def again() -> Message:
            return whole.pop() if whole else await receive()

        speaker = await self._running_speaker()
        await speaker.handle(request, again, send)

    async def _admitted(self, request: Request) -> bytes | Response:
        """Return the message of a caller within its limits, or the error response."""
        if request.method != "POST":
            headers = {"Allow": MCP_ALLOWED, "Cache-Control": "no-store"}
            return problem(request, problems.WRONG_METHOD, None, headers)
        try:
            address = client_address(request, self._service.proxies)
            caller, decision = await self._service.gate.admit(key_of(request), address)
        except ServiceError as error:
            # A caller that still sends while the connection is closed gets no answer.
            await body_of(request, problems.UNREADABLE_MESSAGE, _REFUSED_BODY_SECONDS)
            return problem(request, problems.PROBLEMS[type(error)], error)
        request.state.caller, request.state.decision = caller, decision
        body = await body_of(request, problems.UNREADABLE_MESSAGE)
        if isinstance(body, bytes) and is_readable(body):
            return body
        fault = problems.UNREADABLE_MESSAGE if isinstance(body, bytes) else body
        return problem(request, fault, None, {**problems.headers(None), **ratelimit_fields.fields(decision)})


class _Message(msgspec.Struct):
    """A valid message: one request or notification, and no batch."""

    jsonrpc: Annotated[str, msgspec.Meta(pattern=r"^2\.0\Z")]
    method: Annotated[str, msgspec.Meta(max_length=128)]
    id: Annotated[str, msgspec.Meta(max_length=256)] | int | msgspec.UnsetType = msgspec.UNSET
    params: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET


_MESSAGE = msgspec.json.Decoder(_Message)


def is_readable(body: bytes | bytearray) -> bool:
    """Return whether a body is one message in strict JSON of limited depth."""
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
