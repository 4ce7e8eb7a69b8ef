"""The files that together hold a table: ranges of editions without a gap, each in parts by row id.

An export writes one range: what was put since the range before. No later export rewrites it, so a filing adds
a small file and nothing else. A part that a takedown removed is written again under another name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

WINDOW = 2_000_000  # row ids of one part


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
    object_key: str
    license_class: str
    columns: list[dict[str, str]] = field(default_factory=list)

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
    def is_whole(self) -> bool:
        """Whether its parts follow each other without a gap."""
        ends = [0, *(file.until for file in self.files)]
        return len(self.files) == self.files[0].parts and all(
            file.after == end for file, end in zip(self.files, ends, strict=False)
        )

    @property
    def usable(self) -> list[File]:
        """The files that can be listed: all, or the rest of a listed range after a takedown."""
        usable = [file for file in self.files if file.is_usable]
        is_listed = len(usable) == len(self.files) or any(file.is_live for file in usable)
        return usable if self.is_whole and is_listed else []


def ranges(files: Iterable[File]) -> list[Range]:
    """Return all ranges that were recorded, by their first edition."""
    newest: dict[tuple[int, int], dict[int, File]] = defaultdict(dict)
    for file in sorted(files, key=lambda file: file.artifact_id):
        newest[file.first, file.last][file.part] = file
    return [
        Range(first, last, tuple(parts[part] for part in sorted(parts)))
        for (first, last), parts in sorted(newest.items())
    ]


def last_edition(held: Iterable[Range]) -> int:
    """Return the last edition whose rows are in files; 0 if none are."""
    return max((one.last for one in held), default=0)


def newest(files: Iterable[File]) -> File | None:
    """Return the newest of some files that the next edition may list."""
    return max((file for file in files if file.is_usable), key=lambda file: file.artifact_id, default=None)


def windows(before: int, end: int) -> list[tuple[int, int]]:
    """Return the parts of a range of row ids (`after`, `until`]; the first part begins at 0."""
    bounds = [place * WINDOW for place in range(before // WINDOW + 1, -(-end // WINDOW))]
    return list(zip([0, *bounds], [*bounds, end], strict=True))
