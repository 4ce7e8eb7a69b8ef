"""Commands about feeds: the state of each source, and fetching from one now."""

from __future__ import annotations

from collections.abc import Sequence
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
from sankofa.surfaces.parsing import parsing
from sankofa.surfaces.settings import Settings
from sankofa.surfaces.terminal import AsJson, counted, print_json, progress, running

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
    *,
    check: Annotated[
        bool,
        typer.Option(help="End with status 1 if a feed is late, held or failed, or if no worker is alive."),
    ] = False,
    as_json: Annotated[bool, AsJson] = False,
) -> None:
    """Show all sources that are fetched: how each is, when it was last good, is due, and becomes stale."""
    if ctx.invoked_subcommand:
        return
    with running("feeds list") as settings:
        now = datetime.now(UTC)
        with connect(settings.ingest_dsn) as connection:
            listed = note(connection, all_sources(settings.sources).values())
            alive = workers_alive(connection)
        if as_json:
            print_json({"workers": alive, "feeds": [_row(feed, now) for feed in listed]})
        else:
            _print_table(listed, alive, now)
        if check and (problems := feed_problems(listed, alive, now)):
            raise Refused("; ".join(problems))


@feeds.command(name="run")
def run_feeds(
    names: Annotated[list[str] | None, typer.Argument(help="Sources to ask now.")] = None,
    is_due: Annotated[bool, typer.Option("--due", help="All that are due.")] = False,  # noqa: FBT002  # an option
) -> None:
    """Fetch everything new from these sources now, due or not."""
    with running("feeds run") as settings:
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
    """Stop fetching from a source until it is resumed."""
    _decide(name, because, is_paused=True)


@feeds.command()
def resume(name: Name, because: Because) -> None:
    """Resume fetching from a source."""
    _decide(name, because, is_paused=False)


def feed_problems(listed: Sequence[Feed], workers: int, now: datetime) -> list[str]:
    """Return a sentence about each problem that needs an operator."""
    ill = [f"{feed.source.name} ({feed.state(now)})" for feed in listed if feed.state(now) not in _WELL]
    problems = [f"not well: {', '.join(ill)}"] if ill else []
    if not workers:
        problems.append("no worker fetches: start `sankofa work fetch`")
    return problems


def means(settings: Settings) -> Means:
    """Return the connections and settings with which this process fetches from sources."""
    return Means(
        objects=Objects(settings.objects()),
        user_agent=settings.user_agent(),
        spool=Path(settings.spool) if settings.spool else None,
        keys={name: key.get_secret_value() for name, key in settings.portal_keys.items()},
        parsing=parsing(settings),
    )


def _decide(name: str, because: str, *, is_paused: bool) -> None:
    with running("feeds pause") as settings:
        source = source_named(name, settings.sources)
        with connect(settings.ingest_dsn) as connection:
            pause(connection, source, because, is_paused=is_paused)
        out.print(f"{name} is {'paused' if is_paused else 'asked again when it is due'}")


def _ran(connection: Connection, settings: Settings, source: Source) -> bool:
    """Run a source and print the outcome; a failure does not stop the other sources."""
    try:
        with progress(f"documents of {source.name}") as bar:
            ended = run(
                connection, means(settings), source, lambda _document, _batch: bar.advance(bar.task_ids[0])
            )
    except ServiceError as failed:
        out.print(f"{source.name}: {failed}")
        return False
    _print(source, ended)
    return True


def _print(source: Source, ended: Ended) -> None:
    brought = {"documents": ended.brought.documents, "new": ended.brought.new_documents}
    out.print(f"{source.name}: {ended.outcome}; {counted(brought)}; rows: {ended.brought.rows:,}")
    for reason in ended.reasons:
        out.print(f"  {reason}")
    if ended.outcome == "held":
        out.print("  `sankofa held` releases it; so does a later run that is good")


def _print_table(listed: Sequence[Feed], workers: int, now: datetime) -> None:
    out.print(_COLUMNS.format(*_HEADINGS))
    for feed in listed:
        out.print(_line(feed, now))
    out.print(
        f"workers that fetch: {workers}" if workers else "no worker fetches: start `sankofa work fetch`"
    )


def _row(feed: Feed, now: datetime) -> dict[str, object]:
    return {
        "source": feed.source.name,
        "state": feed.state(now),
        "last_good_at": feed.good_at,
        "next_due_at": feed.next_due,
        "stale_at": feed.stale_at,
        "documents": feed.documents,
        "rows": feed.rows,
        "reasons": [feed.paused_because] if feed.paused_because else feed.reasons,
    }


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
