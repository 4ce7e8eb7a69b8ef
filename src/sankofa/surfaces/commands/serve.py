"""The command that serves the API."""

from __future__ import annotations

from pathlib import Path

import typer
from granian.constants import Interfaces, Loops
from granian.server import Server as Granian

app = typer.Typer()


@app.command()
def serve(host: str = "127.0.0.1", port: int = 8080, workers: int = 1, pid_file: Path | None = None) -> None:
    """Serve the API."""
    Granian(
        "sankofa.surfaces.rest:create",
        factory=True,
        address=host,
        port=port,
        workers=workers,
        interface=Interfaces.ASGI,
        loop=Loops.uvloop,
        websockets=False,
        pid_file=pid_file,
    ).serve()
