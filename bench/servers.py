"""The servers that are measured, each with one worker process and with two."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from dev.installation import Api, Installation
from dev.ports import unused_ports
from dev.stack import ROOT

WORKERS = (1, 2)
SERVICE, WITHOUT_CACHE, PEER = "service", "service without cache", "FastAPI"

Servers = dict[tuple[str, int], Api]


class Peer(Api):
    """The FastAPI peer under the server that also runs the service."""

    @property
    def command(self) -> list[str]:
        """Return granian's own command, with the options of `sankofa serve`."""
        place = ["--host", "127.0.0.1", "--port", str(self.port), "--workers", str(self.workers)]
        kind = ["--interface", "asgi", "--loop", "uvloop", "--factory", "--pid-file", self.mark]
        return [sys.executable, "-m", "granian", *place, *kind, "bench.fastapi_peer:create"]


@contextmanager
def running(installation: Installation) -> Iterator[Servers]:
    """Run all of them side by side: one that is not asked costs a poll a second."""
    ports = unused_ports()
    servers: Servers = {}
    for workers in WORKERS:
        servers[SERVICE, workers] = installation.api(next(ports), workers=workers)
        without = {"SANKOFA_CACHE_BYTES": "0"}
        servers[WITHOUT_CACHE, workers] = installation.api(next(ports), workers=workers, environment=without)
        port = next(ports)
        environment = {**installation.environment, "PYTHONPATH": str(ROOT)}
        servers[PEER, workers] = Peer(installation.stack.home / f"peer-{port}", port, workers, environment)
    with ExitStack() as stopping:
        for server in servers.values():
            stopping.callback(server.stop)
            server.start()
        yield servers
