"""The command that serves the API."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Annotated

import typer

from sankofa.core.errors import Refused
from sankofa.surfaces import logs
from sankofa.surfaces.server import Server
from sankofa.surfaces.terminal import running

app = typer.Typer()


@app.command()
def serve(
    host: str = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535)] = 8080,
    workers: Annotated[int, typer.Option(min=1)] = 1,
    drain_seconds: Annotated[
        float,
        typer.Option(
            min=0, help="How long /ready and /health fail before a stop, for a load balancer to see it."
        ),
    ] = 0,
    pid_file: Path | None = None,
) -> None:
    """Serve the API."""
    with running("serve") as settings:  # each process of the server reads the settings anew
        _require_free(host, port)
        metrics = settings.metrics_address()
        if metrics:
            _require_free(*metrics)
    logs.configure()
    Server(host, port, workers, drain_seconds=drain_seconds, pid_file=pid_file, metrics=metrics).run()


def _require_free(host: str, port: int) -> None:
    """Refuse an address that cannot be listened on; the server would end with a backtrace."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        socket.create_server(address[:2], family=family).close()
    except OSError as error:
        raise Refused(f"cannot listen on {host}, port {port}: {error.strerror}") from None
