"""The command that removes something from every edition."""

from __future__ import annotations

import sys
import uuid
from contextlib import suppress
from typing import Annotated

import typer
from rich.console import Console

from sankofa.core.errors import Refused, StoreUnavailable
from sankofa.editions import takedown
from sankofa.editions.takedown_journal import newest_takedown, takedown_journal
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import Connection, connect, within
from sankofa.surfaces.operator import AsOperator, acting
from sankofa.surfaces.settings import Settings
from sankofa.surfaces.terminal import AsJson, print_json, running, waiting
from sankofa.surfaces.withdrawing import withdraw_files

app = typer.Typer()
out = Console(soft_wrap=True)
_SECONDS = 1_800  # for all rows of an issuer in all editions


@app.command("takedown")
def take_down(
    service_id: Annotated[str, typer.Argument(help="The issuer; `sankofa identify` prints its id.")],
    reason: Annotated[str, typer.Option(help="The reason, recorded with the takedown.")],
    fact: Annotated[uuid.UUID | None, typer.Option(help="Only this fact; default: the whole issuer.")] = None,
    *,
    operator: Annotated[str, AsOperator] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what would go, and change nothing.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before the takedown.")] = False,
) -> None:
    """Remove an issuer, or one fact of it, from every edition at once. This cannot be undone."""
    with running("takedown") as settings, connect(settings.privacy_dsn) as connection:
        if dry_run:
            out.print(f"{_preview(connection, service_id, fact)} would go; nothing was changed")
            return
        if not yes:
            _confirm(connection, service_id, fact)
        _take_down(settings, connection, service_id, fact, reason=reason, operator=acting(operator, settings))


def _preview(connection: Connection, service_id: str, fact: uuid.UUID | None) -> str:
    with waiting("finding the rows"):
        found = takedown.preview(connection, service_id, fact)
    subject = f"fact {fact} of" if fact else "everything of"
    return f"{subject} {', '.join(found.service_ids)} ({found.rows:,} rows over all editions)"


def _confirm(connection: Connection, service_id: str, fact: uuid.UUID | None) -> None:
    """Prompt for confirmation on a terminal; elsewhere `--yes` is required."""
    if not sys.stdin.isatty():
        raise Refused(
            "a takedown cannot be undone: use --yes to confirm it, or --dry-run to see what would go"
        )
    question = f"Remove {_preview(connection, service_id, fact)}? This cannot be undone."
    if not typer.confirm(question, err=True):
        raise Refused("nothing was changed")


@app.command("takedowns")
def list_takedowns(*, as_json: Annotated[bool, AsJson] = False) -> None:
    """List every takedown: when, what, who decided, and why."""
    with running("takedowns") as settings, connect(settings.privacy_dsn) as connection:
        found = list(takedown.takedowns(connection))
    if as_json:
        print_json([each._asdict() for each in found])
        return
    for each in found:
        moment = f"{each.decided_at:%Y-%m-%d %H:%M}Z"
        line = (
            f"{each.takedown:>5}  {moment}  {each.operator or 'a rule':16}  {each.target:38}  {each.reason}"
        )
        out.print(line, highlight=False, markup=False)


def _take_down(
    settings: Settings,
    connection: Connection,
    service_id: str,
    fact: uuid.UUID | None,
    **record: str,
) -> None:
    with waiting("removing rows and files"), within(connection, _SECONDS):
        journal = takedown_journal(Objects(settings.journal()), connection)
        with suppress(StoreUnavailable):  # what must go cannot wait for S3
            journal.require_not_ahead()
        before = newest_takedown(connection)
        if fact is None:
            numbers = takedown.take_down_issuer(connection, service_id, **record)
        else:
            numbers = [takedown.take_down_fact(connection, service_id, fact, **record)]
        try:
            journal.keep_after(before)
            files = withdraw_files(settings, settings.privacy_dsn)
        except StoreUnavailable as error:
            raise StoreUnavailable(
                error.component,
                f"takedown {', '.join(map(str, numbers))} is recorded, and gone from every edition. Once S3 "
                "answers, `sankofa follow` adds it to the journal, and `sankofa export` removes files",
            ) from error
    out.print(f"takedown {', '.join(map(str, numbers))}: gone from every edition; publish to apply it onward")
    if files:
        out.print(f"files withdrawn with it: {files}; export and publish once more to write them anew")
