"""Which contract lines are proven: all of `docs/contract.md` but those listed here as still to come.

A test names the lines it proves by `@pytest.mark.proves("FUN-1")`. The check fails in both directions: a line
neither proven nor pending, a pending line that has a test, a test that names no line.
"""

from __future__ import annotations

import re
from pathlib import Path

DOCUMENT = Path(__file__).parents[2] / "docs" / "contract.md"
_LINE = re.compile(r"^- \*\*([A-Z]{3}-\d+)\*\* ", re.MULTILINE)

PENDING: set[str] = set()  # lines that nothing proves yet


def lines() -> list[str]:
    """Return the ids of all contract lines, in the document's order."""
    return _LINE.findall(DOCUMENT.read_text(encoding="utf-8"))


def disagreements(claimed: set[str]) -> list[str]:
    """Say where tests, pending list and document disagree."""
    known = set(lines())
    return [
        *(f"{line} is claimed by a test, but is no contract line" for line in sorted(claimed - known)),
        *(f"{line} is pending, but is no contract line" for line in sorted(PENDING - known)),
        *(f"{line} is pending, but a test proves it" for line in sorted(PENDING & claimed)),
        *(f"{line} has no test and is not pending" for line in sorted(known - PENDING - claimed)),
    ]
