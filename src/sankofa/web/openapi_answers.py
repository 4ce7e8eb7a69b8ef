"""Responses on the OpenAPI page: header fields, problem documents, one response per status."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from sankofa.access.decision import Decision, LimitReached, Violation
from sankofa.core.errors import (
    BadParameter,
    NotAcceptable,
    NotFound,
    PaymentRequired,
    ServiceError,
    StoreUnavailable,
    Unauthorised,
)
from sankofa.web import problems
from sankofa.web.credentials import CHALLENGE, FIELDS
from sankofa.web.problems import PROBLEMS, Problem

Json = dict[str, Any]

_TEXT = {"type": "string"}
_WHOLE = {"type": "integer", "minimum": 0}
_REQUEST_ID = "4f1c2d3e4f5a6b7c8d9e0f10"
_ORIGIN = "https://api.example"

# By name: the meaning of the field, its schema, an example.
_FIELDS: dict[str, tuple[str, Json, str | int]] = {
    "Allow": ("The methods there are.", _TEXT, "GET, HEAD, OPTIONS"),
    "Cache-Control": ("Who may keep the response, and for how long.", _TEXT, "private, no-cache"),
    "Content-Encoding": ("`gzip` above 1 KiB, for callers that accept it.", _TEXT, "gzip"),
    "Content-Location": (
        "The relative, permanent address of this very answer, whatever is published later.",
        {"type": "string", "format": "uri-reference"},
        "/v1/editions?edition=1",
    ),
    "Deprecation": (
        "Since when something this response carries is deprecated; RFC 9745.",
        _TEXT,
        "@1735689600",
    ),
    "ETag": ("Strong name of this answer, for `If-None-Match`.", _TEXT, '"Zk3a0vWn1yqY2uQx4c5bT6dE"'),
    "Link": (
        "Outside JSON: `license`, and `next` if more rows follow. On what is deprecated: its successor.",
        _TEXT,
        '</docs/license>; rel="license"',
    ),
    "Location": (
        "Where the file can be read, for a short while and without a key.",
        {"type": "string", "format": "uri"},
        "https://files.example/licensed/0a1b2c3d/af-fund.parquet?X-Amz-Signature=00",
    ),
    "RateLimit": (
        "What is left of each limit, and the seconds until it comes back; left out while usage is unknown.",
        _TEXT,
        '"burst";r=59;t=60, "month";r=4999;t=86400',
    ),
    "RateLimit-Policy": (
        "The limits of this key: requests a minute and a calendar month.",
        _TEXT,
        '"burst";q=60;w=60, "month";q=5000',
    ),
    "Retry-After": ("Seconds to wait before asking again.", _WHOLE, 2),
    "Sunset": ("When what is deprecated goes away; RFC 8594.", _TEXT, "Mon, 30 Jun 2025 00:00:00 GMT"),
    "Vary": (
        "The request's fields that the response depends on.",
        _TEXT,
        f"{FIELDS}, Accept, Accept-Encoding",
    ),
    "WWW-Authenticate": (
        "How to present a key.",
        _TEXT,
        CHALLENGE,
    ),
    "X-Answer": (
        "Outside JSON: the envelope as one line of ASCII JSON, without the rows and `next_cursor`.",
        _TEXT,
        '{"count":10,"truncated":false,"edition":1,"as_of":"2024-03-31"}',
    ),
    "X-Count": ("`count`, in forms that have no envelope.", _WHOLE, 10),
    "X-Data-Edition": ("The edition that was answered from.", {"type": "integer", "minimum": 1}, 1),
    "X-Request-Id": (
        "The caller's, if it is usable, else a new one; faults are recorded under it.",
        _TEXT,
        _REQUEST_ID,
    ),
    "X-Service-API-Version": ("Version of this API; on every response.", _TEXT, "1.0.0"),
    "X-Truncated": ("`truncated`, in forms that have no envelope.", {"type": "boolean"}, False),
    "X-Upgrade-URL": (
        "Absolute address of the page that explains how to get more.",
        {"type": "string", "format": "uri"},
        f"{_ORIGIN}/upgrade?from=limit",
    ),
}
_ALWAYS = ("X-Service-API-Version", "X-Request-Id", "Cache-Control")
_LIMITS = ("RateLimit", "RateLimit-Policy")
_ANSWERED = (*_ALWAYS, *_LIMITS, "X-Data-Edition", "Content-Location", "ETag", "Vary")
_MAY_GO = ("Deprecation", "Sunset", "Link")

_BASE: Json = {
    "type": {"type": "string", "format": "uri-reference", "description": "Page that explains the problem."},
    "title": {"type": "string", "description": "The problem in a few words."},
    "status": {"type": "integer", "description": "The HTTP status."},
    "detail": {"type": "string", "description": "What would be right, or what to do next."},
    "instance": {"type": "string", "format": "uri", "description": "Names this very occurrence."},
    "request_id": {"type": "string", "description": "The same as `X-Request-Id`."},
    "code": {"type": "string", "description": "Stable word for programs."},
}
_PARAMETER = {"type": "string", "description": "The first parameter that is wrong."}
_SPECIAL: dict[str, tuple[str, Json, tuple[str, ...]]] = {
    "InvalidParameter": (
        "A parameter cannot be taken as sent.",
        {
            "parameter": _PARAMETER,
            "parameters": {"type": "array", "items": _TEXT, "description": "All that are wrong, if several."},
        },
        ("parameter",),
    ),
    "PaymentRequired": (
        "More than this tier serves.",
        {
            "parameter": {"type": "string", "description": "The parameter that asks for more."},
            "upgrade_url": {"type": "string", "format": "uri", "description": "Where to get more."},
            "limit": {"type": "integer", "description": "The largest `limit` this tier may ask for."},
        },
        ("parameter", "upgrade_url"),
    ),
    "LimitReached": (
        "The minute limit or the monthly cap is reached.",
        {
            "policy": {
                "type": "string",
                "enum": ["burst", "month", "ceiling"],
                "description": "Which limit.",
            },
            "limit": {"type": "integer", "description": "How many requests it allows."},
            "retry_after": {"type": "integer", "description": "Seconds to wait."},
        },
        ("policy", "limit", "retry_after"),
    ),
    "Unavailable": (
        "A part of the service does not answer.",
        {"component": {"type": "string", "description": "The part that is silent."}},
        ("component",),
    ),
}

# By status: the problem, its schema, an example error, additional header fields.
_REFUSED = Decision(violation=Violation("burst", 60, 12))
_ERRORS: dict[int, tuple[Problem, str, ServiceError | None, tuple[str, ...]]] = {
    400: (
        PROBLEMS[BadParameter],
        "InvalidParameter",
        BadParameter("as_of", "expected a calendar date of the form YYYY-MM-DD"),
        _LIMITS,
    ),
    401: (PROBLEMS[Unauthorised], "Problem", None, ("WWW-Authenticate",)),
    402: (
        PROBLEMS[PaymentRequired],
        "PaymentRequired",
        PaymentRequired("limit", 25),
        (*_LIMITS, "X-Upgrade-URL"),
    ),
    404: (PROBLEMS[NotFound], "Problem", None, _LIMITS),
    405: (problems.WRONG_METHOD, "Problem", None, ("Allow",)),
    406: (PROBLEMS[NotAcceptable], "Problem", None, _LIMITS),
    414: (problems.URL_TOO_LONG, "Problem", None, ()),
    421: (problems.UNLISTED_HOST, "Problem", None, ()),
    429: (
        PROBLEMS[LimitReached],
        "LimitReached",
        LimitReached(_REFUSED, Violation("burst", 60, 12)),
        (*_LIMITS, "Retry-After"),
    ),
    431: (problems.HEADERS_TOO_LARGE, "Problem", None, ()),
    500: (problems.FAULT, "Problem", None, _LIMITS),
    503: (
        PROBLEMS[StoreUnavailable],
        "Unavailable",
        StoreUnavailable("datastore"),
        (*_LIMITS, "Retry-After"),
    ),
}
# Responses that any request may get before an endpoint is reached.
EDGE = (405, 414, 421, 431, 500)


def header_components() -> Json:
    """Return every header field of the page."""
    return {
        name: {"description": description, "schema": schema, "example": example}
        for name, (description, schema, example) in _FIELDS.items()
    }


def schema_components() -> Json:
    """Return the problem schemas: the common members, and those of single kinds."""
    schemas = {"Problem": _object("RFC 9457 problem document.", _BASE, tuple(_BASE))}
    for name, (description, members, required) in _SPECIAL.items():
        schemas[name] = _object(description, _BASE | members, (*_BASE, *required))
    return schemas


def response_components() -> Json:
    """Return one response per status, each with an example generated by the service's own code."""
    responses: Json = {
        f"Problem{status}": {
            "description": f"{problem.title}. {problem.detail}",
            "headers": headers(*_ALWAYS, *fields),
            "content": {
                problems.MEDIA_TYPE: {
                    "schema": {"$ref": f"#/components/schemas/{schema}"},
                    "example": msgspec.json.decode(
                        problems.document(problem, _REQUEST_ID, error, origin=_ORIGIN)
                    ),
                }
            },
        }
        for status, (problem, schema, error, fields) in _ERRORS.items()
    }
    responses["Unchanged"] = {
        "description": "The caller already holds this very answer.",
        "headers": headers(*_ANSWERED, *_MAY_GO),
    }
    return responses


