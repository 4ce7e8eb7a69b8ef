"""One keyed request: key and limits, parameters and tier, edition, 304 or a body; in that order, always.

No connection is taken from the pool before the parameters are validated, and a rejected request runs no
statement.
"""

from __future__ import annotations

import asyncio
import base64
import functools
import gzip
import hmac
import importlib
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

import msgspec
import structlog
from starlette.datastructures import State
from starlette.requests import Request
from starlette.responses import Response

from sankofa.access import ratelimit_fields
from sankofa.access.caller import Caller
from sankofa.access.decision import Decision
from sankofa.access.gate import Gate
from sankofa.access.tiers import Tier
from sankofa.access.turns import IsAtHand, at_hand
from sankofa.ask.cursor import CursorKeys
from sankofa.ask.endpoint import REPRESENTATION, Endpoint
from sankofa.ask.params import printable
from sankofa.ask.question import Question, answer, prepare
from sankofa.core.deprecation import DEPRECATED, find
from sankofa.core.errors import BadParameter, NotAcceptable, ServiceError, StoreUnavailable, Unauthorised
from sankofa.storage.reading import Reader
from sankofa.web import credentials, deprecation_fields, edge_cache, form_fields, problems
from sankofa.web.cache import Body, BodyCache
from sankofa.web.client_address import Proxies, client_address
from sankofa.web.edge_cache import EdgeCache, Ticket
from sankofa.web.formats import FORMATS, JSON
from sankofa.web.memo import Key as Sent
from sankofa.web.memo import Memo, Prepared
from sankofa.web.negotiation import accepts_gzip, choose
from sankofa.web.telemetry import EDGE_FETCH, is_charged

_GZIP_FROM = 1024
_LONG_GZIP_FROM = 8 << 10  # shorter content takes less time than a thread
_IDENTITY, _GZIP = "identity", "gzip"
_NEGOTIATED = ("accept", "accept-encoding")
_log = structlog.get_logger()
# The handler of an admitted caller; it gets the rate-limit header fields.
Respond = Callable[[Caller, dict[str, str]], Awaitable[Response]]
VARY = f"{credentials.FIELDS}, Accept, Accept-Encoding"


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """The shared state of all requests; one per process."""

    gate: Gate
    reader: Reader
    cursor_keys: CursorKeys
    cache: BodyCache
    memo: Memo
    proxies: Proxies
    edge_cache: EdgeCache


async def respond(service: Service, endpoint: Endpoint, request: Request) -> Response:
    """Answer one request for an endpoint. Errors become problem documents."""
    ticket = service.edge_cache.ticket_of(request)

    async def answered(caller: Caller, fields: dict[str, str]) -> Response:
        if ticket:
            return await _fetched_by_edge(service, endpoint, request, ticket)
        return await _answered(service, endpoint, request, caller, fields)

    def is_at_hand(caller: Caller) -> bool:
        # What the client or the edge may have already is answered without a turn; only then is that known.
        if "if-none-match" in request.headers or service.edge_cache.is_asking(request):
            return True
        prepared = service.memo.find(_sent(endpoint, request, caller.tier))
        return prepared is not None and prepared.name in service.cache

    return await admitted(
        service,
        endpoint.name,
        request,
        answered,
        is_open=endpoint.is_open,
        is_at_hand=is_at_hand,
        ticket=ticket,
    )


async def admitted(
    service: Service,
    name: str,
    request: Request,
    respond: Respond,
    *,
    is_open: bool = False,
    is_at_hand: IsAtHand = at_hand,
    ticket: Ticket | None = None,
) -> Response:
    """Authenticate the caller and apply its limits, then run `respond`. Errors become problem documents.

    A request with a ticket of the edge was admitted and counted before.
    """
    fields: dict[str, str] = {}
    try:
        if ticket:
            caller, decision = ticket.caller, Decision(receipt=ticket.receipt)
            request.state.endpoint = EDGE_FETCH
        else:
            address = client_address(request, service.proxies)
            is_keyless = is_open and not credentials.keys_of(request)
            key = credentials.key_of(request)
            caller, decision = await service.gate.admit(
                key, address, is_open=is_keyless, is_at_hand=is_at_hand
            )
        request.state.caller, request.state.decision = caller, decision
        fields = ratelimit_fields.fields(decision)
        return await respond(caller, fields)
    except ServiceError as error:
        kind = problems.PROBLEMS[type(error)]
        if not is_charged(kind.status):
            await give_back(service, request.state)
        named = {**fields, **problems.headers(error, request.state.origin)}
        return problem(request, kind, error, named)
    except Exception:
        _log.exception("fault", endpoint=name, request_id=request.state.request_id)
        await give_back(service, request.state)
        return problem(request, problems.FAULT, None, {**fields, "Cache-Control": "no-store"})


