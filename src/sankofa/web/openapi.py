"""The OpenAPI page: made from the endpoint declarations, once at start-up, so that it cannot drift.

Examples work on the demo world, whose ids are the same for everyone; an endpoint may bring its own.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import inspect
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sankofa.access.tiers import TIER_NAMES, Tiers
from sankofa.ask.endpoint import DISCLAIMER, LICENSE, Endpoint
from sankofa.ask.glossary import FIELDS
from sankofa.ask.params import parameters, required
from sankofa.core.deprecation import DEPRECATED, Kind, find
from sankofa.web import openapi_answers as answers
from sankofa.web.edge import API_VERSION
from sankofa.web.formats import ARROW, CSV, JSON, NDJSON
from sankofa.web.negotiation import accepts_gzip
from sankofa.web.openapi_answers import Json
from sankofa.web.pipeline import joined, tags

# The first issuer of the demo world, under the secret that every local installation has.
DEMO = dict.fromkeys(("service_id", "entity_id"), "DCHFPV9ZRN9Z1AW")
_CACHE = {"Cache-Control": "public, max-age=300", "Vary": "Accept-Encoding"}
_HEADER_PARAMETERS = {
    "If-None-Match": "An `ETag`: 304 if the answer is still that one.",
    "X-Request-Id": "A name for this request, 1 to 64 letters, digits, `.`, `_` or `-`; others are replaced.",
}
_CONVENTIONS = """\
**Time.** `as_of` asks what was knowable on a date; `edition` asks one publish of the data. The same request
with the same edition gives the same body for ever; `Content-Location` is that permanent address.

**Values.** Numbers are exact decimals: read them into a decimal type. What is not known is null, never zero.

**Pages.** Every order is total and stands with its endpoint. Pass `next_cursor` back as `cursor`; it pins the
query and the edition.

**Forms.** `Accept` chooses JSON, CSV, NDJSON or an Arrow stream. Errors are problem documents (RFC 9457).

**Methods.** HEAD works wherever GET does. OPTIONS gives 204 without a key; any origin may ask."""


def document(
    endpoints: Sequence[Endpoint],
    *,
    tiers: Tiers,
    sandbox_key: str | None = None,
    examples: Mapping[str, str] = DEMO,
) -> Json:
    """Return the page for these endpoints."""
    rows: Json = {}
    paths = {endpoint.path: _path(endpoint, tiers, examples, rows) for endpoint in endpoints}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Sankofa",
            "summary": "Point-in-time data: every value with its source and the day it became knowable.",
            "description": _description(tiers, sandbox_key),
            "version": API_VERSION,
            "license": {"name": "Row by row, see license_class", "identifier": "LicenseRef-per-row"},
        },
        "servers": [{"url": "/", "description": "This service, under whatever name it was reached."}],
        "security": [{"ApiKey": []}],
        "tags": [
            {"name": "data", "description": "What the service knows; a key is needed."},
            {"name": "operations", "description": "How the service is; no key is needed."},
        ],
        "paths": paths | _open_paths(),
        "components": {
            "securitySchemes": {
                "ApiKey": {
                    "type": "apiKey",
                    "in": "header",
                    "name": "X-API-Key",
                    "description": "The only place a key is taken from.",
                }
            },
            "parameters": {
                name: {"name": name, "in": "header", "description": description, "schema": {"type": "string"}}
                for name, description in _HEADER_PARAMETERS.items()
            },
            "headers": answers.header_components(),
            "responses": answers.response_components(),
            "schemas": answers.schema_components() | {"Status": _STATUS} | rows,
        },
    }


def route(page: Json) -> Route:
    """Return the route that serves the page: bytes and names are made once."""
    plain = msgspec.json.encode(page)
    bodies = {False: plain, True: gzip.compress(plain, mtime=0)}
    names = {zipped: _name(content) for zipped, content in bodies.items()}

    async def respond(request: Request) -> Response:
        zipped = accepts_gzip(joined(request, "accept-encoding"))
        headers = {**_CACHE, "ETag": names[zipped]}
        if {names[zipped], "*"} & tags(joined(request, "if-none-match") or ""):
            return Response(None, 304, headers)
        coding = {"Content-Encoding": "gzip"} if zipped else {}
        return Response(bodies[zipped], 200, {**headers, **coding}, media_type=JSON)

    return Route("/openapi.json", respond, methods=["GET"])


def _name(content: bytes) -> str:
    digest = hashlib.sha256(content).digest()
    return f'"{base64.urlsafe_b64encode(digest[:18]).decode()}"'


def _description(tiers: Tiers, sandbox_key: str | None) -> str:
    key = (
        f"Try it without signing up: the public sandbox key is `{sandbox_key}`."
        if sandbox_key
        else "Ask the operator of this service for a key."
    )
    table = [
        f"| {tier.name} | {tier.rows:,} | {tier.per_minute:,} | {tier.per_month:,} |"
        for tier in map(tiers.named, TIER_NAMES)
    ]
    head = "| Tier | Rows a page | Requests a minute | Requests a month |\n|---|---|---|---|\n"
    return "\n\n".join(
        [DISCLAIMER, f"**Keys.** Send a key in `X-API-Key`. {key}", head + "\n".join(table), _CONVENTIONS]
    )


def _path(endpoint: Endpoint, tiers: Tiers, examples: Mapping[str, str], rows: Json) -> Json:
    """Return an endpoint's path; the schemas of its rows and envelope go to `rows`."""
    envelope = f"{endpoint.name.title().replace('-', '').replace('_', '')}Answer"
    rows[envelope] = _envelope(endpoint, _lists(endpoint, rows))
    content: Json = {
        JSON: {"schema": {"$ref": f"#/components/schemas/{envelope}"}},
        CSV: {"schema": {"type": "string", "description": "RFC 4180 with a header row; the row's fields."}},
        NDJSON: {"schema": {"type": "string", "description": "One row a line, as in the envelope."}},
        ARROW: {"schema": {"type": "string", "format": "binary", "description": "Arrow IPC stream."}},
    }
    refused = {*endpoint.statuses, *answers.EDGE, 406} - {200}
    return {
        "get": {
            "operationId": endpoint.name,
            "tags": ["data"],
            "summary": endpoint.summary,
            "description": "\n\n".join([endpoint.description, *_paid(endpoint), *_orders(endpoint)]),
            **_deprecated("route", endpoint.path),
            "parameters": [
                *_parameters(endpoint, tiers, examples),
                *({"$ref": f"#/components/parameters/{name}"} for name in _HEADER_PARAMETERS),
            ],
            "responses": {"200": answers.answer(endpoint.summary, content)} | answers.refusals(refused),
        }
    }


