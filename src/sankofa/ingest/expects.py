"""What a run of a source is expected to bring, and in which ways it falls short."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Annotated

import msgspec

Count = Annotated[int, msgspec.Meta(ge=0)]
Percent = Annotated[int, msgspec.Meta(ge=0, le=100)]
Between = tuple[Count, Count]


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """What the documents hold that a source offered in a run, whether new, seen before or unchanged."""

    documents: int = 0
    new_documents: int = 0
    unreadable: int = 0
    rows: int = 0
    rejected: int = 0
    keys: int = 0
    newest: date | None = None


class Expects(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The bounds of an ordinary run. What is not stated is not expected."""

    documents: Between | None = None  # the fewest and the most
    rows: Between | None = None
    keys: Between | None = None  # issuers, series, processes or organisations
    fewer_percent: Percent | None = None  # than the good run before
    newest_days: Count | None = None  # how old the newest period may be
    columns: tuple[str, ...] = ()  # of tables, or fields of records; a document without one is refused
    columns_like: tuple[str, ...] = ()  # regular expressions of other columns; one like none is refused too
    unreadable: Count = 0  # documents that no parser understands
    rejected_percent: Annotated[int, msgspec.Meta(ge=0, le=100)] = (
        50  # of the rows; a renamed field costs all
    )

    def __post_init__(self) -> None:
        """Refuse bounds that nothing is within."""
        if self.columns_like and not self.columns:
            raise ValueError(
                "`columns_like` says which columns there may be beside `columns`: name those too"
            )
        for expression in self.columns_like:
            try:
                re.compile(expression)
            except re.error as wrong:
                raise ValueError(f"`columns_like`: no regular expression: {expression}") from wrong
        for name in ("documents", "rows", "keys"):
            between: Between | None = getattr(self, name)
            if between and between[0] > between[1]:
                raise ValueError(f"`{name}`: the fewest, {between[0]}, are more than the most, {between[1]}")

    def shortfalls(self, brought: Brought, before: Brought | None, today: date) -> list[str]:
        """Return a sentence about each expectation that was not met, in the order that explains most."""
        found = []
        if brought.unreadable > self.unreadable:
            found.append(f"unreadable documents: {brought.unreadable:,} (at most {self.unreadable:,})")
        if 100 * brought.rejected > self.rejected_percent * (brought.rows + brought.rejected):
            most = f"at most {self.rejected_percent}% not taken"
            found.append(f"rows not taken: {brought.rejected:,}, taken: {brought.rows:,} ({most})")
        for name in ("documents", "rows", "keys"):
            between: Between | None = getattr(self, name)
            count: int = getattr(brought, name)
            if between and not between[0] <= count <= between[1]:
                found.append(f"{name}: {count:,} (expected: {between[0]:,} to {between[1]:,})")
        if before and self.fewer_percent is not None:
            most = f"at most {self.fewer_percent}% fewer"
            if 100 * brought.rows < before.rows * (100 - self.fewer_percent):
                found.append(f"rows: {brought.rows:,}, in the good run before: {before.rows:,} ({most})")
        if self.newest_days is not None and brought.documents:
            oldest = today - timedelta(days=self.newest_days)
            if brought.newest is None or brought.newest < oldest:
                found.append(f"newest period: {brought.newest or 'none'} (expected: {oldest} or later)")
        return found


ORDINARY = Expects()  # of a source that states nothing
