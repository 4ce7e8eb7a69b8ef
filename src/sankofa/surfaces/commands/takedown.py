"""The command that removes something from every edition."""

from __future__ import annotations

import uuid
from contextlib import suppress
from typing import Annotated

import typer
from rich.console import Console

from sankofa.core.errors import StoreUnavailable
from sankofa.editions import takedown
from sankofa.editions.takedown_journal import newest_takedown, takedown_journal
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import connect
from sankofa.surfaces.commands.export import withdraw_files
from sankofa.surfaces.settings import Settings
from sankofa.surfaces.telling import told

app = typer.Typer()
out = Console(soft_wrap=True)


@app.command("takedown")
def take_down(
    service_id: str,
    reason: Annotated[str, typer.Option()],
    fact: Annotated[uuid.UUID | None, typer.Option(help="Only this fact; default: the whole issuer.")] = None,
) -> None:
    """Remove an issuer, or one fact of it, from every edition at once."""
    settings = Settings()
    with told(), connect(settings.privacy_dsn) as connection:
        journal = takedown_journal(Objects(settings.journal()), connection)
        with suppress(StoreUnavailable):  # what must go cannot wait for S3
            journal.require_not_ahead()
        before = newest_takedown(connection)
        if fact is None:
            numbers = takedown.take_down_issuer(connection, service_id, reason)
        else:
            numbers = [takedown.take_down_fact(connection, service_id, fact, reason)]
        try:
            journal.keep_after(before)
            files = withdraw_files(settings, settings.privacy_dsn)
        except StoreUnavailable as error:
            raise StoreUnavailable(
                error.component,
                f"takedown {', '.join(map(str, numbers))} is recorded, and gone from every edition. Once S3 "
                "answers, `sankofa follow` adds it to the journal, and `sankofa export` removes files",
            ) from error
        out.print(
            f"takedown {', '.join(map(str, numbers))}: gone from every edition; publish to apply it onward"
        )
        if files:
            out.print(f"files withdrawn with it: {files}; export and publish once more to write them anew")
