"""Peculiarities of publishers of releases, declared in `publishers.toml`."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources
from typing import NamedTuple

NOTHING = re.compile(r"(?!)")


class Publisher(NamedTuple):
    """One publisher, identified by the prefix of its ocids."""

    prefix: str  # in lower case
    ids: re.Pattern[str] = NOTHING  # pattern of the whole rest after the prefix
    item_codes: str | None = None  # scheme of the codes used as ids of items


def publisher(ocid: str) -> Publisher | None:
    """Return the declared publisher of an ocid, or None."""
    folded = ocid.casefold()
    return next((known for known in _publishers() if folded.startswith(known.prefix)), None)


@cache
def _publishers() -> tuple[Publisher, ...]:
    text = resources.files(__package__).joinpath("publishers.toml").read_text(encoding="utf-8")
    return tuple(
        Publisher(
            entry["prefix"].casefold(),
            re.compile(entry["ids"], re.ASCII | re.IGNORECASE) if "ids" in entry else NOTHING,
            entry.get("item_codes"),
        )
        for entry in tomllib.loads(text).values()
    )
