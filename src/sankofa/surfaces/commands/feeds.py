"""Commands about feeds: how each source is, and asking one now."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from sankofa.core.errors import Refused, ServiceError
from sankofa.feeds.running import Ended, Means, run
from sankofa.feeds.states import Feed, due, note, pause, workers_alive
from sankofa.ingest.source import Source
from sankofa.ingest.sources import named
from sankofa.ingest.sources import source as source_named
from sankofa.ingest.sources import sources as all_sources
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import Connection, connect
from sankofa.surfaces.settings import Settings
from sankofa.surfaces.telling import counted, progress, told

app = typer.Typer()
feeds = typer.Typer(help="Show how each feed is, run one now, or pause it.", invoke_without_command=True)
app.add_typer(feeds, name="feeds")
out = Console(soft_wrap=True, highlight=False, markup=False)
_COLUMNS = "{:22} {:8} {:16} {:16} {:16} {:>9} {:>12}  {}"
_HEADINGS = ("source", "state", "last good", "next due", "stale from", "documents", "rows", "reason")
_WELL = ("good", "new", "running", "paused")

Name = Annotated[str, typer.Argument(help="A source with a portal; `sankofa feeds` lists them.")]
Because = Annotated[str, typer.Option(help="The reason, recorded with the decision.")]


@feeds.callback()
def list_feeds(
    ctx: typer.Context,
    check: Annotated[bool, typer.Option(help="End with status 1 if a feed is late, held or failed.")] = False,  # noqa: FBT002  # an option
) -> None:
    """Show all sources that are fetched: how each is, when it was last good, is due, and becomes stale."""
    if ctx.invoked_subcommand:
        return
    with told():
        settings = Settings()
        now = datetime.now(UTC)
        with connect(settings.ingest_dsn) as connection:
            listed = note(connection, all_sources(settings.sources).values())
            alive = workers_alive(connection)
        out.print(_COLUMNS.format(*_HEADINGS))
        for feed in listed:
            out.print(_line(feed, now))
        out.print(
            f"workers that fetch: {alive}" if alive else "no worker fetches: start `sankofa work fetch`"
        )
        ill = [feed.source.name for feed in listed if feed.state(now) not in _WELL]
        if check and ill:
            raise Refused(f"not well: {', '.join(ill)}")


@feeds.command(name="run")
def run_feeds(
    names: Annotated[list[str] | None, typer.Argument(help="Sources to ask now.")] = None,
    is_due: Annotated[bool, typer.Option("--due", help="All that are due.")] = False,  # noqa: FBT002  # an option
) -> None:
    """Fetch everything new from these sources now, due or not."""
    with told():
        settings = Settings()
        if bool(names) == is_due:
            raise Refused("name the sources to run, or say --due")
        with connect(settings.ingest_dsn) as connection:
            known = all_sources(settings.sources)
            wanted = (
                [feed.source for feed in due(note(connection, known.values()))]
                if is_due
                else [named(name, known) for name in names or ()]
            )
            failed = [one.name for one in wanted if not _ran(connection, settings, one)]
            note(connection, known.values())
        if failed:
            raise Refused(f"failed: {', '.join(failed)}")


@feeds.command(name="pause")
def pause_feed(name: Name, because: Because) -> None:
    """Stop asking a source until somebody resumes it."""
    _decide(name, because, is_paused=True)


@feeds.command()
def resume(name: Name, because: Because) -> None:
    """Go on asking a source."""
    _decide(name, because, is_paused=False)


def means(settings: Settings) -> Means:
    """Return what this process asks sources with."""
    return Means(
        objects=Objects(settings.objects()),
        user_agent=settings.user_agent(),
        spool=Path(settings.spool) if settings.spool else None,
    )


def _decide(name: str, because: str, *, is_paused: bool) -> None:
    with told():
        settings = Settings()
        source = source_named(name, settings.sources)
        with connect(settings.ingest_dsn) as connection:
            pause(connection, source, because, is_paused=is_paused)
        out.print(f"{name} is {'paused' if is_paused else 'asked again when it is due'}")


def _ran(connection: Connection, settings: Settings, source: Source) -> bool:
    """Run a source and tell how it ended; a source that fails does not keep others from their turn."""
    try:
        with progress(f"documents of {source.name}") as bar:
            ended = run(
                connection, means(settings), source, lambda _document, _batch: bar.advance(bar.task_ids[0])
            )
    except ServiceError as failed:
        out.print(f"{source.name}: {failed}")
        return False
    _tell(source, ended)
    return True


def _tell(source: Source, ended: Ended) -> None:
    brought = {"documents": ended.brought.documents, "new": ended.brought.new_documents}
    out.print(f"{source.name}: {ended.outcome}; {counted(brought)}; rows: {ended.brought.rows:,}")
    for reason in ended.reasons:
        out.print(f"  {reason}")
    if ended.outcome == "held":
        out.print("  `sankofa held` releases it; so does a later run that is good")


def _line(feed: Feed, now: datetime) -> str:
    reason = feed.paused_because or "; ".join(feed.reasons)
    return _COLUMNS.format(
        feed.source.name,
        feed.state(now),
        _moment(feed.good_at),
        _next(feed, now),
        _moment(feed.stale_at) if feed.stale_at else "",
        _count(feed.documents),
        _count(feed.rows),
        reason,
    ).rstrip()


def _next(feed: Feed, now: datetime) -> str:
    if feed.next_due is None:
        return "frozen" if feed.source.frozen else "when asked"
    return "now" if feed.next_due <= now else _moment(feed.next_due)


def _moment(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d %H:%M}" if moment else "never"


def _count(number: int | None) -> str:
    return "" if number is None else f"{number:,}"
