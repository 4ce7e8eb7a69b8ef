"""The command line: which commands there are; only the one that is asked for is loaded.

Each works under its own database role. A server that starts need not read what ingests, exports or publishes.
"""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import version
from typing import Annotated

import typer
from typer._click.core import Command, Context
from typer.core import TyperGroup
from typer.main import get_group

# By command, the module that holds it; the order is that of an installation's life.
MODULES = {
    "bootstrap": "schema",
    "migrate": "schema",
    "sources": "sources",
    "ingest": "documents",
    "fetch": "portals",
    "feeds": "feeds",
    "correct": "correct",
    "publish": "editions",
    "work": "work",
    "editions": "editions",
    "held": "held",
    "audit": "quality",
    "sample": "quality",
    "export": "export",
    "tidy": "tidy",
    "verify": "verify",
    "identify": "organisations",
    "merge": "organisations",
    "split": "organisations",
    "organisations": "organisations",
    "takedown": "takedown",
    "takedowns": "takedown",
    "catch-up": "catch_up",
    "keys": "keys",
    "follow": "follow",
    "serve": "serve",
    "doctor": "doctor",
}


class Commands(TyperGroup):
    """The commands, each found in its module when it is needed."""

    def list_commands(self, ctx: Context) -> list[str]:  # noqa: ARG002 - as the group is asked
        """Return the names of all."""
        return list(MODULES)

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, Command | None, list[str]]:
        """Find the command that the arguments name, or suggest those that are spelled alike."""
        if args and args[0] not in MODULES and not args[0].startswith("-"):
            alike = [f"`{name}`" for name in get_close_matches(args[0], MODULES)]
            suggestion = f" Did you mean {' or '.join(alike)}?" if alike else " `sankofa --help` lists all."
            ctx.fail(f"There is no command `{args[0]}`.{suggestion}")
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:
        """Return one by its name."""
        if cmd_name not in MODULES:
            return None
        module = import_module(f"sankofa.surfaces.commands.{MODULES[cmd_name]}")
        return get_group(module.app).get_command(ctx, cmd_name)


app = typer.Typer(cls=Commands, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)


def _print_version(wanted: bool) -> None:  # noqa: FBT001 - as an option calls it
    if wanted:
        typer.echo(f"sankofa {version('sankofa')}")
        raise typer.Exit


@app.callback()
def sankofa(
    *,
    _version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    """Do what an operator does: one command for each duty, each under its own database role."""
