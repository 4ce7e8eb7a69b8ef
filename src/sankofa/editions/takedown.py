"""Takedowns: the one way something published disappears, from every edition at once.

Numbered and append-only in the ledger, applied by every later publish and rebuild, leaving tombstones
that hold a digest and no content. No login may delete what is published: functions of the database
do it, and they record what they remove (`ops.takedown_reach` lists which rows a takedown reaches).
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple, cast

from sankofa.core.errors import Refused
from sankofa.editions.locks import exclude_chunks
from sankofa.storage.postgres import Connection, NoDataFound, UniqueViolation
from sankofa.storage.queries import named

_SQL = named(__package__, "takedown.sql")
_PREVIEW = "a preview that is rolled back"


class TakenDown(NamedTuple):
    """The record of one takedown."""

    takedown: int
    decided_at: datetime
    kind: str
    target: str  # the service_id or fact_id
    reason: str
    operator: str | None  # None where a rule decided
    decided_by: str  # the login of PostgreSQL


class Preview(NamedTuple):
    """What a takedown would remove."""

    service_ids: list[str]
    rows: int  # over all editions


def take_down_issuer(connection: Connection, service_id: str, reason: str, operator: str) -> list[int]:
    """Remove an issuer, with every id that resolves to it, and return the takedowns' numbers."""
    with connection.transaction():
        exclude_chunks(connection)
        members = _members(connection, service_id)
        if not members:
            raise Refused(f"{service_id} was never issued, or was taken down before")
        return [_take_down(connection, member, None, reason, operator) for member in members]


def take_down_fact(
    connection: Connection, service_id: str, fact_id: uuid.UUID, reason: str, operator: str
) -> int:
    """Remove one fact of an issuer and return the takedown's number."""
    try:
        with connection.transaction():
            exclude_chunks(connection)
            return _take_down(connection, service_id, fact_id, reason, operator)
    except NoDataFound:
        raise Refused(f"{service_id} has no fact {fact_id} in any edition") from None
    except UniqueViolation:
        raise Refused(f"fact {fact_id} was taken down before") from None


def takedowns(connection: Connection) -> Iterator[TakenDown]:
    """Yield the record of every takedown, oldest first."""
    for row in connection.execute(_SQL["takedowns"]):
        yield TakenDown(*row)  # type: ignore[arg-type]  # the statement's own columns


def preview(connection: Connection, service_id: str, fact_id: uuid.UUID | None) -> Preview:
    """Return what a takedown would remove: it is carried out in a transaction that is rolled back."""
    with connection.transaction(force_rollback=True):
        if fact_id is None:
            members = _members(connection, service_id)
            take_down_issuer(connection, service_id, _PREVIEW, _PREVIEW)
        else:
            members = [service_id]
            take_down_fact(connection, service_id, fact_id, _PREVIEW, _PREVIEW)
        rows = cast("tuple[int]", connection.execute(_SQL["rows_changed"]).fetchone())[0]
    return Preview(members, rows)


def take_down_withheld(
    connection: Connection, members: Iterable[tuple[str, str]], *, names_only: bool = False
) -> list[int]:
    """Remove parties no longer established to be organisations, and return the takedowns' numbers.

    Each member is an id and the id of the party that was judged. Works only while an edition is built.
    """
    with connection.transaction():
        exclude_chunks(connection)
        return [
            _number(connection, "take_down_withheld", service_id=member, party=party, names_only=names_only)
            for member, party in members
        ]


def _members(connection: Connection, service_id: str) -> list[str]:
    return [str(row[0]) for row in connection.execute(_SQL["members"], {"service_id": service_id})]


def _take_down(
    connection: Connection, service_id: str, fact_id: uuid.UUID | None, reason: str, operator: str
) -> int:
    values = {"service_id": service_id, "fact_id": fact_id, "reason": reason, "operator": operator}
    return _number(connection, "take_down", **values)


def _number(connection: Connection, function: str, **values: object) -> int:
    return cast("tuple[int]", connection.execute(_SQL[function], values).fetchone())[0]
