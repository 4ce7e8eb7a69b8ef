"""Key events in the journal: keys as hashes and who decided, without labels, which may name a customer."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Annotated, Literal, cast

import msgspec

from sankofa.access.tiers import TierName
from sankofa.storage.journal import Journal
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__, "key_journal.sql")

KeyHashText = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
PepperId = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{8}$")]
Moment = Annotated[datetime, msgspec.Meta(tz=True)]


class KeyRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One decision about a key."""

    version: Literal[1] = 1
    event: int
    kind: Literal["issued", "tier_changed", "rotated", "revoked"]
    key_hash: KeyHashText
    tier: TierName
    is_public: bool
    ends_at: Moment | None = None
    replaced_by: str | None = None
    recorded_at: Moment
    pepper_id: PepperId | None = None
    operator: str | None = None

    @property
    def number(self) -> int:
        """The number of the event."""
        return self.event


def key_journal(objects: Objects, connection: Connection) -> Journal[KeyRecord]:
    """Return the journal of an installation's key events."""
    newest, after = partial(newest_event, connection), partial(events_after, connection)
    return Journal(objects, connection, "keys", KeyRecord, newest=newest, after=after)


def newest_event(connection: Connection) -> int:
    """Return the number of the newest key event; 0 before the first."""
    return cast("tuple[int]", connection.execute(_SQL["newest"]).fetchone())[0]


def events_after(connection: Connection, event: int) -> list[KeyRecord]:
    """Return the next key events after one, in their order."""
    names = [name for name in KeyRecord.__struct_fields__ if name != "version"]
    rows = connection.execute(_SQL["events_after"], {"event": event})
    return [KeyRecord(**dict(zip(names, row, strict=True))) for row in rows]  # type: ignore[arg-type]  # as selected


def enter(connection: Connection, record: KeyRecord) -> bool:
    """Insert a decision that the registry lacks, under its number if that is free. False if it is present.

    A key that has ended stays ended, whatever is inserted later.
    """
    row = connection.execute(_SQL["enter"], msgspec.structs.asdict(record)).fetchone()
    return bool(row and row[0])
