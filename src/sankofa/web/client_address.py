"""Whose address counts: the peer's, or what a proxy of ours says; never what a stranger claims."""

from __future__ import annotations

from starlette.requests import Request


def client_address(request: Request, proxies: frozenset[str]) -> str:
    """Return the nearest address that is not one of our proxies."""
    address = request.client.host if request.client else ""
    forwarded = ",".join(request.headers.getlist("x-forwarded-for")).split(",")
    while address in proxies and forwarded:
        address = forwarded.pop().strip() or address
    return address
