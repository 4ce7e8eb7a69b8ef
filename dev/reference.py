"""The reference pages that are made from code, so that they cannot fall behind it."""

import json
from pathlib import Path

from pydantic import SecretStr

from dev.stack import ROOT
from sankofa.surfaces.settings import Settings

SETTINGS_PAGE = ROOT / "docs" / "reference" / "settings.md"
METRICS_PAGE = ROOT / "docs" / "methodology" / "metrics.md"

_SETTINGS = """\
# Settings

An installation is described by environment variables, and only `surfaces/settings.py` reads them. A command
asks for those that it uses and refuses to guess a database that is not named. Lists and tables are written
as JSON. For the local stack, `.venv/bin/python -m dev env` prints what it needs.

This page is made by `.venv/bin/python -m dev settings`.

| variable | default | says |
|---|---|---|
{rows}
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
        rows.append(f"| `{prefix}{name.upper()}` | {shown} | {field.description} |")
    return _SETTINGS.format(rows="\n".join(rows))


def write(page: Path, text: str) -> None:
    """Write a page to its place."""
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text, encoding="utf-8")
