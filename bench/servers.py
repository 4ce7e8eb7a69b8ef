"""The measured servers: one worker with the default cache, and one without any."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from dev.installation import Api, Installation
from dev.ports import unused_ports

Servers = dict[bool, Api]  # by whether it keeps bodies


@contextmanager
def running(installation: Installation) -> Iterator[Servers]:
    """Run both side by side: an idle one costs a poll a second."""
    ports = unused_ports()
    without = {"SANKOFA_CACHE_BYTES": "0"}
    servers = {
        True: installation.api(next(ports)),
        False: installation.api(next(ports), environment=without),
    }
    with ExitStack() as stopping:
        for server in servers.values():
            stopping.callback(server.stop)
            server.start()
        yield servers