def refusals(statuses: Iterable[int]) -> Json:
    """Return the error responses of an operation."""
    named = {304: "Unchanged"} | {status: f"Problem{status}" for status in _ERRORS}
    return {str(status): {"$ref": f"#/components/responses/{named[status]}"} for status in sorted(statuses)}


def answer(description: str, content: Json) -> Json:
    """Return the successful response of a data endpoint."""
    beside = ("Content-Encoding", "X-Answer", "X-Count", "X-Truncated", *_MAY_GO)
    return {"description": description, "headers": headers(*_ANSWERED, *beside), "content": content}


def whole(description: str, content: Json) -> Json:
    """Return the successful response of a whole document."""
    return {
        "description": description,
        "headers": headers(*_ANSWERED, "Content-Encoding"),
        "content": content,
    }


def redirection(description: str) -> Json:
    """Return the redirect response to a file."""
    return {"description": description, "headers": headers(*_ALWAYS, *_LIMITS, "Location", "X-Data-Edition")}


def open_answer(description: str, schema: Json, *fields: str) -> Json:
    """Return the response of a path that needs no key."""
    content = {"application/json": {"schema": schema}}
    return {"description": description, "headers": headers(*_ALWAYS, *fields), "content": content}


def headers(*names: str) -> Json:
    """Return references to header fields."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _object(description: str, properties: Json, required: tuple[str, ...]) -> Json:
    return {
        "type": "object",
        "description": description,
        "properties": properties,
        "required": list(required),
    }
