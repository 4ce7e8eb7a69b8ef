"""What is known of each feed: when it was last good, when it is due, and why it is not well."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, cast

from sankofa.core.errors import Refused
from sankofa.ingest.source import Source
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__)

_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)

State = Literal["good", "late", "held", "failed", "running", "paused", "new"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """A source that is fetched, and what became of its last run."""

    source: Source
    began_at: datetime | None = None
    outcome: Literal["good", "held", "failed"] | None = None  # None: under way, or never begun
    reasons: tuple[str, ...] = ()
    good_at: datetime | None = None
    documents: int | None = None  # that the last good run was offered
    rows: int | None = None  # and facts in them
    paused_because: str | None = None

    @property
    def next_due(self) -> datetime | None:
        """When it is asked next; a moment that has passed means now. None: only when somebody asks."""
        if self.source.due is None or self.paused_because is not None:
            return None
        return self.source.due.after(self.began_at) if self.began_at else _LONG_AGO

    def is_late(self, now: datetime) -> bool:
        """Return whether two moments have passed at which it was due, and it was good at neither."""
        due, since = self.source.due, self.good_at or self.began_at
        return due is not None and since is not None and due.after(due.after(since)) < now

    def state(self, now: datetime) -> State:
        """Return what an operator must know first."""
        if self.paused_because is not None:
            return "paused"
        if self.outcome in ("held", "failed"):
            return self.outcome
        if self.is_late(now):
            return "late"
        if self.began_at is None:
            return "new"
        return "good" if self.outcome else "running"


def feeds(connection: Connection, sources: Iterable[Source]) -> list[Feed]:
    """Return the sources that are fetched, each with its state, by name."""
    fetched = {one.name: one for one in sources if one.portal}
    rows = connection.execute(_SQL["states"], {"sources": sorted(fetched)}).fetchall()
    found = [_feed(fetched, row) for row in rows]
    return sorted(found, key=lambda feed: feed.source.name)


def due(connection: Connection, sources: Iterable[Source]) -> list[Feed]:
    """Return the feeds that should be asked now, the longest waiting first."""
    now = datetime.now(UTC)
    waiting = [(feed.next_due, feed) for feed in feeds(connection, sources)]
    found = [(since, feed) for since, feed in waiting if since and since <= now]
    return [feed for _, feed in sorted(found, key=lambda one: one[0])]


def pause(connection: Connection, source: Source, because: str, *, is_paused: bool) -> None:
    """Stop asking a source, or go on; the reason is recorded."""
    if not because.strip():
        raise Refused("a decision needs a reason: --because")
    told = {"source": source.name, "is_paused": is_paused, "because": because}
    connection.execute(_SQL["pause"], told)


def _feed(fetched: Mapping[str, Source], row: tuple[object, ...]) -> Feed:
    name, _, began_at, outcome, _, reasons, good_at, documents, facts, is_paused, because = row
    return Feed(
        source=fetched[cast(str, name)],
        began_at=cast("datetime | None", began_at),
        outcome=cast("Literal['good', 'held', 'failed'] | None", outcome),
        reasons=tuple(cast("list[str]", reasons)),
        good_at=cast("datetime | None", good_at),
        documents=cast("int | None", documents),
        rows=cast("int | None", facts),
        paused_because=cast(str, because) if is_paused else None,
    )
