"""Licence classes in one order: what is derived from several sources is under the strictest of theirs."""

from __future__ import annotations

from collections.abc import Iterable

# From what anybody may do anything with to what nobody has verified.
LICENCES = (
    "public-domain",
    "CC0-1.0",
    "ODC-PDDL-1.0",
    "synthetic",
    "MIT",
    "CC-BY-4.0",
    "attribution",
    "operator",
    "FRED-terms",
    "none-stated",
    "unverified",
)


def most_restrictive(classes: Iterable[str]) -> str:
    """Return the strictest of some licence classes; one that is not listed is stricter than all that are."""
    return max(classes, key=lambda name: (LICENCES.index(name) if name in LICENCES else len(LICENCES), name))
