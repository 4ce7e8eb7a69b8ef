"""The OpenAPI page: made from the endpoint declarations, once at start-up, so that it cannot drift.

Examples work on the demo world, whose ids are the same in every installation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from starlette.routing import Route

from sankofa.access.tiers import TIER_NAMES, Tiers
from sankofa.ask.endpoint import DISCLAIMER, Document, Endpoint, Redirection
from sankofa.ask.params import parameters, required
from sankofa.core.deprecation import DEPRECATED, Kind, find
from sankofa.web import fixed, freshness, schemas
from sankofa.web import openapi_answers as answers
from sankofa.web.edge import API_VERSION
from sankofa.web.fixed import Fixed
from sankofa.web.formats import ARROW, CSV, JSON, NDJSON
from sankofa.web.openapi_answers import Json

# The first issuer of the demo world, under the secret of every local installation.
DEMO = dict.fromkeys(("service_id", "entity_id"), "DCHFPV9ZRN9Z1AW")
_HEADER_PARAMETERS = {
    "If-None-Match": "An `ETag`: 304 if the answer is still that one.",
    "X-Request-Id": "A name for this request, 1 to 64 letters, digits, `.`, `_` or `-`; others are replaced.",
}
_CONVENTIONS = """\
**Time.** `as_of` asks what was knowable on a date; `edition` asks one publish of the data. The same request
with the same edition gives the same body for ever; `Content-Location` is that permanent address.

**Values.** Numbers are exact decimals: read them into a decimal type. What is not known is null, never zero.

**Pages.** Every list has a total order, documented with its endpoint. Pass `next_cursor` back as `cursor`; it
pins the query and the edition.

**Forms.** `Accept` chooses JSON, CSV, NDJSON or an Arrow stream. Outside JSON, the envelope is in the header
fields `X-Answer` and `Link`. In CSV, a text that a spreadsheet could run as a formula has an apostrophe in
front; remove one leading apostrophe to get the text back. Errors are problem documents (RFC 9457).

**Methods.** HEAD works wherever GET does. OPTIONS gives 204 without a key; any origin may ask."""


def document(
    endpoints: Sequence[Endpoint],
    *,
    tiers: Tiers,
    sandbox_key: str | None = None,
    examples: Mapping[str, str] = DEMO,
    redirections: Sequence[Redirection] = (),
    documents: Sequence[Document] = (),
) -> Json:
    """Return the page for these endpoints."""
    rows = schemas.Named()
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
        "security": [{"ApiKey": []}, {"Bearer": []}],
        "tags": [
            {"name": "data", "description": "What the service knows; a key is needed."},
            {"name": "operations", "description": "How the service is; no key is needed."},
        ],
        "paths": paths
        | {each.path: _redirection(each, tiers, examples) for each in redirections}
        | {each.path: _document(each, tiers, examples) for each in documents}
        | _open_paths(),
        "components": {
            "securitySchemes": {
                "ApiKey": {
                    "type": "apiKey",
                    "in": "header",
                    "name": "X-API-Key",
                    "description": "A key, if no bearer token is sent.",
                },
                "Bearer": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The same key, for programs that send only this field.",
                },
            },
            "parameters": {
                name: {"name": name, "in": "header", "description": description, "schema": {"type": "string"}}
                for name, description in _HEADER_PARAMETERS.items()
            },
            "headers": answers.header_components(),
            "responses": answers.response_components(),
            "schemas": answers.schema_components()
            | {"Status": _STATUS, "Freshness": freshness.SCHEMA}
            | rows.found,
        },
    }


def route(made: Callable[[], Json]) -> Route:
    """Return the route that serves the page; it is made when first asked for."""
    return fixed.route(
        "/openapi.json", lambda: Fixed(content=msgspec.json.encode(made()), media_type=JSON), "openapi"
    )


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
    shared = "; ".join(
        f"{tier.name}: {tier.rows_per_minute:,} rows a minute, {tier.at_once} requests at once"
        for tier in map(tiers.named, TIER_NAMES)
    )
    return "\n\n".join(
        [
            DISCLAIMER,
            f"**Keys.** Send a key in `X-API-Key`, or as `Authorization: Bearer`. {key}",
            head + "\n".join(table),
            f"Also, {shared}.",
            _CONVENTIONS,
        ]
    )


def _path(endpoint: Endpoint, tiers: Tiers, examples: Mapping[str, str], rows: schemas.Named) -> Json:
    """Return an endpoint's path item; the schemas of its rows and envelope are added to `rows`."""
    envelope = f"{endpoint.name.title().replace('-', '').replace('_', '')}Answer"
    rows.found[envelope] = rows.envelope(endpoint)
    content: Json = {
        JSON: {"schema": {"$ref": f"#/components/schemas/{envelope}"}},
        CSV: {
            "schema": {
                "type": "string",
                "description": "RFC 4180 with a header row; a text like a formula has a ' in front.",
            }
        },
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
            **_open(endpoint),
            **_deprecated("route", endpoint.path),
            "parameters": [
                *_parameters(endpoint, tiers, examples),
                *({"$ref": f"#/components/parameters/{name}"} for name in _HEADER_PARAMETERS),
            ],
            "responses": {"200": answers.answer(endpoint.summary, content)} | answers.refusals(refused),
        }
    }


