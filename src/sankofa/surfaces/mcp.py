"""MCP over stateless streamable HTTP at `/mcp`. The only module that imports the SDK.

The SDK implements all protocol versions and frames the messages. Answers do not pass through it, because it
would turn exact decimals into binary floats. It gets placeholders, which are replaced by the service's own
encoding when the response is sent.
"""

from __future__ import annotations

import secrets
from contextlib import AbstractAsyncContextManager
from importlib import resources
from typing import Any

import mcp_types as types
from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import Message, Receive, Send

from sankofa.access import ratelimit_fields
from sankofa.metrics.formulas import BY_SLUG
from sankofa.surfaces.tool_calls import Inbound, Outcome, call
from sankofa.surfaces.tools import INSTRUCTIONS, TOOLS
from sankofa.web.edge import API_VERSION
from sankofa.web.pipeline import Service

GUIDE = "sankofa://guide"

# The same for every caller, until the service is updated. Answers of tools have no such hint.
_LISTS: tuple[CacheableMethod, ...] = ("server/discover", "tools/list", "resources/list", "resources/read")
_CACHE_HINTS = dict.fromkeys(_LISTS, CacheHint(ttl_ms=3_600_000, scope="public"))
_READ_ONLY = types.ToolAnnotations(read_only_hint=True)
# The placeholders are random, so that no other text is mistaken for one.
_TEXT, _STRUCTURE = (secrets.token_hex(16) for _ in range(2))
_TEXT_MARK = f'"{_TEXT}"'.encode()
_STRUCTURE_MARK = f'{{"{_STRUCTURE}":true}}'.encode()
_MARKED = types.CallToolResult(content=[types.TextContent(text=_TEXT)], structured_content={_STRUCTURE: True})

_Context = ServerRequestContext[Any, Request]


class Speaker:
    """The MCP server with its tools. One per process; it answers while `running` is entered."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._guide = (
            resources.files(__package__)
            .joinpath("guide.md")
            .read_text(encoding="utf-8")
            .replace("{metrics}", ", ".join(BY_SLUG))
        )
        self._tools = types.ListToolsResult(
            tools=[
                types.Tool(
                    name=tool.name,
                    description=tool.description,
                    input_schema=tool.input_schema(),
                    output_schema=tool.output_schema(),
                    annotations=_READ_ONLY,
                )
                for tool in TOOLS
            ]
        )
        schemas = {tool.name: tool.input_schema for tool in self._tools.tools}
        server: Server[Any] = Server(
            "sankofa",
            version=API_VERSION,
            instructions=INSTRUCTIONS,
            get_tool_input_schema=schemas.get,
            cache_hints=_CACHE_HINTS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_read_resource=self._read_resource,
        )
        server.middleware.clear()  # it only traces, and no trace exporter is configured
        # Host, origin and size were checked before.
        self._manager = StreamableHTTPSessionManager(server, json_response=True, stateless=True)

    def running(self) -> AbstractAsyncContextManager[None]:
        """Answer while this is entered."""
        return self._manager.run()

    async def handle(self, request: Request, receive: Receive, send: Send) -> None:
        """Answer a message of an authenticated caller."""
        await self._manager.handle_request(request.scope, receive, _Writer(request, send).send)

    async def _list_tools(self, _context: _Context, _params: object) -> types.ListToolsResult:
        return self._tools

    async def _call_tool(
        self, context: _Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        state = _request(context).state
        inbound = Inbound(state.request_id, state.origin, state.caller, state)
        outcome = await call(self._service, params.name, params.arguments or {}, inbound)
        state.outcome = outcome
        if outcome.problem is not None:
            return types.CallToolResult(content=[types.TextContent(text=outcome.problem)], is_error=True)
        return _MARKED

    async def _list_resources(self, _context: _Context, _params: object) -> types.ListResourcesResult:
        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    name="guide",
                    uri=GUIDE,
                    description="How to ask what was known on a day, what no rows mean, how to cite.",
                    mime_type="text/markdown",
                )
            ]
        )

    async def _read_resource(
        self, _context: _Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        if str(params.uri) != GUIDE:
            raise MCPError(types.INVALID_PARAMS, "no such resource; resources/list names those there are")
        content = types.TextResourceContents(uri=GUIDE, mime_type="text/markdown", text=self._guide)
        return types.ReadResourceResult(contents=[content])


class _Writer:
    """Sends the SDK's response with the answer in place of the placeholders, and adds our headers."""

    def __init__(self, request: Request, send: Send) -> None:
        self._state = request.state
        self._send = send
        self._start: Message | None = None
        self._body = b""

    async def send(self, message: Message) -> None:
        """Send the start of the response only with the complete body, because its length changes."""
        if message["type"] == "http.response.start":
            self._start = message
            return
        self._body += message.get("body", b"")
        if message.get("more_body") or self._start is None:
            return
        headers = MutableHeaders(scope=self._start)
        headers.setdefault("Cache-Control", "no-store")
        headers.update(ratelimit_fields.fields(self._state.decision))
        outcome: Outcome | None = getattr(self._state, "outcome", None)
        if outcome is not None:
            headers.update(outcome.headers)
            self._body = self._body.replace(_STRUCTURE_MARK, outcome.structure, 1)
            self._body = self._body.replace(_TEXT_MARK, outcome.text, 1)
        headers["Content-Length"] = str(len(self._body))
        await self._send(self._start)
        await self._send({"type": "http.response.body", "body": self._body})


def _request(context: _Context) -> Request:
    if context.request is None:
        raise TypeError("a message came in by no request")
    return context.request