def _paid(endpoint: Endpoint) -> list[str]:
    """Return what an endpoint answers to paid tiers only, in words."""
    return [
        f"Needs a paid tier, else 402: `{name}` {', '.join(sorted(values))}."
        for name, values in endpoint.paid_values.items()
    ]


def _parameters(endpoint: Endpoint, tiers: Tiers, examples: Mapping[str, str]) -> list[Json]:
    declared = []
    for name, parameter in parameters(endpoint.params).items():
        schema = dict(parameter.schema)
        if name == "limit":
            schema["maximum"] = tiers.professional.rows
        example: str | int = endpoint.examples.get(name) or examples.get(name) or parameter.example
        if schema["type"] == "integer":
            example = int(example)
        declared.append(
            {
                "name": name,
                "in": "path" if parameter.in_path else "query",
                "required": name in required(endpoint.params),
                "description": parameter.description,
                "schema": schema,
                **({"example": example} if example else {}),
                **_deprecated("parameter", f"{endpoint.name}.{name}"),
            }
        )
    return declared


def _deprecated(kind: Kind, name: str) -> Json:
    return {"deprecated": True} if find(DEPRECATED, kind, name) else {}


def _orders(endpoint: Endpoint) -> list[str]:
    """Return the order of an endpoint's rows in words, and how its modes differ."""
    modes = [mode.endpoint for mode in endpoint.modes]
    return [
        f"Order: {endpoint.order}.",
        *(f"{mode.description}\n\nOrder: {mode.order}." for mode in modes),
    ]


def _lists(endpoint: Endpoint, rows: Json) -> Json:
    """Return the schema of an answer's rows: all of one kind, even where an endpoint knows several."""
    lists: list[Json] = [
        {
            "type": "array",
            "items": _schema(inspect.type_info(kind.row), rows),
            "description": f"Rows, by {kind.order}.",
        }
        for kind in (endpoint, *(mode.endpoint for mode in endpoint.modes))
    ]
    return lists[0] if len(lists) == 1 else {"anyOf": lists, "description": "Rows of the mode asked for."}


def _envelope(endpoint: Endpoint, lists: Json) -> Json:
    properties: Json = {
        endpoint.rows_key: lists,
        "count": {"type": "integer", "minimum": 0},
        "truncated": {"type": "boolean"},
        "next_cursor": {"type": ["string", "null"]},
        "edition": {"type": "integer", "minimum": 1},
        "as_of": {"type": ["string", "null"], "format": "date"},
        "_license": {"type": "string", "const": LICENSE},
    }
    for name, schema in properties.items():
        schema.setdefault("description", FIELDS.get(name, ""))
    return {
        "type": "object",
        "description": "Rows, and what they are pinned to.",
        "properties": properties | dict(endpoint.envelope),
        "required": [*properties, *endpoint.always],
    }


