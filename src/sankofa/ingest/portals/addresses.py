"""The addresses that may be connected to: public addresses of the host that a definition names.

A name is resolved only once, so that a later DNS answer cannot redirect a connection. A host that the
operator wrote as an IP address is used as it is.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from typing import NamedTuple
from urllib.parse import urljoin

from sankofa.core.errors import Refused, StoreUnavailable

_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
# The last label begins with a letter: what ends in a number is an IP address in disguise (0x7f.1, 127.1).
_NAME = re.compile(rf"(?:{_LABEL}\.)*[a-z](?:[a-z0-9-]{{0,61}}[a-z0-9])?")
_ADDRESS = re.compile(
    r"(?P<scheme>https?)://(?:(?P<name>[a-z0-9.-]+)|\[(?P<six>[0-9a-f:]+)\])(?::(?P<port>[0-9]{1,5}))?"
    r"(?P<target>/[!-\[\]-~]*)"  # printable ASCII without a backslash, which some parsers treat as a slash
)
_PORTS = {"http": 80, "https": 443}
_HIGHEST_PORT = 65_535
_UNICAST = ipaddress.ip_network("2000::/3")  # outside it are mapped, translated, local and group addresses
# Beside what the standard library knows, which differs between its versions: protocol assignments, and
# tunnels, whose addresses hold an IPv4 address.
_NEVER = [ipaddress.ip_network(net) for net in ("192.0.0.0/24", "192.88.99.0/24", "2001::/23", "2002::/16")]


class Origin(NamedTuple):
    """A server. Requests go to no other one."""

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"


class Address(NamedTuple):
    """A URL in its only accepted form: no user, no fragment, no other spelling of a host."""

    origin: Origin
    target: str

    def followed(self, location: str) -> Address:
        """Return the target of a redirect, which must be on the same server."""
        try:
            followed = address(urljoin(f"{self.origin}{self.target}", location))
        except ValueError as wrong:
            raise Refused("a redirect to what is no address") from wrong
        if followed.origin != self.origin:
            raise Refused(f"a redirect to another server than {self.origin.host} is not followed")
        return followed


def address(text: str) -> Address:
    """Parse a URL. Raise Refused if its form is not accepted."""
    parts = _ADDRESS.fullmatch(text)
    if parts is None or "#" in parts["target"]:
        raise Refused(f"not an address that can be fetched: {text[:200]!r}")
    port = int(parts["port"] or _PORTS[parts["scheme"]])
    host = parts["name"] or parts["six"]
    is_name = parts["name"] is not None and _NAME.fullmatch(host) is not None
    if not 0 < port <= _HIGHEST_PORT or not (is_name or _literal(host)):
        raise Refused(f"not a server that can be asked: {host[:200]!r}")
    return Address(Origin(parts["scheme"], host, port), parts["target"])


def resolved(origin: Origin) -> tuple[str, ...]:
    """Return the IP addresses of a server, all of them public unless it is named by its IP address."""
    if _literal(origin.host):
        return (origin.host,)
    try:
        found = socket.getaddrinfo(origin.host, origin.port, type=socket.SOCK_STREAM)
    except OSError as unknown:
        raise StoreUnavailable(origin.host, f"its name is not resolved: {unknown}") from unknown
    numbers = tuple(dict.fromkeys(str(reached[0]) for *_, reached in found))
    for number in numbers:
        if not is_public(number):
            raise Refused(f"{origin.host} resolves to {number}, which is not a public address")
    return numbers


def is_public(number: str) -> bool:
    """Return whether an IP address is public; in doubt it is not."""
    try:
        ip = ipaddress.ip_address(number)
    except ValueError:
        return False
    if ip.is_multicast or ip.is_reserved or not ip.is_global or any(ip in never for never in _NEVER):
        return False
    return isinstance(ip, ipaddress.IPv4Address) or ip in _UNICAST


def _literal(host: str) -> bool:
    """Return whether a host is an IP address in its usual spelling."""
    try:
        return str(ipaddress.ip_address(host)) == host
    except ValueError:
        return False
