"""Problem documents (RFC 9457): the one place where an error kind becomes a status and a body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
from starlette.responses import Response

from sankofa.core.errors import BadParameter, NotFound, ServiceError, StoreUnavailable


@dataclass(frozen=True, slots=True)
class Problem:
    """How one kind of error is presented."""

    status: int
    code: str
    title: str
    detail: str


PROBLEMS: dict[type[ServiceError], Problem] = {
    BadParameter: Problem(400, "invalid-parameter", "Invalid parameter", ""),
    NotFound: Problem(404, "not-found", "No record with that identifier", "Check the identifier."),
    StoreUnavailable: Problem(
        503,
        "unavailable",
        "Temporarily unavailable",
        "A part of the service does not answer. Try again soon.",
    ),
}
UNKNOWN_PATH = Problem(404, "unknown-path", "No such path", "See /openapi.json for the paths there are.")
WRONG_METHOD = Problem(405, "method-not-allowed", "Method not allowed", "Use GET.")
FAULT = Problem(500, "fault", "Internal error", "The fault was recorded under the request id.")


def response(problem: Problem, request_id: str, error: ServiceError | None = None) -> Response:
    """Return the problem document; the error adds what the caller can act on, never what they sent."""
    body: dict[str, Any] = {
        "type": f"/docs/problems/{problem.code}",
        "title": problem.title,
        "status": problem.status,
        "detail": problem.detail,
        "instance": f"urn:request:{request_id}",
        "request_id": request_id,
        "code": problem.code,
    }
    headers = {"Cache-Control": "no-store"}
    if isinstance(error, BadParameter):
        body |= {"detail": error.detail, "parameter": error.parameter}
    if isinstance(error, StoreUnavailable):
        body |= {"component": error.component}
        headers["Retry-After"] = "2"
    return Response(msgspec.json.encode(body), problem.status, headers, media_type="application/problem+json")
