"""Commands that make and list editions."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Annotated, Any, cast

import typer
from rich.console import Console

from sankofa.core.errors import BelowFloor, HeldBack
from sankofa.drift.holds import waiting
from sankofa.editions.publish import Progress, Published, Publisher, is_due
from sankofa.editions.publish import publish as publish_edition
from sankofa.editions.takedown_journal import takedown_journal
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import connect, listen
from sankofa.surfaces.commands.work import attached_workers
from sankofa.surfaces.publishing import publisher
from sankofa.surfaces.settings import Settings
from sankofa.surfaces.terminal import AsJson, counted, keep_on, print_json, progress, running
from sankofa.surfaces.withdrawing import withdraw_files

app = typer.Typer()
out = Console(soft_wrap=True)
_LOOK_AGAIN_SECONDS = 60.0  # a notification may be lost with the connection that it was sent on
_REFUSED_SECONDS = (60.0, 3_600.0)  # until a refused build is tried again: at first, and at most
_CallWorkers = Callable[[], None]


@app.command()
def publish(
    watch: Annotated[bool, typer.Option(help="Go on publishing whenever something new is in.")] = False,  # noqa: FBT002  # an option
    interval: Annotated[
        float, typer.Option(min=0, help="With --watch: the least seconds between two editions.")
    ] = 0.2,
    workers: Annotated[
        int, typer.Option(min=1, help="How many processes share the work; `sankofa work` adds others.")
    ] = 1,
    override: Annotated[
        str, typer.Option(help="Publish once though it is below a floor of quality: the reason, recorded.")
    ] = "",
) -> None:
    """Make the next edition current from everything that is new."""
    with running("publish") as settings, attached_workers(workers - 1) as call_workers:
        signed = publisher(settings, override=override, signing_key=settings.signing())

        def first() -> None:
            _require_caught_up(settings)
            _print(_publish(settings, signed, call_workers))

        if watch:
            keep_on("publish", lambda: _until_accepted(first))
        else:
            first()
        _watch(settings, interval, call_workers, goes_on=watch)


def _watch(settings: Settings, interval: float, call_workers: _CallWorkers, *, goes_on: bool) -> None:
    """Publish when something arrives, but not more often than `interval`; print what is held back."""
    writer = publisher(settings, signing_key=settings.signing())
    if goes_on:
        keep_on("publish", lambda: _publish_arrivals(settings, writer, interval, call_workers))
    else:
        _print_held(writer, 0)


def _publish_arrivals(
    settings: Settings, writer: Publisher, interval: float, call_workers: _CallWorkers
) -> None:
    held = _print_held(writer, 0)
    with connect(writer.dsn) as connection:
        connection.execute("LISTEN sankofa_arrivals")
        while True:
            if is_due(connection, writer):
                _until_accepted(lambda: _publish_arrived(settings, writer, call_workers))
                held = _print_held(writer, held)
                time.sleep(interval)
            listen(connection, _LOOK_AGAIN_SECONDS)


def _publish_arrived(settings: Settings, writer: Publisher, call_workers: _CallWorkers) -> None:
    if edition := _publish(settings, writer, call_workers):
        _print(edition)


def _until_accepted(publish: Callable[[], None]) -> None:
    """Publish. A refused build is tried again after pauses that grow, since it may have been mended."""
    pause, longest = _REFUSED_SECONDS
    while True:
        try:
            publish()
        except (BelowFloor, HeldBack) as refusal:
            out.print(f"refused: {refusal}; tried again in {pause / 60:.0f} min", markup=False)
            time.sleep(pause)
            pause = min(2 * pause, longest)
        else:
            return


def _require_caught_up(settings: Settings) -> None:
    """Raise Refused if a restored database lacks takedowns of the journal."""
    with connect(settings.publish_dsn) as connection:
        takedown_journal(Objects(settings.journal()), connection).require_not_ahead()


def _publish(settings: Settings, writer: Publisher, call_workers: _CallWorkers) -> Published | None:
    with progress("parts of the edition") as bar:
        task = bar.task_ids[0]
        edition = _publish_rest(
            writer, lambda done, total: bar.update(task, completed=done, total=total), call_workers
        )
    if edition:  # who is no longer established was taken down
        withdraw_files(settings, writer.dsn)
    return edition


def _publish_rest(writer: Publisher, advance: Progress, call_workers: _CallWorkers) -> Published | None:
    """Publish; if documents that would take down too many were held back by this, publish everything else."""
    while True:
        try:
            return publish_edition(writer, advance, call_workers)
        except HeldBack as held:
            if not held.is_by_documents:
                raise
            out.print(f"{held}; the documents that say so are held back", markup=False)


def _print_held(writer: Publisher, before: int) -> int:
    """Print how many holds wait for a decision if the number changed, and return it."""
    with connect(writer.dsn) as connection:
        held = waiting(connection)
    if held and held != before:
        out.print(f"held back: {held:,}, waiting for a decision; `sankofa held` lists them and says why")
    return held


def _print(edition: Published | None) -> None:
    if edition is None:
        out.print("nothing is new: the current edition stands")
        return
    changes = {name: change.counts() for name, change in edition.changes.items()}
    out.print(f"edition {edition.edition} ({edition.mark}) is current; {_changed(changes)}")
    if "organisation_rules" in edition.changed_rules:
        out.print("the organisation rules changed: `sankofa organisations flips` lists who is newly shown")


def _changed(changes: Mapping[str, Mapping[str, Mapping[str, int]]]) -> str:
    """Return the changes of an edition as text, by dataset; datasets without changes are left out."""
    acts = {
        dataset: [f"{act} {counted(change[act])}" for act in ("put", "removed") if any(change[act].values())]
        for dataset, change in changes.items()
    }
    return (
        "; ".join(f"{dataset}: {', '.join(done)}" for dataset, done in acts.items() if done)
        or "no row changed"
    )


@app.command()
def editions(*, as_json: Annotated[bool, AsJson] = False) -> None:
    """List the editions, newest first."""
    with running("editions") as settings, connect(settings.publish_dsn) as connection:
        listed = connection.execute(
            "SELECT edition, mark, published_at, changes FROM serving.edition ORDER BY edition DESC"
        ).fetchall()
        if as_json:
            names = ("edition", "mark", "published_at", "changes")
            print_json([dict(zip(names, row, strict=True)) for row in listed])
            return
        for edition, mark, published_at, changes in cast("list[tuple[int, str, datetime, Any]]", listed):
            out.print(f"{edition} ({mark}) {published_at:%Y-%m-%d %H:%M:%S} UTC; {_changed(changes)}")
