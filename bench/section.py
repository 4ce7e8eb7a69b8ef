"""Sections of pages that are made from figures."""

from __future__ import annotations

_NEXT = "\n## "


def replaced(page: str, made: str) -> str:
    """Return a page with a section made anew. A section begins with its heading, which tells where it was."""
    heading = made.partition("\n")[0] + "\n"
    before, found, rest = page.partition(heading)
    if not found:
        raise ValueError(f"the page has no section {heading.strip()}")
    _, following, after = rest.partition(_NEXT)
    return f"{before}{made}{following}{after}"
