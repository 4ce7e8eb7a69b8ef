"""How commands speak of failures."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer
from rich.console import Console

from sankofa.core.errors import ServiceError


@contextmanager
def told() -> Iterator[None]:
    """Say what went wrong in one line and leave with status 1; a fault keeps its traceback."""
    try:
        yield
    except ServiceError as error:
        console = Console(stderr=True, soft_wrap=True)
        console.print(f"[red]{type(error).__name__}[/red] {error}", highlight=False)
        raise typer.Exit(1) from None
