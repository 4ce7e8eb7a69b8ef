"""The scan for secrets left in files: secretlint with its recommended rules, and our own API keys."""

import subprocess
from pathlib import Path

from dev.node import program
from dev.stack import ROOT

_LOCKED = ROOT / "dev" / "leak-scan"


def scan(root: Path = ROOT) -> tuple[int, str]:
    """Scan what git keeps, or would keep, in a folder; return the status and what was found."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    files = [name for name in listed.split("\0") if name and (root / name).is_file()]
    rules = str(_LOCKED / "rules.json")
    return program(_LOCKED, "secretlint", "--secretlintrc", rules, *files, cwd=root, check=False)
