"""The reference pages that are made from code, so that they cannot fall behind it."""

import json
from collections.abc import Iterator
from pathlib import Path

from pydantic import SecretStr

from dev.stack import ROOT
from sankofa.surfaces.command_settings import SETTINGS_OF, commands_with, is_required
from sankofa.surfaces.settings import Settings

SETTINGS_PAGE = ROOT / "docs" / "reference" / "settings.md"
METRICS_PAGE = ROOT / "docs" / "methodology" / "metrics.md"
QUALITY_PAGE = ROOT / "docs" / "methodology" / "quality.md"

_SETTINGS = """\
# Settings

An installation is described by environment variables, and only `surfaces/settings.py` reads them. A command
checks those that it uses before it begins, and lists all that are missing or cannot be used. Lists and tables
are written as JSON. For the local stack, `.venv/bin/python -m dev env` prints what it needs. `sankofa doctor`
checks the settings of a machine, and the stores that they name.

**Secrets as files.** What is not in the environment may be in a file under `/run/secrets` with the variable's
name in lower case: `/run/secrets/sankofa_read_dsn`. Containers are given their secrets there, and
`SANKOFA_SECRETS_FOLDER` names another folder. The environment comes first.
[Secrets](../operations/secrets.md) shows how to replace each secret while the service runs.

This page is made by `.venv/bin/python -m dev settings`.

## All settings

| variable | default | read by | meaning |
|---|---|---|---|
{rows}

## What a command must be given

All else has a default that works, or may be left out.

| command | needs |
|---|---|
{commands}
"""


def settings_page() -> str:
    """Return the page that describes every setting."""
    prefix = Settings.model_config["env_prefix"]
    rows = []
    for name, field in Settings.model_fields.items():
        default = field.get_default(call_default_factory=True)
        if isinstance(default, SecretStr):
            default = default.get_secret_value()
        shown = f"`{default if isinstance(default, str) else json.dumps(default)}`" if default else "none"
        commands = ", ".join(f"`{command}`" for command in commands_with(name)) or "all"
        rows.append(f"| `{prefix}{name.upper()}` | {shown} | {commands} | {field.description} |")
    return _SETTINGS.format(rows="\n".join(rows), commands="\n".join(_needs(prefix)))


def _needs(prefix: str) -> Iterator[str]:
    for command, read in SETTINGS_OF.items():
        needed = [f"`{prefix}{name.upper()}`" for name in read if is_required(name)]
        yield f"| `sankofa {command}` | {', '.join(needed) or 'nothing'} |"


def write(page: Path, text: str) -> None:
    """Write a page to its place."""
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text, encoding="utf-8")
