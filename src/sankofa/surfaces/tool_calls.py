"""A tool call: the same parameters, tier, edition and read as a REST request, in that order.

Key and limits were checked before, as for every message.

Without `limit`, an answer is cut to a size that suits a model. It is cut between rows, and `next_cursor`
continues it, so nothing is lost.
"""

from __future__ import annotations

import difflib
import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec
import structlog
from starlette.datastructures import State

from sankofa.access.caller import Caller
from sankofa.access.tiers import Tier
from sankofa.ask.params import Parameter, printable
from sankofa.ask.question import PAGE_BYTES, Question, answer, prepare
from sankofa.core.deprecation import DEPRECATED, find
from sankofa.core.errors import BadParameter, PaymentRequired, ServiceError, StoreUnavailable
from sankofa.surfaces.brief_rows import FULL, shorten
from sankofa.surfaces.tools import BY_NAME, LIMIT, TOOLS, Tool
from sankofa.surfaces.visible_text import visible
from sankofa.web import deprecation_fields, envelope, problems
from sankofa.web.cache import Body
from sankofa.web.memo import Prepared
from sankofa.web.pipeline import Service, answer_name, give_back, made
from sankofa.web.telemetry import is_charged

DEFAULT_ROWS = 10
# Rows are sent twice, as text and as structure, within an envelope: this much of 8 KB is left for them.
ROOM = 3_000
UNKNOWN_TOOL = problems.Problem(404, "unknown-tool", "No such tool", "tools/list names the tools there are.")

_FORM = "mcp"
_LARGEST_EXACT = 2**53  # integers up to here are exact in every JSON parser
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The outcome of a call: the answer as JSON and as a JSON string, or a problem."""

    structure: bytes = b""
    text: bytes = b""
    problem: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


class Inbound(NamedTuple):
    """The message that contained a call."""

    request_id: str
    origin: str  # the service's address as the caller reached it
    caller: Caller
    state: State


async def call(service: Service, name: str, arguments: Mapping[str, Any], inbound: Inbound) -> Outcome:
    """Answer one call. Errors become problems with an example that works."""
    tool = BY_NAME.get(name)
    headers = _deprecations(name)
    try:
        if tool is None:
            return Outcome(problem=_unknown_tool(name, inbound), headers=headers)
        tier = inbound.caller.tier
        key = (_FORM, tier.name, name, repr(arguments))
        prepared = await service.memo.get(key, lambda: _prepare(service, tier, tool, arguments))
        body = await made(service, inbound.caller, prepared)
        service.gate.sent(inbound.caller, body.rows)
        structure, text = body.content.split(b"\n")
        return Outcome(structure=structure, text=text, headers={**headers, **prepared.headers})
    except ServiceError as error:
        kind = problems.PROBLEMS[type(error)]
        if not is_charged(kind.status):
            await give_back(service, inbound.state)
        problem = _problem(kind, inbound, error, tool)
        return Outcome(problem=problem, headers={**headers, **problems.headers(error, inbound.origin)})
    except Exception:
        _log.exception("fault", tool=printable(name), request_id=inbound.request_id)
        await give_back(service, inbound.state)
        return Outcome(problem=_problem(problems.FAULT, inbound), headers=headers)


async def _prepare(service: Service, tier: Tier, tool: Tool, arguments: Mapping[str, Any]) -> Prepared:
    """Validate a call and name its answer."""
    declared = tool.takes
    sent = {name: _text(name, value) for name, value in arguments.items() if value is not None}
    is_full = bool(_read("full", FULL, sent.pop("full", "false")))
    is_sized = "limit" in sent and "limit" in declared
    most = None if is_sized else DEFAULT_ROWS
    if is_sized and tool.cuts_pages:
        limit = _read("limit", LIMIT, sent.pop("limit"))
        # If an answer is the same for every tier, so is its page size.
        most = tier.page(limit) if tool.endpoint.most is None else limit
    path = {name: text for name, text in sent.items() if name in declared and declared[name].in_path}
    question = await prepare(
        tool.endpoint,
        path,
        [(name, text) for name, text in sent.items() if name not in path],
        tier=tier,
        reader=service.reader,
        keys=service.cursor_keys,
        most=most,
    )
    room = PAGE_BYTES if is_sized else ROOM
    return Prepared(
        question=question,
        name=answer_name(service, question, _FORM, f"{room}{is_full}"),
        headers={"X-Data-Edition": str(question.page.edition.number)},
        make=functools.partial(_body, service, question, room, shape=None if is_full else shorten),
    )


def _text(name: str, value: object) -> str:
    """Return an argument as REST would get it; a number is accepted in place of its digits."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return value
        case int():
            return str(value)
        case float() if value.is_integer() and abs(value) < _LARGEST_EXACT:
            return str(int(value))
        case float():
            return repr(value)
    raise BadParameter(printable(name), "expected a text, a number or true or false")


def _read(name: str, parameter: Parameter, text: str) -> int:
    """Return an argument that exists only in the tool."""
    try:
        number: int = parameter.parse(text)
    except ValueError as error:
        raise BadParameter(name, str(error)) from None
    return number


async def _body(
    service: Service, question: Question, room: int, *, shape: Callable[[Any], object] | None
) -> Body:
    """Return the answer on one line, and the same as a JSON string on the next.

    `room` is the number of bytes for rows. `shape` returns the part of a row that is sent.
    """
    found = await answer(question, service.reader, service.cursor_keys, room=room, shape=shape)
    structure = visible(envelope.as_json(question.endpoint, found))
    rows = len(found.rows) * question.endpoint.weight
    return Body(structure + b"\n" + msgspec.json.encode(structure.decode()), {}, rows)


def _problem(
    problem: problems.Problem, inbound: Inbound, error: ServiceError | None = None, tool: Tool | None = None
) -> str:
    """Return the problem document of REST, with example arguments that work."""
    if isinstance(error, StoreUnavailable):
        inbound.state.unavailable = str(error)
    encoded = problems.document(problem, inbound.request_id, error, origin=inbound.origin)
    document: dict[str, Any] = msgspec.json.decode(encoded)
    if tool is not None:
        document["example"] = dict(tool.example) | _repaired(tool, error)
        if isinstance(error, BadParameter):
            document["arguments"] = list(tool.takes)
    return msgspec.json.encode(document).decode()


def _repaired(tool: Tool, error: ServiceError | None) -> dict[str, Any]:
    """Return a valid value for the parameter of an error."""
    if isinstance(error, PaymentRequired) and error.limit_max is not None:
        return {error.parameter: error.limit_max}
    if not isinstance(error, BadParameter) or error.parameter not in tool.takes:
        return {}
    parameter = tool.takes[error.parameter]
    if error.parameter in tool.example or not parameter.example:
        return {}
    is_whole = parameter.schema["type"] == "integer"
    return {error.parameter: int(parameter.example) if is_whole else parameter.example}


def _unknown_tool(name: str, inbound: Inbound) -> str:
    nearest = difflib.get_close_matches(name[:64].lower(), BY_NAME, n=1) or [tool.name for tool in TOOLS]
    document: dict[str, Any] = msgspec.json.decode(problems.document(UNKNOWN_TOOL, inbound.request_id))
    return msgspec.json.encode(document | {"tools": nearest}).decode()


def _deprecations(name: str) -> dict[str, str]:
    """Return the deprecation notices of a tool's answers; empty while nothing is deprecated."""
    entry = find(DEPRECATED, "tool", name)
    return deprecation_fields.fields([entry] if entry else [])
