"""One keyed request: key and limits, parameters and tier, edition, 304 or a body; in that order, always.

No connection is taken from the pool before the parameters are validated, and a rejected request runs no
statement.
"""

from __future__ import annotations

import asyncio
import base64
import gzip
import hmac
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

import msgspec
import structlog
from starlette.requests import Request
from starlette.responses import Response

from sankofa.access import ratelimit_fields
from sankofa.access.caller import Caller
from sankofa.access.gate import Gate
from sankofa.ask.cursor import CursorKeys
from sankofa.ask.endpoint import REPRESENTATION, Endpoint
from sankofa.ask.params import printable
from sankofa.ask.question import Question, answer, prepare
from sankofa.core.deprecation import DEPRECATED, find
from sankofa.core.errors import BadParameter, ServiceError, StoreUnavailable
from sankofa.storage.reading import Reader
from sankofa.web import credentials, deprecation_fields, form_fields, problems
from sankofa.web.cache import Body, BodyCache
from sankofa.web.client_address import client_address
from sankofa.web.formats import FORMATS, JSON
from sankofa.web.negotiation import accepts_gzip, choose

_GZIP_FROM = 1024
_LONG_GZIP_FROM = 128 << 10
_log = structlog.get_logger()
# The handler of an admitted caller; it gets the rate-limit header fields.
Respond = Callable[[Caller, dict[str, str]], Awaitable[Response]]
_VARY = f"{credentials.FIELDS}, Accept, Accept-Encoding"


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """The shared state of all requests; one per process."""

    gate: Gate
    reader: Reader
    cursor_keys: CursorKeys
    cache: BodyCache
    proxies: frozenset[str]


async def respond(service: Service, endpoint: Endpoint, request: Request) -> Response:
    """Answer one request for an endpoint. Errors become problem documents."""

    async def answered(caller: Caller, fields: dict[str, str]) -> Response:
        return await _answered(service, endpoint, request, caller, fields)

    return await admitted(service, endpoint.name, request, answered, is_open=endpoint.is_open)


async def admitted(
    service: Service, name: str, request: Request, respond: Respond, *, is_open: bool = False
) -> Response:
    """Authenticate the caller and apply its limits, then run `respond`. Errors become problem documents."""
    fields: dict[str, str] = {}
    decision = None
    try:
        address = client_address(request, service.proxies)
        is_keyless = is_open and not credentials.keys_of(request)
        caller, decision = await service.gate.admit(credentials.key_of(request), address, is_open=is_keyless)
        fields = ratelimit_fields.fields(decision)
        return await respond(caller, fields)
    except ServiceError as error:
        if decision and isinstance(error, StoreUnavailable):
            await service.gate.refund(decision)
        named = {**fields, **problems.headers(error, request.state.origin)}
        return problem(request, problems.PROBLEMS[type(error)], error, named)
    except Exception:
        _log.exception("fault", endpoint=name, request_id=request.state.request_id)
        return problem(request, problems.FAULT, None, {**fields, "Cache-Control": "no-store"})


