"""Where a request carries its key: in `X-API-Key`, or as a bearer token, as agents send it."""

from __future__ import annotations

from starlette.requests import Request

FIELDS = "X-API-Key, Authorization"
CHALLENGE = 'ApiKey realm="data", header="X-API-Key", Bearer realm="data"'


def keys_of(request: Request) -> list[str]:
    """Return every value that a request presents as a key."""
    fields = [field.partition(" ") for field in request.headers.getlist("authorization")]
    tokens = [token.strip() for scheme, _, token in fields if scheme.lower() == "bearer"]
    return [*request.headers.getlist("x-api-key"), *tokens]


def key_of(request: Request) -> str | None:
    """Return the API key of a request. Several keys count as none, because choosing one would be a guess."""
    sent = keys_of(request)
    return sent[0] if len(sent) == 1 else None
