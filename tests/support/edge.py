"""A service behind a real nginx and Varnish."""

from __future__ import annotations

from contextlib import contextmanager

from dev.edge import Edge
from dev.ports import unused_ports


@contextmanager
def behind_edge(service, *, workers=1, **environment):
    """Start the API of a service and an edge in front of it, and yield the edge."""
    ports = unused_ports()
    port = next(ports)
    home = service.installation.stack.home / f"edge-{service.installation.database}"
    edge = Edge(home, next(ports), next(ports), port)
    service.serve(port, workers=workers, **edge.environment, **environment)
    try:
        edge.start()
        yield edge
    finally:
        edge.stop()
