"""The command line: which commands there are; only the one that is asked for is loaded.

Each works under its own database role. A server that starts need not read what ingests, exports or publishes.
"""

from __future__ import annotations

from importlib import import_module

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
    "catch-up": "catch_up",
    "keys": "keys",
    "follow": "follow",
    "serve": "serve",
}


class Commands(TyperGroup):
    """The commands, each found in its module when it is needed."""

    def list_commands(self, ctx: Context) -> list[str]:  # noqa: ARG002 - as the group is asked
        """Return the names of all."""
        return list(MODULES)

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:
        """Return one by its name."""
        if cmd_name not in MODULES:
            return None
        module = import_module(f"sankofa.surfaces.commands.{MODULES[cmd_name]}")
        return get_group(module.app).get_command(ctx, cmd_name)


app = typer.Typer(cls=Commands, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)


@app.callback()
def sankofa() -> None:
    """Do what an operator does: one command for each duty, each under its own database role."""
