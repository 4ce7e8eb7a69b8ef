"""The expectations on a run of a source, and the check of them."""

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
    """The counts of the documents offered in a run, whether new, known or unchanged."""

    documents: int = 0
    new_documents: int = 0
    unreadable: int = 0
    rows: int = 0
    rejected: int = 0
    keys: int = 0
    newest: date | None = None


class Expects(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The bounds of a normal run. An unset bound is not checked."""

    documents: Between | None = None  # the fewest and the most
    rows: Between | None = None
    keys: Between | None = None  # issuers, series, processes or organisations
    fewer_percent: Percent | None = None  # than the good run before
    newest_days: Count | None = None  # how old the newest period may be
    columns: tuple[str, ...] = ()  # of tables, or fields of records; a document without one is rejected
    columns_like: tuple[str, ...] = ()  # regular expressions; a column that matches none is rejected
    unreadable: Count = 0  # unreadable documents
    rejected_percent: Annotated[int, msgspec.Meta(ge=0, le=100)] = (
        50  # of the rows; a renamed field costs all
    )

    def __post_init__(self) -> None:
        """Raise if the bounds are contradictory."""
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
        """Return a sentence about each unmet expectation, the most informative first."""
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


ORDINARY = Expects()  # of a source without expectations
