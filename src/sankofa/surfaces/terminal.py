"""How commands begin, report errors and progress, and print results."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager

import msgspec
import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from sankofa.core.errors import ServiceError, StoreUnavailable
from sankofa.ingest.bytes.bounds import is_repair
from sankofa.storage.postgres import OperationalError, operators_error
from sankofa.surfaces.settings import Settings
from sankofa.surfaces.settings_check import load

_AGAIN_SECONDS = 1.0
AsJson = typer.Option("--json", help="Print JSON instead of text.")


@contextmanager
def running(command: str, *, needs: Iterable[str] | None = None) -> Iterator[Settings]:
    """Check the settings of a command, yield them, and report an operator's error without a traceback.

    The command ends with status 1 then. A fault of the program keeps its traceback.
    """
    try:
        yield load(command, needs=needs)
    except ServiceError as error:
        raise _failed(str(error)) from None
    except OSError as error:
        raise _failed(
            f"{error.strerror or error}: {error.filename}" if error.filename else str(error)
        ) from None
    except Exception as error:
        reason = operators_error(error)
        if reason is None:
            raise
        raise _failed(reason) from None


def keep_on(duty: str, act: Callable[[], None]) -> None:
    """Run a duty. If it loses the database, as in a failover, begin it again."""
    while True:
        try:
            act()
        except (StoreUnavailable, OperationalError) as lost:
            reason = str(lost) if isinstance(lost, ServiceError) else operators_error(lost)
            Console(soft_wrap=True).print(f"{duty} begins again: {reason}", markup=False)
            time.sleep(_AGAIN_SECONDS)
        else:
            return


def _failed(reason: str) -> typer.Exit:
    console = Console(stderr=True, soft_wrap=True, highlight=False)
    console.print(f"[red]error:[/red] {escape(reason)}")
    return typer.Exit(1)


@contextmanager
def progress(label: str, total: int | None = None) -> Iterator[Progress]:
    """Show a bar on a terminal and nothing elsewhere; the last line of the command has the result."""
    columns = (SpinnerColumn(), TextColumn("{task.description}"), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty()) as bar:
        bar.add_task(escape(label), total=total)
        yield bar


@contextmanager
def waiting(label: str) -> Iterator[None]:
    """Show on a terminal that something without countable steps is under way, and for how long."""
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not sys.stderr.isatty(), transient=True) as bar:
        bar.add_task(escape(label), total=None)
        yield


def print_json(value: object) -> None:
    """Print a result as one JSON document; moments are in UTC."""
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n")


def counted(counts: Mapping[str, int]) -> str:
    """Return how many of each there are, the largest number first."""
    most = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    return ", ".join(f"{count:,} {what}" for what, count in most if count) or "none"


def not_taken(counts: Mapping[str, int]) -> str:
    """Return a line with the counts of refused rows and repaired fields, by reason."""
    repaired = {reason: n for reason, n in counts.items() if is_repair(reason)}
    refused = {reason: n for reason, n in counts.items() if reason not in repaired}
    return f"rejected: {counted(refused)}" + (f"; fields: {counted(repaired)}" if repaired else "")
