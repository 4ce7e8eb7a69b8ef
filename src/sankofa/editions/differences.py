"""Which rows of a table are not what was sealed: found by block, and named by the marks of their hashes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import NamedTuple

from sankofa.editions import merkle
from sankofa.editions.digests import MARK, Row

_ASTRAY = 20_000  # rows after which no block is recognised any more, and looking on would only cost memory


class AlteredRow(NamedTuple):
    """A row that is not as it was sealed."""

    key: str
    what: str


@dataclass(frozen=True, slots=True)
class KeptBlock:
    """A block as it was kept; its marks are only fetched when they are needed."""

    number: int
    rows: int
    last_key: str
    digest: bytes


Marks = Callable[[int, int], bytes]  # of the blocks from one number to another


def differences(blocks: Sequence[KeptBlock], marks: Marks, rows: Iterable[Row]) -> Iterator[AlteredRow]:
    """Compare rows with the blocks that they were sealed in, in one pass, and name those that differ.

    A block ends at the key of its last row. Where that row is gone, it ends where the next one does.
    """
    ends = {block.last_key: place for place, block in enumerate(blocks)}
    first = 0
    waiting: list[Row] = []
    ended = ""  # the key at which the block before ended
    for row in rows:
        waiting.append(row)
        place = ends.get(row[0], -1)
        if place >= first:
            yield from _compare(blocks[first : place + 1], marks, waiting, ended)
            ended = row[0]
            first, waiting = place + 1, []
        elif len(waiting) > _ASTRAY:
            yield AlteredRow(waiting[0][0], "from this row on, nothing is as it was sealed")
            return
    if waiting or first < len(blocks):
        yield from _compare(blocks[first:], marks, waiting, ended)


def _compare(
    blocks: Sequence[KeptBlock], marks: Marks, rows: Sequence[Row], after: str
) -> Iterator[AlteredRow]:
    digests = [merkle.root([row_hash for _, row_hash in rows])] if rows else []
    if [block.digest for block in blocks] == digests and blocks[0].rows == len(rows):
        return
    kept = marks(blocks[0].number, blocks[-1].number) if blocks else b""
    was = [kept[start : start + MARK] for start in range(0, len(kept), MARK)]
    now = [row_hash[:MARK] for _, row_hash in rows]
    if was == now:
        yield AlteredRow(rows[-1][0] if rows else "", "the record of the block that ends here was altered")
        return
    keys = [after, *(key for key, _ in rows)]
    for act, was_from, was_to, now_from, now_to in SequenceMatcher(
        a=was, b=now, autojunk=False
    ).get_opcodes():
        if act != "equal":
            yield from _named(keys, was_to - was_from, now_from + 1, now_to + 1)


def _named(keys: Sequence[str], gone: int, start: int, end: int) -> Iterator[AlteredRow]:
    """Name rows that differ: one for one they were altered; the rest are new, or are missing after a key."""
    both = min(gone, end - start)
    for place in range(start, end):
        yield AlteredRow(keys[place], "altered" if place < start + both else "added")
    if gone > both:
        after = f"after {keys[end - 1]}" if keys[end - 1] else "before all others"
        until = f" and before {keys[end]}" if end < len(keys) else ""
        yield AlteredRow(f"{after}{until}", f"{gone - both} missing")
