"""The state of each feed: its last good run, its next due time, and its problems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Literal, NamedTuple, cast

from sankofa.core.errors import Refused
from sankofa.ingest.due import Due
from sankofa.ingest.source import Source
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__)

State = Literal["good", "late", "held", "failed", "running", "paused", "new"]


class Standing(NamedTuple):
    """The promised dates of a source, recorded before they pass."""

    is_served: bool
    is_frozen: bool
    known_at: datetime
    good_at: datetime | None
    next_due: datetime | None
    stale_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """A fetched source and its last run."""

    source: Source
    began_at: datetime | None = None
    outcome: Literal["good", "held", "failed"] | None = None  # None: running, or never started
    reasons: tuple[str, ...] = ()
    good_at: datetime | None = None
    documents: int | None = None  # documents offered in the last good run
    rows: int | None = None  # and facts in them
    paused_because: str | None = None
    known_at: datetime  # when its declaration was first read
    noted: Standing | None = None  # the last record of it

    @property
    def next_due(self) -> datetime | None:
        """When it is fetched next; a past time means now. None: only on request."""
        if self.source.due is None or self.paused_because is not None:
            return None
        return _after(self.source.due, self.began_at) if self.began_at else self.known_at

    @property
    def stale_at(self) -> datetime | None:
        """The second due time after the last good run, or after the declaration was first read."""
        if self.source.due is None:
            return None
        return _after(self.source.due, _after(self.source.due, self.good_at or self.known_at))

    @property
    def standing(self) -> Standing:
        """The dates to be recorded."""
        return Standing(
            is_served=self.source.redistributable,
            is_frozen=self.source.frozen,
            known_at=self.known_at,
            good_at=self.good_at,
            next_due=self.next_due,
            stale_at=self.stale_at,
        )

    def is_late(self, now: datetime) -> bool:
        """Return whether it has missed two due times."""
        return self.stale_at is not None and self.stale_at < now

    def state(self, now: datetime) -> State:
        """Return the most important state for the operator."""
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
    """Return the fetched sources with their states, by name."""
    fetched = {one.name: one for one in sources if one.portal}
    now = datetime.now(UTC)
    rows = connection.execute(_SQL["states"], {"sources": sorted(fetched)}).fetchall()
    found = [_feed(fetched, row, now) for row in rows]
    return sorted(found, key=lambda feed: feed.source.name)


def note(connection: Connection, sources: Iterable[Source]) -> list[Feed]:
    """Record the promised dates of each source if they changed, and return the feeds.

    The API compares these records with the clock. So a source becomes stale even if no worker is running.
    """
    found = feeds(connection, sources)
    for feed in found:
        if feed.noted != feed.standing:
            values = feed.standing._asdict() | {"source": feed.source.name}
            connection.execute(_SQL["note_standing"], values)
    connection.execute(_SQL["note_gone"], {"sources": [feed.source.name for feed in found]})
    return found


def due(found: Iterable[Feed]) -> list[Feed]:
    """Return the feeds that are due, longest waiting first."""
    now = datetime.now(UTC)
    waiting = [(feed.next_due, feed) for feed in found]
    ready = [(since, feed) for since, feed in waiting if since and since <= now]
    return [feed for _, feed in sorted(ready, key=lambda one: one[0])]


def workers_alive(connection: Connection) -> int:
    """Return the number of workers with a heartbeat in the last minute."""
    row = connection.execute(_SQL["workers_alive"]).fetchone()
    return cast("tuple[int]", row)[0]


def pause(connection: Connection, source: Source, because: str, *, is_paused: bool) -> None:
    """Pause or resume a source; the reason is recorded."""
    if not because.strip():
        raise Refused("a decision needs a reason: --because")
    values = {"source": source.name, "is_paused": is_paused, "because": because}
    connection.execute(_SQL["pause"], values)


@lru_cache(maxsize=4096)
def _after(due: Due, moment: datetime) -> datetime:
    return due.after(moment)


def _feed(fetched: Mapping[str, Source], row: tuple[object, ...], now: datetime) -> Feed:
    name, _, began_at, outcome, _, reasons, good_at, documents, facts, is_paused, because, *noted = row
    standing = Standing(*cast("tuple[bool, bool, datetime, None, None, None]", noted)) if noted[2] else None
    return Feed(
        source=fetched[cast(str, name)],
        began_at=cast("datetime | None", began_at),
        outcome=cast("Literal['good', 'held', 'failed'] | None", outcome),
        reasons=tuple(cast("list[str]", reasons)),
        good_at=cast("datetime | None", good_at),
        documents=cast("int | None", documents),
        rows=cast("int | None", facts),
        paused_because=cast(str, because) if is_paused else None,
        known_at=standing.known_at if standing else now,
        noted=standing,
    )
