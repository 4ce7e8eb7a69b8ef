"""Licences of what is served, by how much they ask of whoever passes the data on."""

from __future__ import annotations

from collections.abc import Iterable

# From the freest on; a class that is not listed asks for more than all that are.
_FREEST_FIRST = (
    "synthetic",
    "public-domain",
    "CC0-1.0",
    "ODC-PDDL-1.0",
    "MIT",
    "attribution",
    "CC-BY-4.0",
    "operator",
)


def most_restrictive(classes: Iterable[str]) -> str:
    """Return the class that what rests on all of these is held under."""
    return max(classes, key=lambda name: (_place(name), name))


def _place(name: str) -> int:
    return _FREEST_FIRST.index(name) if name in _FREEST_FIRST else len(_FREEST_FIRST)
