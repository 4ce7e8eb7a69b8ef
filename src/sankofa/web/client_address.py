"""The client's address and the public origin, from the peer or from a configured proxy."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_address, ip_network

from starlette.requests import Request

_SCHEMES = frozenset({"http", "https"})


class Proxies:
    """The configured proxies: addresses, and networks such as 10.244.0.0/16."""

    def __init__(self, listed: Iterable[str] = ()) -> None:
        """Read the list; raise ValueError for what is neither an address nor a network."""
        networks = [ip_network(text) for text in listed]
        self._addresses = {str(each.network_address) for each in networks if each.num_addresses == 1}
        self._networks = [each for each in networks if each.num_addresses > 1]

    def __contains__(self, address: str) -> bool:
        """Return whether an address is that of a proxy."""
        if address in self._addresses or not self._networks:
            return address in self._addresses
        try:
            parsed = ip_address(address)
        except ValueError:  # what a proxy forwards may be any text
            return False
        return any(parsed in network for network in self._networks)


def client_address(request: Request, proxies: Proxies) -> str:
    """Return the nearest address that is not a configured proxy."""
    address = request.client.host if request.client else ""
    forwarded = ",".join(request.headers.getlist("x-forwarded-for")).split(",")
    while address in proxies and forwarded:
        address = forwarded.pop().strip() or address
    return address


def public_origin(request: Request, host: str, proxies: Proxies) -> str:
    """Return the service's address as the caller reached it, such as `https://data.customer.example`.

    `host` must have been checked. It is the only name that may show: a configured address of the service
    would reveal the operator's host to the users of a customer's domain, or one customer's to another's.
    """
    forwarded = ",".join(request.headers.getlist("x-forwarded-proto")).rpartition(",")[2].strip().lower()
    is_believed = request.client is not None and request.client.host in proxies and forwarded in _SCHEMES
    return f"{forwarded if is_believed else request.scope['scheme']}://{host}"
