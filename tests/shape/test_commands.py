"""The list of commands and the modules that hold them say the same."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from typer.main import get_group

from sankofa.surfaces import commands
from sankofa.surfaces.cli import MODULES


def test_every_command_is_listed_with_the_module_that_holds_it():
    names = [module.name for module in iter_modules(commands.__path__)]
    apps = {name: import_module(f"{commands.__name__}.{name}").app for name in names}
    held = {command: name for name, app in apps.items() for command in get_group(app).commands}
    assert held == MODULES
