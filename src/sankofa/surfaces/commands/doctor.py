"""The command that checks an installation."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from sankofa.core.errors import Refused
from sankofa.surfaces.command_settings import SETTINGS_OF
from sankofa.surfaces.doctor import Finding, examine
from sankofa.surfaces.settings_check import read
from sankofa.surfaces.terminal import AsJson, print_json, running, waiting

app = typer.Typer()
out = Console(soft_wrap=True, highlight=False, markup=False)


@app.command()
def doctor(
    commands: Annotated[
        list[str] | None,
        typer.Argument(help="Commands that this machine has to run: their settings must be complete."),
    ] = None,
    *,
    as_json: Annotated[bool, AsJson] = False,
) -> None:
    """Check settings, logins, stores, migrations, clocks, buckets and feeds; a problem gives status 1."""
    with running("doctor"):
        unknown = [name for name in commands or () if name not in SETTINGS_OF]
        if unknown:
            raise Refused(f"there is no command {', '.join(unknown)}; there are: {', '.join(SETTINGS_OF)}")
        settings, mistakes = read()
        with waiting("checking"):
            findings = list(examine(settings, mistakes, commands or ()))
    problems = sum(finding.state == "problem" for finding in findings)
    if as_json:
        print_json({"problems": problems, "findings": [finding._asdict() for finding in findings]})
    else:
        for finding in findings:
            _print(finding)
        out.print(f"problems: {problems}" if problems else "no problem was found")
    if problems:
        raise typer.Exit(1)


def _print(finding: Finding) -> None:
    out.print(f"{finding.state:8} {finding.check:22} {finding.detail}")
    if finding.remedy:
        out.print(f"{'':8} {'':22} {finding.remedy}")
