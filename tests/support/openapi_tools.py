"""The linters of the OpenAPI page."""

from __future__ import annotations

from pathlib import Path

from dev.node import program

LOCKED = Path(__file__).parents[1] / "openapi-tools"
# No linter calls home, and none is asked to look for a newer self.
QUIET = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}
COMMANDS = {
    "redocly": ["lint", "--config", str(LOCKED / "redocly.yaml")],
    "spectral": ["lint", "--ruleset", str(LOCKED / "spectral.yaml"), "--fail-severity", "hint"],
}


def lint(linter, page):
    """Return what a linter says about a page and whether it is content."""
    return program(LOCKED, linter, *COMMANDS[linter], str(page), check=False, environment=QUIET)
