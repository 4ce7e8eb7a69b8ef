"""The outermost layer: host, origin, size, method, request id and the headers of every response."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sankofa.access import keys
from sankofa.access.caller import Caller
from sankofa.web import problems
from sankofa.web.client_address import Proxies, public_origin
from sankofa.web.credentials import FIELDS
from sankofa.web.pipeline import problem
from sankofa.web.telemetry import CALLER_LEFT, EDGE_FETCH, NO_ROUTE, Handled, Observe, is_charged

API_VERSION = "1.0.0"
ALLOWED = "GET, HEAD, OPTIONS"
MCP_PATH = "/mcp"
MCP_ALLOWED = "POST, OPTIONS"
# A load balancer may send these to an address instead of a host name.
_PROBES = ("/health", "/ready")
_NO_PROXIES = Proxies()
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
LONGEST_URL = 4 << 10
LARGEST_HEADERS = 16 << 10
_EXPOSED = (
    "X-Service-API-Version, X-Request-Id, X-Data-Edition, Content-Location, ETag, RateLimit, "
    "RateLimit-Policy, Retry-After, X-Upgrade-URL, X-Answer, X-Count, X-Truncated, Link, Deprecation, "
    "Sunset"
)
_ALWAYS = {
    "X-Service-API-Version": API_VERSION,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",  # no other page may embed an answer; CORS is not affected
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": _EXPOSED,
}
_ALWAYS_SENT = [(name.lower().encode(), value.encode()) for name, value in _ALWAYS.items()]
_SECURE_FOR_A_YEAR = b"max-age=31536000"
_DEFAULT_POLICY = "default-src 'none'; frame-ancestors 'none'"
_PREFLIGHT = {
    "Access-Control-Allow-Methods": ALLOWED,
    "Access-Control-Allow-Headers": f"{FIELDS}, X-Request-Id, Accept, If-None-Match",
    "Access-Control-Max-Age": "86400",
    "Allow": ALLOWED,
}
_MCP_PREFLIGHT = {
    **_PREFLIGHT,
    "Access-Control-Allow-Methods": MCP_ALLOWED,
    "Access-Control-Allow-Headers": (
        f"{FIELDS}, X-Request-Id, Accept, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name"
    ),
    "Allow": MCP_ALLOWED,
}
_log = structlog.get_logger()


class Edge:
    """The outermost layer of the application (plain ASGI)."""

    def __init__(
        self,
        app: ASGIApp,
        hosts: frozenset[str],
        origins: frozenset[str] = frozenset(),
        proxies: Proxies = _NO_PROXIES,
        *,
        is_ending: Callable[[], bool] = lambda: False,
        observe: Observe | None = None,
        names: Mapping[Any, str] = MappingProxyType({}),
    ) -> None:
        self._app = app
        self._hosts = hosts
        self._origins = origins
        self._proxies = proxies
        self._is_ending = is_ending
        self._observe = observe
        self._names = names  # of routes, by their handlers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the checks that need no key, then the application. Every response gets our headers."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        sent = headers.get("x-request-id", "")
        # The id is logged, so a key that is sent as one is not accepted.
        is_usable = _REQUEST_ID.fullmatch(sent) and not keys.is_well_formed(sent)
        request_id = sent if is_usable else secrets.token_hex(12)
        scope.setdefault("state", {})["request_id"] = request_id
        began, status, octets = time.perf_counter(), 0, 0

        async def decorated(message: Message) -> None:
            nonlocal status, octets
            octets += len(message.get("body", b""))
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], *_ALWAYS_SENT, *self._headers(scope)]
                MutableHeaders(scope=message).setdefault("Content-Security-Policy", _DEFAULT_POLICY)
            await send(message)

        request = Request(scope)
        host = headers.get("host", "") if _host(headers) in self._hosts else ""
        scope["state"]["origin"] = public_origin(request, host.lower(), self._proxies) if host else ""
        try:
            respond = self._refusal(request, headers) or self._app
            await respond(scope, receive, decorated)
        except Exception:
            _log.exception("fault", path=scope["path"], request_id=request_id)
            if status:
                raise
            await problem(request, problems.FAULT)(scope, receive, decorated)
        finally:
            if self._observe:
                seconds = time.perf_counter() - began
                self._observe(self._handled(scope, status or CALLER_LEFT, octets, seconds))

    def _handled(self, scope: Scope, status: int, octets: int, seconds: float) -> Handled:
        """Return the record of a request. The route's handlers leave in `state` what they found out."""
        state = scope["state"]
        caller: Caller | None = state.get("caller")
        return Handled(
            time=datetime.now(UTC),
            request_id=state["request_id"],
            endpoint=state.get("endpoint") or self._names.get(scope.get("endpoint"), NO_ROUTE),
            status=status,
            ms=round(seconds * 1_000, 3),
            bytes=octets,
            tier=caller.tier.name if caller else None,
            key=caller.key_id if caller else None,
            cache=state.get("cache"),
            edition=state.get("edition"),
            degraded="decision" in state and state["decision"].degraded,
            unavailable=state.get("unavailable"),
            charged=caller is not None
            and keys.is_key_id(caller.key_id)
            and is_charged(status)
            and state.get("endpoint") != EDGE_FETCH
            and "is_given_back" not in state,
        )

    def _headers(self, scope: Scope) -> Iterator[tuple[bytes, bytes]]:
        """Yield the headers that depend on the request or on the state of the process."""
        state = scope["state"]
        yield b"x-request-id", state["request_id"].encode()
        if state["origin"].startswith("https:"):  # over plain HTTP the field is forbidden
            yield b"strict-transport-security", _SECURE_FOR_A_YEAR
        if self._is_ending():
            yield b"connection", b"close"  # the next request goes to another process

    def _refusal(self, request: Request, headers: Headers) -> ASGIApp | None:
        """Return the response to a rejected or preflight request, or None."""
        scope = request.scope
        if scope["path"] not in _PROBES and _host(headers) not in self._hosts:
            return problem(request, problems.UNLISTED_HOST)
        is_mcp = scope["path"] == MCP_PATH
        # Any page may call REST. MCP requires that unlisted origins are rejected: a page that
        # was rebound to our address would speak for whoever looks at it.
        if is_mcp and not self._origins.issuperset(headers.getlist("origin")):
            return problem(request, problems.FOREIGN_ORIGIN)
        if fault := _fault(scope, headers):
            return problem(request, fault)
        if scope["method"] == "OPTIONS":
            return Response(None, 204, _MCP_PREFLIGHT if is_mcp else _PREFLIGHT)
        return None


def _fault(scope: Scope, headers: Headers) -> problems.Problem | None:
    """Return the problem with the address or the size of a request, or None."""
    raw_path: bytes = scope["raw_path"] or b""
    if len(raw_path) + len(scope["query_string"]) > LONGEST_URL:
        return problems.URL_TOO_LONG
    if sum(len(name) + len(value) for name, value in headers.raw) > LARGEST_HEADERS:
        return problems.HEADERS_TOO_LARGE
    # The router sees the decoded path, in which an encoded slash would look like a separator.
    return problems.UNKNOWN_PATH if b"%2f" in raw_path.lower() else None


def _host(headers: Headers) -> str:
    """Return the requested host without its port; several `Host` fields match no host."""
    host = ",".join(headers.getlist("host")).lower()
    return host.rpartition(":")[0] if re.search(r":\d+$", host) else host
