"""The caller of a request: key id, tier, and the name of its counters."""

from __future__ import annotations

from ipaddress import IPv6Address, IPv6Network, ip_address

import msgspec

from sankofa.access.tiers import Tier

_UNKNOWN = "unknown"
_CUSTOMER_PREFIX = 64  # the block of one IPv6 customer; single addresses in it are free to use


class Caller(msgspec.Struct, frozen=True, kw_only=True):
    """A request's owner. `client_prefix` is set for public keys only: many clients share one of those."""

    key_id: str
    tier: Tier
    is_public: bool = False
    client_prefix: str | None = None


def client_prefix(address: str) -> str:
    """Return the prefix that identifies a client: its IPv4 address, or the /64 of its IPv6 address."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return _UNKNOWN  # a Unix socket has no address; all clients of it share one prefix
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(IPv6Network((int(parsed), _CUSTOMER_PREFIX), strict=False))
