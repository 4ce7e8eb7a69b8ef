"""Responses that never change while a process runs: built on first use, in both codings, with an ETag."""

from __future__ import annotations

import base64
import gzip
import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import cache

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sankofa.web.negotiation import accepts_gzip
from sankofa.web.pipeline import joined, tags

SHORTLY = "public, max-age=300"
Handler = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixed:
    """A constant body and its header fields."""

    content: bytes
    media_type: str
    headers: dict[str, str] = field(default_factory=dict)
    cache_control: str = SHORTLY


def route(path: str, made: Callable[[], Fixed], name: str) -> Route:
    """Return the route that serves it."""
    return Route(path, handler(made), methods=["GET"], name=name)


def handler(made: Callable[[], Fixed]) -> Handler:
    """Return what serves it. The body is built on first use, since most are never requested."""

    @cache
    def coded(*, zipped: bool) -> tuple[bytes, dict[str, str], str]:
        fixed = made()
        body = gzip.compress(fixed.content, mtime=0) if zipped else fixed.content
        digest = base64.urlsafe_b64encode(hashlib.sha256(body).digest()[:18]).decode()
        headers = {
            "Cache-Control": fixed.cache_control,
            "Vary": "Accept-Encoding",
            "ETag": f'"{digest}"',
            **fixed.headers,
        }
        return body, headers, fixed.media_type

    async def respond(request: Request) -> Response:
        zipped = accepts_gzip(joined(request, "accept-encoding"))
        body, headers, media_type = coded(zipped=zipped)
        if {headers["ETag"], "*"} & tags(joined(request, "if-none-match") or ""):
            return Response(None, 304, headers)
        coding = {"Content-Encoding": "gzip"} if zipped else {}
        return Response(body, 200, {**headers, **coding}, media_type=media_type)

    return respond
