"""An operator's command, run in this process with the settings of a service."""

from __future__ import annotations

from typer.testing import CliRunner

from sankofa.surfaces.cli import app


def sankofa(service, *arguments):
    """Run a command that must succeed, and return what it printed."""
    result = CliRunner().invoke(
        app, [*map(str, arguments)], env=service.installation.environment, catch_exceptions=False
    )
    assert result.exit_code == 0, result.output
    return result.stdout
