"""The files that together hold a dataset: adjacent ranges of editions, each in parts by row id.

A range covered by a larger one has been compacted into it. Small ranges are compacted when there are many. So
a single filing writes a small file, a row is rewritten only a few times, and the number of files stays low.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

WINDOW = 2_000_000  # row ids of one part
_MANY = 8  # ranges of about one size become one
_SMALL = 100_000  # rows; ranges below are all of one size


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A recorded file: its range, and its state."""

    name: str
    artifact_id: int
    first: int
    last: int
    part: int
    parts: int
    after: int
    until: int
    rows: int
    standing: str  # listed, pending or void
    is_live: bool  # whether the current edition lists it

    @property
    def is_usable(self) -> bool:
        """Whether the next edition may list it."""
        return self.is_live or self.standing == "pending"


@dataclass(frozen=True, slots=True)
class Range:
    """Editions whose rows are in files: the newest file of each part, usable or not."""

    first: int
    last: int
    files: tuple[File, ...]

    @property
    def rows(self) -> int:
        """How many rows its files hold."""
        return sum(file.rows for file in self.files)

    @property
    def is_whole(self) -> bool:
        """Whether its parts follow each other without a gap."""
        ends = [0, *(file.until for file in self.files)]
        return len(self.files) == self.files[0].parts and all(
            file.after == end for file, end in zip(self.files, ends, strict=False)
        )

    @property
    def is_usable(self) -> bool:
        """Whether it can be listed: complete, or the rest of a listed range after a takedown."""
        usable = [file for file in self.files if file.is_usable]
        return self.is_whole and (len(usable) == len(self.files) or any(file.is_live for file in usable))


def ranges(files: Iterable[File]) -> list[Range]:
    """Return all ranges that were recorded, by their first edition."""
    newest: dict[tuple[int, int], dict[int, File]] = defaultdict(dict)
    for file in sorted(files, key=lambda file: file.artifact_id):
        newest[file.first, file.last][file.part] = file
    return [
        Range(first, last, tuple(parts[part] for part in sorted(parts)))
        for (first, last), parts in sorted(newest.items())
    ]


def tiling(files: Iterable[File]) -> list[Range]:
    """Return the ranges that together hold everything up to the last of them."""
    usable = [one for one in ranges(files) if one.is_usable]
    return [one for one in usable if not any(_covers(other, one) for other in usable)]


def _covers(other: Range, one: Range) -> bool:
    return other.first <= one.first and one.last <= other.last and other != one


def first_edition(held: Sequence[Range], rows: int) -> int:
    """Return the first edition of a range of new rows: after all others, or of small ranges before it."""
    first = held[-1].last + 1 if held else 1
    left = list(held)
    while True:
        size, run = _size(rows), 0
        while run < len(left) and _size(left[-1 - run].rows) <= size:
            run += 1
        if run + 1 < _MANY:
            return first
        first = left[-run].first
        rows += sum(one.rows for one in left[-run:])
        del left[-run:]


def _size(rows: int) -> int:
    """Return the size class of a range: each class is `_MANY` times the previous one."""
    size = 0
    while rows > _SMALL:
        rows //= _MANY
        size += 1
    return size


def windows(before: int, end: int) -> list[tuple[int, int]]:
    """Return the parts of a range of row ids (`after`, `until`]; the first part begins at 0."""
    bounds = [place * WINDOW for place in range(before // WINDOW + 1, -(-end // WINDOW))]
    return list(zip([0, *bounds], [*bounds, end], strict=True))
