"""The line-item map: the concepts of each line item, in order of preference.

The map is data (`line_items.csv`); this module decides when it is sound and what its version is.
A concept may belong to several line items, each under its own conditions: the result of a filer without
outside owners is that of the group and that of the parent's owners.
"""

from __future__ import annotations

import csv
import hashlib
import re
from collections.abc import Iterable
from importlib import resources
from itertools import groupby
from operator import itemgetter
from typing import Literal, NamedTuple, cast, get_args

Kind = Literal["monetary", "shares", "per_share", "ratio"]

_COLUMNS = ["line_item", "rank", "concept", "kind", "definition", "unless", "when"]
_LINE_ITEM = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_CONCEPT = re.compile(r"[a-z][a-z0-9-]*:[A-Za-z0-9_.-]+")
_VERSION_CHARACTERS = 12


class MapEntry(NamedTuple):
    """One concept of one line item."""

    line_item: str
    rank: int  # 1 is preferred where one filing reports several
    concept: str  # taxonomy and tag: "ifrs-full:Revenue"
    kind: Kind  # which units fit
    # Conditions on the filing: concepts that it reports with a value other than zero.
    unless: tuple[str, ...] = ()  # none of these
    when: tuple[str, ...] = ()  # one of these, where there are any


class LineItem(NamedTuple):
    """What issuers are compared on, whatever their taxonomy calls it."""

    name: str
    kind: Kind
    definition: str
    entries: tuple[MapEntry, ...]  # by rank


class UnsoundMap(ValueError):
    """A map that would leave open which value to prefer."""


def line_items() -> tuple[LineItem, ...]:
    """Return the line items of the service, in the order of the statements."""
    return read(resources.files(__package__).joinpath("line_items.csv").read_text(encoding="utf-8"))


def load_map() -> tuple[MapEntry, ...]:
    """Return the concepts of all line items."""
    return tuple(entry for item in line_items() for entry in item.entries)


def map_version(entries: Iterable[MapEntry]) -> str:
    """Return the version of a map: a short hash of what it maps and when, whatever order its rows are in.

    The definition is left out: a better sentence must not touch every issuer.
    """
    rows = sorted(
        f"{line_item},{rank},{concept},{kind},{' '.join(unless)},{' '.join(when)}\n"
        for line_item, rank, concept, kind, unless, when in entries
    )
    return hashlib.sha256("".join(rows).encode()).hexdigest()[:_VERSION_CHARACTERS]


def read(text: str) -> tuple[LineItem, ...]:
    """Read a map and prove it sound, or raise UnsoundMap with the row to look at."""
    reader = csv.DictReader(text.splitlines(), strict=True)
    if reader.fieldnames != _COLUMNS:
        raise UnsoundMap(f"columns must be {', '.join(_COLUMNS)}")
    rows = list(reader)
    if any(None in row.values() for row in rows):
        raise UnsoundMap("a row has too few columns")
    groups = groupby(rows, itemgetter("line_item"))
    items = tuple(_line_item(name, list(group)) for name, group in groups)
    _refuse_repeats([item.name for item in items])
    for item in items:
        _refuse_repeats([entry.concept for entry in item.entries])
    return items


def _line_item(name: str, rows: list[dict[str, str]]) -> LineItem:
    kinds = {row["kind"] for row in rows}
    if not _LINE_ITEM.fullmatch(name) or len(kinds) != 1 or not kinds <= set(get_args(Kind)):
        raise UnsoundMap(f"{name}: needs a snake_case name and one kind")
    if [row["rank"] for row in rows] != [str(rank) for rank in range(1, len(rows) + 1)]:
        raise UnsoundMap(f"{name}: ranks must be 1, 2, 3 … in this order")
    if not rows[0]["definition"] or any(row["definition"] for row in rows[1:]):
        raise UnsoundMap(f"{name}: the definition stands on the row of rank 1, and only there")
    kind = cast("Kind", kinds.pop())
    entries = tuple(
        MapEntry(
            name,
            int(row["rank"]),
            row["concept"],
            kind,
            unless=tuple(row["unless"].split()),
            when=tuple(row["when"].split()),
        )
        for row in rows
    )
    for entry in entries:
        for concept in (entry.concept, *entry.unless, *entry.when):
            if not _CONCEPT.fullmatch(concept):
                raise UnsoundMap(f"{name}: no concept: {concept}")
    return LineItem(name, kind, rows[0]["definition"], entries)


def _refuse_repeats(names: list[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise UnsoundMap(f"{name}: stands in the map twice")
