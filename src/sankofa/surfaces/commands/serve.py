"""The command that serves the API."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sankofa.surfaces import logs
from sankofa.surfaces.server import Server
from sankofa.surfaces.terminal import running

app = typer.Typer()


@app.command()
def serve(
    host: str = "127.0.0.1",
    port: int = 8080,
    workers: int = 1,
    drain_seconds: Annotated[
        float,
        typer.Option(min=0, help="How long /health fails before a stop, for a load balancer to see it."),
    ] = 0,
    pid_file: Path | None = None,
) -> None:
    """Serve the API."""
    with running("serve"):
        pass  # each process of the server reads the settings anew
    logs.configure()
    Server(host, port, workers, drain_seconds=drain_seconds, pid_file=pid_file).run()
