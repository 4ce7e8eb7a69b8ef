"""The caller of a request: key id, tier, and the name of its counters."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

import msgspec

from sankofa.access.tiers import Tier

UNKNOWN = "unknown"  # the place of all clients without an address, such as those of a Unix socket
_CUSTOMER_PREFIX = 64  # the block of one IPv6 customer; single addresses in it are free to use


class Caller(msgspec.Struct, frozen=True, kw_only=True):
    """A request's owner. `client_prefix` is set for public keys only: many clients share one of those."""

    key_id: str
    tier: Tier
    is_public: bool = False
    client_prefix: str | None = None


def client_prefix(address: str) -> str:
    """Return the prefix that identifies a client: its IPv4 address, or the /64 of its IPv6 address."""
    parsed = parsed_address(address)
    if parsed is None:
        return UNKNOWN
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    return str(IPv6Network((int(parsed), _CUSTOMER_PREFIX), strict=False))


def parsed_address(address: str) -> IPv4Address | IPv6Address | None:
    """Return an address, as IPv4 where IPv6 only wraps it; None for a text that is none."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return None
    return (parsed.ipv4_mapped or parsed) if isinstance(parsed, IPv6Address) else parsed
