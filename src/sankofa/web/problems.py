"""Problem documents (RFC 9457): the one place where an error kind becomes a status and a body."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from sankofa.access import ratelimit_fields
from sankofa.access.decision import LimitReached
from sankofa.core.errors import (
    BadParameter,
    NotAcceptable,
    NotFound,
    PaymentRequired,
    ServiceError,
    StoreUnavailable,
    Unauthorised,
)
from sankofa.web.credentials import CHALLENGE

MEDIA_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Problem:
    """How one kind of error is presented; `detail` describes what the caller can do next."""

    status: int
    code: str
    title: str
    detail: str


PROBLEMS: dict[type[ServiceError], Problem] = {
    BadParameter: Problem(400, "invalid-parameter", "Invalid parameter", "See the parameter's description."),
    Unauthorised: Problem(
        401,
        "invalid-key",
        "Missing or invalid API key",
        "Send one valid key in X-API-Key, or as a Bearer token.",
    ),
    PaymentRequired: Problem(
        402, "tier-limit", "More than this tier serves", "Omit limit for the free preview, or upgrade."
    ),
    NotFound: Problem(404, "not-found", "No record with that identifier", "Check the identifier."),
    NotAcceptable: Problem(
        406,
        "not-acceptable",
        "No acceptable form",
        "Accept application/json or another form of this endpoint.",
    ),
    LimitReached: Problem(429, "limit-reached", "Request limit reached", "Wait for Retry-After seconds."),
    StoreUnavailable: Problem(
        503,
        "unavailable",
        "Temporarily unavailable",
        "A part of the service is silent. Try again soon.",
    ),
}
FOREIGN_ORIGIN = Problem(
    403, "origin-not-allowed", "Not a page that may ask here", "Ask the operator to list your origin."
)
NOT_SIGNED = Problem(
    403,
    "not-signed",
    "Not signed by a listed reporter",
    "Sign the body with a key that the operator of this service lists.",
)
UNKNOWN_PATH = Problem(404, "unknown-path", "No such path", "See /openapi.json for the paths there are.")
UNREADABLE_MESSAGE = Problem(
    400,
    "unreadable-message",
    "Not a message of this protocol",
    "Send one JSON-RPC 2.0 request in strict JSON, nested at most 16 levels deep.",
)
UNREADABLE_REPORT = Problem(
    400,
    "unreadable-report",
    "Not a report of leaked keys",
    "Send a JSON list of objects that have a token and a type.",
)
WRONG_METHOD = Problem(
    405, "method-not-allowed", "Method not allowed", "Use a method that the Allow header lists."
)
BODY_TOO_SLOW = Problem(408, "body-too-slow", "Body too slow", "Send the whole message within 5 seconds.")
BODY_TOO_LARGE = Problem(413, "body-too-large", "Body too large", "Keep a message below 64 KiB.")
URL_TOO_LONG = Problem(414, "url-too-long", "Address too long", "Keep the address below 4 KiB.")
UNLISTED_HOST = Problem(421, "unlisted-host", "Not a host of this service", "Use the address you were given.")
HEADERS_TOO_LARGE = Problem(431, "headers-too-large", "Headers too large", "Keep all headers below 16 KiB.")
FAULT = Problem(500, "fault", "Internal error", "The fault was recorded under the request id.")


def document(
    problem: Problem, request_id: str, error: ServiceError | None = None, *, origin: str = ""
) -> bytes:
    """Return the body: fixed text plus the actionable fields of the error. Sent values are never echoed.

    `origin` is the service's own address as the caller reached it; the upgrade link begins with it.
    """
    body: dict[str, Any] = {
        "type": f"/docs/problems/{problem.code}",
        "title": problem.title,
        "status": problem.status,
        "detail": problem.detail,
        "instance": f"urn:request:{request_id}",
        "request_id": request_id,
        "code": problem.code,
    }
    if isinstance(error, BadParameter):
        body |= {"detail": error.detail, "parameter": error.parameter}
        if error.others:
            body["parameters"] = [error.parameter, *error.others]
    if isinstance(error, PaymentRequired):
        body |= {"parameter": error.parameter, "upgrade_url": upgrade_url(error, origin)}
        if error.limit_max is None:
            body["detail"] = "Upgrade: only paid tiers are given this."
        else:
            body["limit"] = error.limit_max
    if isinstance(error, LimitReached):
        body |= {"policy": error.policy, "limit": error.limit, "retry_after": error.retry_after}
    if isinstance(error, StoreUnavailable):
        body |= {"component": error.component}
    return msgspec.json.encode(body)


def headers(error: ServiceError | None, origin: str = "") -> Mapping[str, str]:
    """Return the headers that belong to an error."""
    named = {"Cache-Control": "no-store"}
    if isinstance(error, Unauthorised):
        named["WWW-Authenticate"] = CHALLENGE
    if isinstance(error, PaymentRequired):
        named["X-Upgrade-URL"] = upgrade_url(error, origin)
    if isinstance(error, LimitReached):
        named |= {"Retry-After": str(error.retry_after), **ratelimit_fields.fields(error.decision)}
    if isinstance(error, StoreUnavailable):
        named["Retry-After"] = str(error.retry_after)
    return named


def upgrade_url(error: PaymentRequired, origin: str) -> str:
    """Return the URL of the page about higher tiers."""
    return f"{origin}/upgrade?from={error.parameter}"
