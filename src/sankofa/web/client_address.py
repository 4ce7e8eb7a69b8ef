"""The client's address and the public origin, from the peer or from a configured proxy."""

from __future__ import annotations

from starlette.requests import Request

_SCHEMES = frozenset({"http", "https"})


def client_address(request: Request, proxies: frozenset[str]) -> str:
    """Return the nearest address that is not a configured proxy."""
    address = request.client.host if request.client else ""
    forwarded = ",".join(request.headers.getlist("x-forwarded-for")).split(",")
    while address in proxies and forwarded:
        address = forwarded.pop().strip() or address
    return address


def public_origin(request: Request, host: str, proxies: frozenset[str]) -> str:
    """Return the service's address as the caller reached it, such as `https://data.customer.example`.

    `host` must have been checked. It is the only name that may show: a configured address of the service
    would reveal the operator's host to the users of a customer's domain, or one customer's to another's.
    """
    forwarded = ",".join(request.headers.getlist("x-forwarded-proto")).rpartition(",")[2].strip().lower()
    is_believed = request.client is not None and request.client.host in proxies and forwarded in _SCHEMES
    return f"{forwarded if is_believed else request.scope['scheme']}://{host}"
