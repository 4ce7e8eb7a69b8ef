"""The command about documents that were ingested with a wrong day."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import Annotated

import typer
from rich.console import Console

from sankofa.core.errors import Refused
from sankofa.ingest.correcting import carry_out, decide
from sankofa.ingest.sources import named, sources
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import connect
from sankofa.surfaces.parsing import parsing
from sankofa.surfaces.terminal import progress, running

app = typer.Typer()
out = Console(soft_wrap=True, highlight=False)
_SHA256_BYTES = 32


@app.command()
def correct(
    source: Annotated[str, typer.Argument(help="The source of the document.")],
    sha256: Annotated[str, typer.Argument(help="Its SHA-256, as `source_ref` has it.")],
    fetched_at: Annotated[datetime, typer.Option(help="When it was really fetched (UTC).")],
    because: Annotated[str, typer.Option(help="The reason, recorded with the decision.")],
) -> None:
    """Record that a document was fetched on another day than it was ingested with, and read it again."""
    with running("correct") as settings:
        objects = Objects(settings.objects())
        known = partial(named, known=sources(settings.sources))
        moment = fetched_at.replace(tzinfo=UTC)
        with connect(settings.review_dsn) as connection:
            number = decide(connection, known(source).name, _digest(sha256), moment, because)
        with connect(settings.ingest_dsn) as connection, progress("documents") as bar:
            done = carry_out(
                connection,
                objects,
                number,
                known,
                lambda done, total: bar.update(bar.task_ids[0], completed=done, total=total),
                parsing=parsing(settings),
            )
        out.print(
            f"correction {done.correction}: documents read again: {done.documents:,}; facts appended: "
            f"{done.appended:,}; publish to apply it"
        )


def _digest(written: str) -> bytes:
    try:
        digest = bytes.fromhex(written)
    except ValueError:
        digest = b""
    if len(digest) != _SHA256_BYTES:
        raise Refused("a SHA-256 has 64 hexadecimal digits; `source_ref` has it after `@sha256:`")
    return digest
