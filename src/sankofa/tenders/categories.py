"""The category of a tender whose portal names none, by the item codes of `categories.toml`."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import NamedTuple

_CATEGORIES = ("goods", "works", "services")


class CategoryRule(NamedTuple):
    """Codes of a scheme that begin with digits from `first` to `last`, which have the same length."""

    scheme: str
    first: str
    last: str
    category: str


@cache
def category_rules() -> tuple[CategoryRule, ...]:
    """Return the rules that ship with the package."""
    return tuple(_rules(_text()))


def rules_version() -> str:
    """Return the version of the rules, a hash of their file."""
    return hashlib.sha256(_text().encode()).hexdigest()[:16]


def _text() -> str:
    return resources.files(__package__).joinpath("categories.toml").read_text(encoding="utf-8")


def _rules(text: str) -> Iterator[CategoryRule]:
    for rule in tomllib.loads(text)["rules"]:
        for category in _CATEGORIES:
            for written in rule[category]:
                first, _, last = written.partition("-")
                yield from (CategoryRule(one, first, last or first, category) for one in rule["schemes"])