def _schema(kind: inspect.Type, rows: Json) -> Json:
    """Return the JSON schema of a field's type as it is served: decimals are numbers."""
    match kind:
        case inspect.StructType(cls=cls, fields=fields):
            rows[cls.__name__] = {
                "type": "object",
                "description": (cls.__doc__ or "").strip(),
                "properties": {
                    field.encode_name: _described(field.type, rows, cls.__name__, field.encode_name)
                    for field in fields
                },
                "required": [field.encode_name for field in fields if field.required],
            }
            return {"$ref": f"#/components/schemas/{cls.__name__}"}
        case inspect.UnionType(types=types):
            (present,) = (_schema(one, rows) for one in types if not isinstance(one, inspect.NoneType))
            return present | {"type": [present["type"], "null"]}
        case inspect.Metadata(type=inner):
            return _schema(inner, rows)
        case inspect.ListType(item_type=item):
            return {"type": "array", "items": _schema(item, rows)}
        case inspect.LiteralType(values=values):
            return {"type": "string", "enum": list(values)}
        case _:
            return dict(_SCALARS[type(kind)])


def _described(kind: inspect.Type, rows: Json, struct: str, name: str) -> Json:
    """Return a field's schema with what it means: in this struct, if that is said, else everywhere."""
    return _schema(kind, rows) | {"description": FIELDS.get(f"{struct}.{name}") or FIELDS[name]}


_SCALARS: dict[type[inspect.Type], Json] = {
    inspect.BoolType: {"type": "boolean"},
    inspect.DateTimeType: {"type": "string", "format": "date-time"},
    inspect.DateType: {"type": "string", "format": "date"},
    inspect.DecimalType: {"type": "number"},
    inspect.DictType: {"type": "object"},
    inspect.IntType: {"type": "integer"},
    inspect.StrType: {"type": "string"},
}
_CHECK: Json = {
    "type": "object",
    "properties": {"ok": {"type": "boolean"}, "latency_ms": {"type": "number"}},
    "required": ["ok", "latency_ms"],
}
_PARTS = ("datastore", "keys", "usage")
_STATUS: Json = {
    "type": "object",
    "description": "What a real read against each store found, at most a second ago.",
    "properties": {
        "status": {"type": "string", "enum": ["ok", "degraded"]},
        "build": {"type": "string", "description": "Which build answers."},
        "version": {"type": "string", "description": "Version of this API."},
        "edition": {"type": ["integer", "null"], "description": "The current edition; null when unreadable."},
        "checks": {"type": "object", "properties": dict.fromkeys(_PARTS, _CHECK), "required": list(_PARTS)},
        "degraded": {
            "type": "array",
            "items": {"type": "string", "enum": list(_PARTS)},
            "description": "What does not answer; empty when all is well.",
        },
    },
    "required": ["status", "build", "version", "edition", "checks", "degraded"],
}


def _open_paths() -> Json:
    """Return the paths that need no key."""
    health: Json = {
        "type": "object",
        "properties": {"status": {"type": "string", "const": "ok"}},
        "required": ["status"],
    }
    status: Json = {"$ref": "#/components/schemas/Status"}
    page = answers.open_answer("This page.", {"type": "object"}, "ETag", "Vary", "Content-Encoding")
    return {
        "/health": _open_path(
            "health",
            "Whether the process runs",
            "Touches no other part of the service, and answers under any host name.",
            {"200": answers.open_answer("It runs.", health)} | answers.refusals({405, 414, 431, 500}),
        ),
        "/v1/status": _open_path(
            "status",
            "Whether each part works",
            "A real read against each store; it always answers within two seconds.",
            {"200": answers.open_answer("All answered.", status)}
            | answers.refusals(answers.EDGE)
            | {"503": answers.open_answer("`degraded` names what does not answer.", status, "Retry-After")},
        ),
        "/openapi.json": _open_path(
            "openapi",
            "This page",
            "OpenAPI 3.1, made from the same declarations as the service.",
            {"200": page, "304": {"description": "The caller holds this page.", "headers": page["headers"]}}
            | answers.refusals(answers.EDGE),
        ),
    }


def _open_path(name: str, summary: str, description: str, responses: Mapping[str, Any]) -> Json:
    operation = {"operationId": name, "tags": ["operations"], "summary": summary, "description": description}
    return {"get": {**operation, "security": [], "responses": responses}}