def problem(
    request: Request,
    kind: problems.Problem,
    error: ServiceError | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return a problem document as a response."""
    origin = request.state.origin
    body = problems.document(kind, request.state.request_id, error, origin=origin)
    named = headers if headers is not None else problems.headers(error, origin)
    return Response(body, kind.status, named, media_type=problems.MEDIA_TYPE)


async def _answered(
    service: Service, endpoint: Endpoint, request: Request, caller: Caller, fields: dict[str, str]
) -> Response:
    query = query_of(request)
    question = await prepare(
        endpoint,
        request.path_params,
        query,
        tier=caller.tier,
        reader=service.reader,
        keys=service.cursor_keys,
    )
    media_type = choose(joined(request, "accept"), tuple(FORMATS))
    if media_type is None:
        return problem(request, problems.NOT_ACCEPTABLE, None, {**fields, "Cache-Control": "no-store"})
    coding = "gzip" if accepts_gzip(joined(request, "accept-encoding")) else "identity"
    etag = f'"{answer_name(service, question, media_type, coding)}"'
    headers = {
        **fields,
        **_deprecations(endpoint, query),
        "ETag": etag,
        "Cache-Control": "private, no-cache",
        "Vary": _VARY,
        "X-Data-Edition": str(question.page.edition.number),
        "Content-Location": question.permanent_address,
    }
    if_none_match = joined(request, "if-none-match") or ""
    if etag in tags(if_none_match):
        return Response(None, 304, headers)
    body = await made(service, caller, question, etag, lambda: _body(service, question, media_type, coding))
    if if_none_match.strip() == "*":
        return Response(None, 304, headers)
    return Response(body.content, 200, {**headers, **body.headers})


async def made(
    service: Service, caller: Caller, question: Question, key: str, make: Callable[[], Awaitable[Body]]
) -> Body:
    """Return the body of an answer from the cache, or make it when it is the caller's turn."""
    body = service.cache.find(key)
    if body is None:
        async with service.gate.turn(caller, is_large=question.is_large):
            body = await service.cache.get(key, make)
    service.gate.sent(caller, body.rows)
    return body


async def _body(service: Service, question: Question, media_type: str, coding: str) -> Body:
    found = await answer(question, service.reader, service.cursor_keys)
    content = FORMATS[media_type].write(question.endpoint, found)
    headers = {"Content-Type": FORMATS[media_type].content_type}
    if media_type != JSON:
        headers |= form_fields.fields(question, found)
    if coding == "gzip" and len(content) > _GZIP_FROM:
        content = await _compressed(content)
        headers["Content-Encoding"] = "gzip"
    return Body(content, headers, len(found.rows) * question.endpoint.weight)


async def _compressed(content: bytes) -> bytes:
    """Return the content as gzip; large content in a thread, so that other answers are not delayed."""
    if len(content) < _LONG_GZIP_FROM:
        return gzip.compress(content, compresslevel=5, mtime=0)
    return await asyncio.to_thread(gzip.compress, content, compresslevel=5, mtime=0)


def answer_name(service: Service, question: Question, form: str, coding: str) -> str:
    """Return the cache key and ETag of an answer: a keyed hash of everything that determines its bytes."""
    edition = question.page.edition
    named = (edition.mark, service.reader.takedown, question.identity, form, coding, REPRESENTATION)
    digest = hmac.digest(service.cursor_keys.current[1], msgspec.json.encode(named), "sha256")
    return base64.urlsafe_b64encode(digest[:18]).decode()


def tags(field: str) -> set[str]:
    """Return the entity tags that an `If-None-Match` names, compared weakly."""
    return {tag.strip().removeprefix("W/") for tag in field.split(",")}


def joined(request: Request, name: str) -> str | None:
    """Return all lines of a header field joined by commas; None if it was not sent."""
    values = request.headers.getlist(name)
    return ", ".join(values) if values else None


def query_of(request: Request) -> list[tuple[str, str]]:
    """Return the names and values of the query in the order sent. One `&` at the end is allowed."""
    raw: bytes = request.scope["query_string"].removesuffix(b"&")
    return [_pair(field) for field in raw.split(b"&")] if raw else []


def _pair(field: bytes) -> tuple[str, str]:
    """Return a name and its value, decoded. Raise BadParameter with the name if that fails."""
    name, equals, value = (unquote_to_bytes(part.replace(b"+", b" ")) for part in field.partition(b"="))
    if equals and field.isascii():
        with suppress(UnicodeDecodeError):
            return name.decode(), value.decode()
    named = printable(name.decode("ascii", "replace")) if name else "query"
    raise BadParameter(named, "expected name=value in percent-encoded UTF-8")


def _deprecations(endpoint: Endpoint, query: list[tuple[str, str]]) -> dict[str, str]:
    """Return the deprecation fields of this response; empty while nothing is deprecated."""
    carried = [find(DEPRECATED, "route", endpoint.path)]
    carried += [find(DEPRECATED, "parameter", f"{endpoint.name}.{name}") for name, _ in query]
    return deprecation_fields.fields([entry for entry in carried if entry])
