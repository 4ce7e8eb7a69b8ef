"""Takedowns: the one way something published disappears, from every edition at once.

Numbered and append-only in the ledger, applied by every later publish and rebuild, leaving tombstones
that hold a digest and no content.
"""

from __future__ import annotations

import uuid
from typing import cast

from sankofa.core.errors import Refused
from sankofa.editions.locks import exclude_chunks
from sankofa.storage.postgres import Connection, UniqueViolation
from sankofa.storage.queries import named

_SQL = named(__package__, "takedown.sql")


def take_down_issuer(connection: Connection, service_id: str, reason: str) -> list[int]:
    """Remove an issuer, with every id that resolves to it, and return the takedowns' numbers."""
    with connection.transaction():
        exclude_chunks(connection)
        members = [str(row[0]) for row in connection.execute(_SQL["members"], {"service_id": service_id})]
        if not members:
            raise Refused(f"{service_id} was never issued, or was taken down before")
        return [
            cast(
                "tuple[int]",
                connection.execute(
                    _SQL["take_down_issuer"], {"service_id": member, "reason": reason}
                ).fetchone(),
            )[0]
            for member in members
        ]


def take_down_fact(connection: Connection, service_id: str, fact_id: uuid.UUID, reason: str) -> int:
    """Remove one fact of an issuer and return the takedown's number."""
    asked = {"service_id": service_id, "fact_id": str(fact_id), "reason": reason}
    try:
        with connection.transaction():
            exclude_chunks(connection)
            row = connection.execute(_SQL["take_down_fact"], asked).fetchone()
            number, rows_removed = cast("tuple[int, int]", row)
            if not rows_removed:
                raise Refused(f"{service_id} has no fact {fact_id} in any edition")
    except UniqueViolation:
        raise Refused(f"fact {fact_id} was taken down before") from None
    return number