async def give_back(service: Service, state: State) -> None:
    """Subtract a request from the month's count and the usage, if it was admitted."""
    if hasattr(state, "decision"):
        state.is_given_back = True
        await service.gate.refund(state.decision)


def problem(
    request: Request,
    kind: problems.Problem,
    error: ServiceError | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return a problem document as a response."""
    origin = request.state.origin
    if isinstance(error, StoreUnavailable):
        request.state.unavailable = str(error)
    body = problems.document(kind, request.state.request_id, error, origin=origin)
    named = headers if headers is not None else problems.headers(error, origin)
    return Response(body, kind.status, named, media_type=problems.MEDIA_TYPE)


async def _answered(
    service: Service, endpoint: Endpoint, request: Request, caller: Caller, fields: dict[str, str]
) -> Response:
    sent, prepared = await _named(service, endpoint, request, caller.tier)
    headers = {**fields, **prepared.headers}
    if_none_match = joined(request, "if-none-match") or ""
    if if_none_match and prepared.name in tags(if_none_match):
        request.state.cache = "not_modified"
        return Response(None, 304, headers)
    is_of_edge = service.edge_cache.is_asking(request)
    if (
        is_of_edge
        and if_none_match.strip() != "*"
        and (lead := await _lead(service, request, sent, prepared))
    ):
        return Response(None, 200, {**fields, **lead})
    request.state.cache = "hit" if prepared.name in service.cache else "miss"
    body = await made(service, caller, prepared)
    service.gate.sent(caller, body.rows)
    if is_of_edge:
        await service.gate.answer_rows.note(prepared.name, body.rows)
    if if_none_match.strip() == "*":
        return Response(None, 304, headers)
    return Response(body.content, 200, {**headers, **body.headers})


async def _lead(service: Service, request: Request, sent: Sent, prepared: Prepared) -> dict[str, str] | None:
    """Return the fields that lead nginx to the body of an answer at the edge; None if it is sent from here.

    The first request for an answer gets it from here: the rows count towards the caller's limit and are not
    known before, and many answers are requested once. Deprecation fields depend on the request's spelling.
    """
    caller, decision = request.state.caller, request.state.decision
    if decision.degraded or "Deprecation" in prepared.headers:
        return None
    rows = await service.gate.answer_rows.find(prepared.name)
    if rows is None:
        return None
    service.gate.sent(caller, rows)
    request.state.cache = "edge"
    # The body comes with its own fields, except for this one, which is spelled as the request was.
    address = {"Content-Location": prepared.headers["Content-Location"]}
    return address | service.edge_cache.headers(prepared.name, sent, caller, decision.receipt)


async def _fetched_by_edge(
    service: Service, endpoint: Endpoint, request: Request, ticket: Ticket
) -> Response:
    """Send the body of an answer to the edge. The request was counted, and its rows too."""
    sent, prepared = await _named(service, endpoint, request, ticket.caller.tier)
    if not edge_cache.is_for(ticket, sent):
        raise Unauthorised
    request.state.cache = "hit" if prepared.name in service.cache else "miss"
    body = await made(service, ticket.caller, prepared)
    # A publish or a takedown since the admission gives the answer another name: then it is not kept.
    is_current = prepared.name == ticket.name and prepared.takedown == service.reader.takedown
    kept = edge_cache.keeping(prepared.takedown) if is_current else {}
    return Response(body.content, 200, {**prepared.headers, **body.headers, **kept})


async def _named(service: Service, endpoint: Endpoint, request: Request, tier: Tier) -> tuple[Sent, Prepared]:
    """Return what was sent and the validated request, with the name of its answer."""
    sent = _sent(endpoint, request, tier)
    prepared = await service.memo.get(sent, lambda: _prepared(service, endpoint, request, tier))
    request.state.edition = prepared.question.page.edition.number
    return sent, prepared


def _sent(endpoint: Endpoint, request: Request, tier: Tier) -> Sent:
    """Return everything of a request that its answer depends on, as it was sent."""
    place = (request.scope["path"], request.scope["query_string"].decode("latin-1"))
    accepted = (joined(request, field) or "" for field in _NEGOTIATED)
    return (endpoint.name, tier.name, *place, *accepted)


async def _prepared(service: Service, endpoint: Endpoint, request: Request, tier: Tier) -> Prepared:
    """Validate a request, choose its format, and name its answer."""
    query = query_of(request)
    question = await prepare(
        endpoint,
        request.path_params,
        query,
        tier=tier,
        reader=service.reader,
        keys=service.cursor_keys,
    )
    accept, accept_encoding = (joined(request, field) for field in _NEGOTIATED)
    media_type = choose(accept, tuple(FORMATS))
    if media_type is None:
        raise NotAcceptable
    coding = _GZIP if accepts_gzip(accept_encoding) else _IDENTITY
    name, takedown = _tag(service, question, media_type, coding), service.reader.takedown
    headers = {
        **_deprecations(endpoint, query),
        "ETag": name,
        "Cache-Control": "private, no-cache",
        "Vary": VARY,
        "X-Data-Edition": str(question.page.edition.number),
        "Content-Location": question.permanent_address,
    }
    make = functools.partial(_compressed if coding == _GZIP else _plain, service, question, media_type)
    return Prepared(question=question, name=name, headers=headers, make=make, takedown=takedown)


async def made(service: Service, caller: Caller, prepared: Prepared) -> Body:
    """Return the body of an answer from the cache, or make it when it is the caller's turn."""
    return await made_in_turn(
        service, caller, prepared.name, prepared.make, is_large=prepared.question.is_large
    )


async def made_in_turn(
    service: Service, caller: Caller, name: str, make: Callable[[], Awaitable[Body]], *, is_large: bool
) -> Body:
    """Return a body from the cache; if it has none, wait for the caller's turn and make it."""
    body = service.cache.find(name)
    if body is None:
        async with service.gate.turn(caller, is_large=is_large):
            body = await service.cache.get(name, make)
    return body


async def _plain(service: Service, question: Question, media_type: str) -> Body:
    """Read the rows of a question and return them in a format."""
    found = await answer(question, service.reader, service.cursor_keys)
    written = FORMATS[media_type]
    if written.module and written.module not in sys.modules:  # other requests are answered meanwhile
        await asyncio.to_thread(importlib.import_module, written.module)
    content = written.write(question.endpoint, found)
    headers = {"Content-Type": written.content_type}
    if media_type != JSON:
        headers |= form_fields.fields(question, found)
    return Body(content, headers, len(found.rows) * question.endpoint.weight)


async def _compressed(service: Service, question: Question, media_type: str) -> Body:
    """Return a body as gzip. If the cache holds the plain body, nothing is read again."""
    kept = service.cache.find(_tag(service, question, media_type, _IDENTITY))
    return await zipped(kept or await _plain(service, question, media_type))


async def zipped(plain: Body) -> Body:
    """Return a body as gzip, a short one as it is. A thread makes it, so that no other answer is delayed."""
    if len(plain.content) <= _GZIP_FROM:
        return plain
    compress = functools.partial(gzip.compress, compresslevel=5, mtime=0)
    is_long = len(plain.content) > _LONG_GZIP_FROM
    content = await asyncio.to_thread(compress, plain.content) if is_long else compress(plain.content)
    return Body(content, {**plain.headers, "Content-Encoding": _GZIP}, plain.rows)


def _tag(service: Service, question: Question, media_type: str, coding: str) -> str:
    """Return the entity tag of an answer, which is also its key in the cache."""
    return f'"{answer_name(service, question, media_type, coding)}"'


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
