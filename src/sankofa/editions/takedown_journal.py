"""Takedowns as the journal keeps them: an id or a fact, and who decided.

The reason, which may name a person, is left out.
"""

from __future__ import annotations

import uuid
from datetime import datetime
from functools import partial
from typing import Annotated, Literal, cast

import msgspec

from sankofa.editions.locks import exclude_chunks
from sankofa.storage.journal import Journal
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__, "takedown_journal.sql")


class TakedownRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One takedown: of an organisation, of its former names, or of one fact of it."""

    version: Literal[1] = 1
    takedown: int
    kind: Literal["issuer", "fact", "withheld"]
    reach: Literal["organisation", "names", "fact"]
    service_id: Annotated[str, msgspec.Meta(pattern="^DC[0-9A-Z]{12,}$")]
    fact_id: uuid.UUID | None = None
    decided_at: Annotated[datetime, msgspec.Meta(tz=True)]
    operator: str | None = None

    @property
    def number(self) -> int:
        """The number of the takedown."""
        return self.takedown


def takedown_journal(objects: Objects, connection: Connection) -> Journal[TakedownRecord]:
    """Return the journal of an installation's takedowns."""
    newest, after = partial(newest_takedown, connection), partial(takedowns_after, connection)
    return Journal(objects, connection, "takedowns", TakedownRecord, newest=newest, after=after)


def newest_takedown(connection: Connection) -> int:
    """Return the number of the newest takedown; 0 before the first."""
    return cast("tuple[int]", connection.execute(_SQL["newest"]).fetchone())[0]


def takedowns_after(connection: Connection, takedown: int) -> list[TakedownRecord]:
    """Return the next takedowns after one, in their order."""
    fields = ("takedown", "kind", "reach", "service_id", "fact_id", "decided_at", "operator")
    rows = connection.execute(_SQL["takedowns_after"], {"takedown": takedown})
    return [TakedownRecord(**dict(zip(fields, row, strict=True))) for row in rows]  # type: ignore[arg-type]  # as selected


def catch_up(connection: Connection, journal: Journal[TakedownRecord]) -> int:
    """Repeat the takedowns that a restored database lacks, and return how many there were."""
    return sum(_repeat(connection, record) for record in journal.lacking())


def _repeat(connection: Connection, record: TakedownRecord) -> bool:
    """Carry a takedown out under its number, if that is free; False if it was carried out before."""
    with connection.transaction():
        exclude_chunks(connection)
        row = connection.execute(_SQL["repeat"], msgspec.structs.asdict(record)).fetchone()
    return bool(row and row[0])
