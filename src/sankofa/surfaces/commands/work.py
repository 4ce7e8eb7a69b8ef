"""The command that joins builds: as many workers, on as many machines, as a publish should use."""

from __future__ import annotations

import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from rich.console import Console

from sankofa.editions.work import work as join_builds
from sankofa.surfaces.publishing import publisher
from sankofa.surfaces.settings import Settings
from sankofa.surfaces.telling import told

app = typer.Typer()
out = Console(soft_wrap=True)


@app.command()
def work(
    attached: Annotated[bool, typer.Option(hidden=True, help="End when stdin is closed.")] = False,  # noqa: FBT002  # an option
) -> None:
    """Do parts of the editions that `sankofa publish` builds, on this or any other machine, until ended."""
    with told():
        writer = publisher(Settings())
        if not attached:
            out.print("waiting for a build to join; Ctrl-C ends this")
        join_builds(
            writer.dsn,
            writer.stages,
            writer.versions(),
            is_wanted=_is_input_open if attached else lambda: True,
            report=(lambda _edition, _chunks: None) if attached else _report,
        )


def _report(edition: int, chunks: int) -> None:
    out.print(f"edition {edition}: {chunks:,} {'part' if chunks == 1 else 'parts'} done")


def _is_input_open() -> bool:
    """Return whether whoever started this process still holds its standard input."""
    return not select.select([sys.stdin], [], [], 0)[0]


@contextmanager
def attached_workers(count: int) -> Iterator[Callable[[], None]]:
    """Yield a function that starts `count` workers when it is first called; they end with the block.

    They also end, after the part they are at work on, if this process is killed.
    """
    started: list[subprocess.Popen[bytes]] = []

    def start() -> None:
        if not started:
            command = [sys.executable, "-m", "sankofa.surfaces", "work", "--attached"]
            started.extend(subprocess.Popen(command, stdin=subprocess.PIPE) for _ in range(count))

    try:
        yield start
    finally:
        for worker in started:
            worker.terminate()
        for worker in started:
            worker.wait()