def _redirection(redirection: Redirection, tiers: Tiers, examples: Mapping[str, str]) -> Json:
    """Return the path item of a redirection to a file."""
    refused = {*redirection.statuses, *answers.EDGE} - {307}
    return {
        "get": {
            "operationId": redirection.name,
            "tags": ["data"],
            "summary": redirection.summary,
            "description": redirection.description,
            **_open(redirection),
            "parameters": [
                *_parameters(redirection, tiers, examples),
                {"$ref": "#/components/parameters/X-Request-Id"},
            ],
            "responses": {"307": answers.redirection(redirection.summary)} | answers.refusals(refused),
        }
    }


def _document(declared: Document, tiers: Tiers, examples: Mapping[str, str]) -> Json:
    """Return the path item of a whole document."""
    schema: Json = {"type": "object"} if declared.media_type.endswith("json") else {"type": "string"}
    content = {declared.media_type: {"schema": schema}}
    refused = {*declared.statuses, *answers.EDGE} - {200}
    return {
        "get": {
            "operationId": declared.name,
            "tags": ["data"],
            "summary": declared.summary,
            "description": declared.description,
            **_open(declared),
            "parameters": [
                *_parameters(declared, tiers, examples),
                *({"$ref": f"#/components/parameters/{name}"} for name in _HEADER_PARAMETERS),
            ],
            "responses": {"200": answers.whole(declared.summary, content)} | answers.refusals(refused),
        }
    }


def _open(endpoint: Endpoint | Redirection | Document) -> Json:
    """Return the `security` of an endpoint that works without a key; empty for the others."""
    return {"security": [{}, {"ApiKey": []}]} if endpoint.is_open else {}


def _paid(endpoint: Endpoint) -> list[str]:
    """Return sentences about the parameter values that need a paid tier."""
    return [
        f"Needs a paid tier, else 402: `{name}` {', '.join(sorted(values))}."
        for name, values in endpoint.paid_values.items()
    ]


def _parameters(
    endpoint: Endpoint | Redirection | Document, tiers: Tiers, examples: Mapping[str, str]
) -> list[Json]:
    declared = []
    for name, parameter in parameters(endpoint.params).items():
        schema = dict(parameter.schema)
        if name == "limit":
            schema["maximum"] = tiers.professional.rows
        own = {} if isinstance(endpoint, Redirection) else endpoint.examples
        example: str | int = own.get(name, examples.get(name) or parameter.example)
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
    """Return sentences about the order of an endpoint's rows and of its modes."""
    modes = [mode.endpoint for mode in endpoint.modes]
    return [
        f"Order: {endpoint.order}.",
        *(f"{mode.description}\n\nOrder: {mode.order}." for mode in modes),
    ]


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
        "properties": {"status": {"type": "string", "enum": ["ok", "stopping"]}},
        "required": ["status"],
    }
    status: Json = {"$ref": "#/components/schemas/Status"}
    page = answers.open_answer("This page.", {"type": "object"}, "ETag", "Vary", "Content-Encoding")
    return {
        "/health": _open_path(
            "health",
            "Whether the process runs",
            "Touches no other part of the service, and answers under any host name.",
            {"200": answers.open_answer("It runs.", health)}
            | answers.refusals({405, 414, 431, 500})
            | {"503": answers.open_answer("It is being stopped: send requests elsewhere.", health)},
        ),
        "/v1/status": _open_path(
            "status",
            "Whether each part works",
            "A real read against each store; it always answers within two seconds.",
            {"200": answers.open_answer("All answered.", status)}
            | answers.refusals(answers.EDGE)
            | {"503": answers.open_answer("`degraded` names what does not answer.", status, "Retry-After")},
        ),
        freshness.PATH: _open_path(
            "freshness",
            "How fresh each source is",
            "When each source last brought what is expected, is due next, and becomes stale. It is of no "
            "edition: it changes with the clock, and is never kept.",
            {"200": answers.open_answer("All sources.", {"$ref": "#/components/schemas/Freshness"})}
            | answers.refusals({*answers.EDGE, 503}),
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
