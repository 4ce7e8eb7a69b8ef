"""Known errors of real lists: the wrong statement, and the organisation it truly belongs to.

A row is left out as long as its list states this; once the list is corrected, it counts again.
"""

from __future__ import annotations

import csv
from functools import cache
from importlib import resources


def is_refuted(source: str, key: str, value: str) -> bool:
    """Return whether a source's statement of a key is known to be wrong."""
    return (source, key, value) in _refuted()


@cache
def _refuted() -> frozenset[tuple[str, str, str]]:
    text = resources.files(__package__).joinpath("refuted.csv").read_text(encoding="utf-8")
    return frozenset((row["source"], row["key"], row["stated"]) for row in csv.DictReader(text.splitlines()))
