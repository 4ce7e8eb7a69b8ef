"""An index of documents: ids are extracted line by line, and nothing else.

An id is a value of a declared shape that fills `{item}` of the source's own URL. URLs and paths in an index
are never used. An answer that is not an index, such as a maintenance page, ends the run.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import msgspec

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.portals.template import require_template

_LINE_BYTES = 1 << 16
_MOST_IDS = 1_000_000
_PAGES = frozenset({"page", "offset", "item"})
# Whatever the declared shape, an id cannot contain a path or a parameter.
_PLAIN = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*")
_ID_CHARACTERS = 128


class Index(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The location of an index, and the pattern of its ids."""

    address: str  # may have days, and another server than the documents
    pattern: str  # regular expression of a whole line, with a group `id`; other lines are skipped
    id: str  # regular expression of a whole id; another id ends the run
    header: str = ""  # regular expression of a line that every index has
    nothing: tuple[int, ...] = ()  # statuses that mean: there is no index for this window
    longest_gap: Annotated[int, msgspec.Meta(ge=0)] | None = (
        None  # consecutive days without an index; more is a failure
    )

    def __post_init__(self) -> None:
        """Raise if an expression does not compile or has no group for the id."""
        require_template(self.address, without=_PAGES)
        try:
            groups = [
                re.compile(expression).groupindex for expression in (self.pattern, self.id, self.header)
            ]
        except re.error as wrong:
            raise ValueError(f"not a regular expression: {wrong}") from wrong
        if "id" not in groups[0]:
            raise ValueError("`pattern` has no group `(?P<id>…)`")


def ids(index: Index, document: Path) -> list[str]:
    """Return the ids of an index, each once, in order of first appearance."""
    pattern, shape, header = map(re.compile, (index.pattern, index.id, index.header))
    found: dict[str, None] = {}
    has_header = not index.header
    with document.open("rb") as stream:
        while line := stream.readline(_LINE_BYTES + 1):
            if len(line) > _LINE_BYTES:
                raise UnreadableDocument("line_too_long", f"more than {_LINE_BYTES:,} bytes")
            text = line.rstrip(b"\r\n").decode("latin-1")  # ids are ASCII; names around them may be anything
            if not has_header:
                has_header = header.fullmatch(text) is not None
            elif match := pattern.fullmatch(text):
                found[_checked(match["id"], shape)] = None
                if len(found) > _MOST_IDS:
                    raise UnreadableDocument("too_many_ids", f"more than {_MOST_IDS:,}")
    if not has_header:
        raise UnreadableDocument("no_index", "the line that begins an index is missing")
    return list(found)


def _checked(found: str, shape: re.Pattern[str]) -> str:
    if len(found) > _ID_CHARACTERS or not shape.fullmatch(found) or not _PLAIN.fullmatch(found):
        raise UnreadableDocument("id_unfit", repr(found[:_ID_CHARACTERS]))
    return found
