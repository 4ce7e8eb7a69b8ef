"""The command that completes a database restored from a backup, from S3."""

from __future__ import annotations

from collections import Counter
from functools import partial

import typer
from rich.console import Console

from sankofa.access import catching_up
from sankofa.access.key_journal import key_journal
from sankofa.editions import takedown_journal
from sankofa.ingest.archive import unread
from sankofa.ingest.run import ingest
from sankofa.ingest.sources import named, sources
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import connect
from sankofa.storage.redis import JobStore
from sankofa.surfaces.parsing import parsing
from sankofa.surfaces.settings import Settings
from sankofa.surfaces.terminal import counted, progress, running, waiting

app = typer.Typer()
out = Console(soft_wrap=True, highlight=False)


@app.command("catch-up")
def catch_up() -> None:
    """Apply takedowns, key events and documents that are newer than a restored backup."""
    with running("catch-up") as settings:
        _takedowns(settings)
        _keys(settings)
        _documents(settings)


def _takedowns(settings: Settings) -> None:
    with connect(settings.privacy_dsn) as connection, waiting("takedowns"):
        journal = takedown_journal.takedown_journal(Objects(settings.journal()), connection)
        out.print(f"takedowns repeated: {takedown_journal.catch_up(connection, journal):,}")


def _keys(settings: Settings) -> None:
    store = JobStore(settings.key_store())
    with connect(settings.keys_dsn) as connection, waiting("key events"):
        journal = key_journal(Objects(settings.journal()), connection)
        done = catching_up.catch_up(connection, store, journal)
    store.close()
    out.print(
        f"key events entered: {done.from_journal:,} from the journal, "
        f"{done.from_store:,} from the key store; the newest is {done.newest}"
    )
    if not done.is_certain:
        out.print("some key events are lost: `sankofa keys list`, and revoke again what was revoked last")


def _documents(settings: Settings) -> None:
    """Ingest the documents of the archive that the database has not read."""
    objects, limited = Objects(settings.objects()), parsing(settings)
    known = partial(named, known=sources(settings.sources))
    outcomes = Counter[str]()
    with connect(settings.ingest_dsn) as connection, progress("documents") as bar:
        for document in unread(connection, objects, known):
            outcomes[ingest(connection, objects, document, parsing=limited).outcome] += 1
            bar.advance(bar.task_ids[0])
    out.print(f"documents read again: {counted(outcomes)}")
