"""The bound on takedowns: a build that would take down too many organisations waits for a decision.

The database counts (`ops.takedowns_left`), because a stolen publisher login could skip this check.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import msgspec

from sankofa.core.errors import HeldBack
from sankofa.drift.bounds import ORGANISATIONS
from sankofa.drift.judge import Reason
from sankofa.drift.screen import NAMED, hold_batch
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__)


def hold_too_many(connection: Connection, ids: Sequence[str], batches: Sequence[int], rules: str) -> None:
    """Raise HeldBack if these ids are more than may be taken down now, and record the hold.

    Held are the batches with new statements about them, or the version of the rules if there are none.
    """
    left = cast("tuple[int]", connection.execute(_SQL["takedowns_left"]).fetchone())[0]
    if len(ids) <= left:
        return
    message = f"{len(ids):,} ids would be taken down, and {max(left, 0):,} may be (bound: 100 in 24 hours)"
    reasons = (Reason(message=message, rows=len(ids), named=tuple(ids[:NAMED])),)
    for batch_id in batches:
        hold_batch(connection, batch_id, ORGANISATIONS, reasons, takedowns=len(ids))
    if not batches:
        values = {"rules": rules, "dataset": ORGANISATIONS, "takedowns": len(ids)}
        connection.execute(_SQL["hold_rules"], values | {"reasons": msgspec.json.encode(reasons).decode()})
    advice = "`sankofa held` lists it, and a release lets it be published"
    raise HeldBack(f"the edition is not published: {message}; {advice}", is_by_documents=bool(batches))
