"""The ids of the ledger that a source is asked about."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import cast

from sankofa.ingest.source import Source
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__)


def ids_to_ask(connection: Connection, source: Source, today: date | None = None) -> list[str]:
    """Return the ids that a source has no answer about, those whose turn is today; none without POST.

    Ids take turns by a hash and the day, so that ids which stay without an answer do not keep others waiting.
    """
    post = source.portal.post if source.portal else None
    if post is None:
        return []
    day = (today or datetime.now(UTC).date()).toordinal()
    values = {"id_type": post.id_type, "sources": list(post.ids_of), "source": source.name}
    rows = connection.execute(_SQL["ids_to_ask"], values | {"most": post.most, "day": day}).fetchall()
    return [one for (one,) in cast("list[tuple[str]]", rows)]
