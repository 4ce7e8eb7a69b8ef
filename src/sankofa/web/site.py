"""The website: prebuilt files, each at its own path, with a strict content security policy.

Paths are looked up in a table made at the start, so that no request path is ever used as a file name. A page
may load only from this origin; its inline scripts and styles are allowed by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
import mimetypes
import re
from collections.abc import Callable
from functools import partial
from html import escape
from pathlib import Path

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from sankofa.web import fixed
from sankofa.web.fixed import Fixed, Handler
from sankofa.web.formats import JSON
from sankofa.web.negotiation import choose
from sankofa.web.pipeline import joined

_INLINE = re.compile(rb"<(script|style)(?P<attributes>[^>]*)>(?P<content>.*?)</\1>", re.DOTALL)
# Build tools put a hash of the content into these names, so a changed file has another name.
_HASHED = re.compile(r"[-.][0-9A-Za-z_-]{8,}\.(?:js|css|woff2|svg|png)")
_FOREVER = "public, max-age=31536000, immutable"
_SANDBOX_KEY = b'<meta name="sandbox-key" content="">'
_MISSING = "docs/404.html"
_HTML = "text/html"
_TYPES = {".js": "text/javascript", ".txt": "text/plain", ".map": "application/json", ".md": "text/markdown"}


def pages(folder: Path, *, sandbox_key: str = "") -> dict[str, Handler]:
    """Return the handler of each path: of every file under the folder, an index at its folder's path."""
    found: dict[str, Handler] = {}
    for file in sorted(folder.rglob("*")):
        if not file.is_file() or file == folder / _MISSING:
            continue
        path = "/" + file.relative_to(folder).as_posix()
        if file.name == "index.html":
            path = path.removesuffix("index.html")
            if path != "/":
                found[path.removesuffix("/")] = _slash(path)
        found[path] = fixed.handler(partial(_page, file, sandbox_key))
    return found


def missing(folder: Path) -> Callable[[Request], Response | None]:
    """Return the responder to unknown paths: a page if a caller under `/docs/` prefers HTML, else None."""
    file = folder / _MISSING
    page = _page(file, "") if file.is_file() else None

    def respond(request: Request) -> Response | None:
        if page is None or not request.url.path.startswith("/docs/"):
            return None
        if choose(joined(request, "accept"), (JSON, _HTML)) != _HTML:
            return None
        headers = {**page.headers, "Cache-Control": "no-store", "Vary": "Accept"}
        return Response(page.content, 404, headers, media_type=page.media_type)

    return respond


def _slash(path: str) -> Handler:
    """Redirect to the path with a trailing slash, because links within a page are relative to it."""

    async def respond(request: Request) -> RedirectResponse:
        query = request.url.query
        return RedirectResponse(f"{path}?{query}" if query else path, 308, {"Cache-Control": fixed.SHORTLY})

    return respond


def _page(file: Path, sandbox_key: str) -> Fixed:
    content = file.read_bytes()
    media_type = _TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    headers = {}
    if media_type == _HTML:
        filled = _SANDBOX_KEY.replace(b'""', f'"{escape(sandbox_key)}"'.encode())
        content = content.replace(_SANDBOX_KEY, filled)
        headers["Content-Security-Policy"] = _policy(content)
    if _HASHED.search(file.name):
        return Fixed(content=content, media_type=media_type, headers=headers, cache_control=_FOREVER)
    return Fixed(content=content, media_type=media_type, headers=headers)


def _policy(page: bytes) -> str:
    """Return the content security policy of a page: this origin and the hashes of its inline parts."""
    allowed: dict[bytes, list[str]] = {b"script": [], b"style": []}
    for inline in _INLINE.finditer(page):
        if b"src=" not in inline["attributes"]:
            digest = base64.b64encode(hashlib.sha256(inline["content"]).digest()).decode()
            allowed[inline[1]].append(f" 'sha256-{digest}'")
    return (
        f"default-src 'none'; script-src 'self'{''.join(allowed[b'script'])}; "
        f"style-src 'self'{''.join(allowed[b'style'])}; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
