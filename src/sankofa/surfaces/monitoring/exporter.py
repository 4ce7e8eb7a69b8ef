"""The address at which Prometheus scrapes a process. It is never the address of the API."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.registry import Collector

from sankofa.core.errors import Refused

Address = tuple[str, int]


@contextmanager
def exported(address: Address | None, *collectors: Collector) -> Iterator[None]:
    """Answer scrapes in a thread while this is entered; without an address, do nothing."""
    if address is None:
        yield
        return
    registry = CollectorRegistry(auto_describe=False)
    for collector in collectors:
        registry.register(collector)
    host, port = address
    try:
        server, _ = start_http_server(port, host, registry)
    except OSError as error:
        raise Refused(f"cannot export metrics on {host}, port {port}: {error.strerror}") from None
    # A worker must not keep the port if it outlives this process.
    os.register_at_fork(after_in_child=server.socket.close)
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
