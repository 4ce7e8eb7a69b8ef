"""Work on a build: claim a chunk, reconcile it, mark it done, in one transaction.

Any number of workers share a build. If one is killed, its transaction ends with it, and another claims the
chunk.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from math import inf
from typing import cast

from sankofa.core.errors import Refused
from sankofa.editions.build import CHUNK_SECONDS, SQL, Versions
from sankofa.editions.locks import share_with_takedowns
from sankofa.editions.walk import Chunk, Walk
from sankofa.storage.postgres import Connection, LockNotAvailable, connect, listen, transaction_within

_CALL = "sankofa_build"
_LOOK_AGAIN_SECONDS = 5.0  # a call may be lost with the connection that it was sent on

Stages = Mapping[str, Walk]


def work_off(connection: Connection, stages: Stages, edition: int, limit: float = inf) -> int:
    """Do chunks, at most `limit`, until others are at work on all that are left; return how many."""
    done = 0
    while done < limit and _do_one(connection, stages, edition, "claim"):
        done += 1
    return done


def wait_for_others(connection: Connection, stages: Stages, edition: int) -> None:
    """Wait for one chunk that another worker is at work on; do it if that worker gives it up."""
    try:
        _do_one(connection, stages, edition, "await")
    except LockNotAvailable:
        return  # it takes longer than a lock is waited for: the caller looks again


def work(
    dsn: str,
    stages: Stages,
    versions: Versions,
    *,
    is_wanted: Callable[[], bool] = lambda: True,
    report: Callable[[int, int], None] = lambda _edition, _chunks: None,
) -> None:
    """Join builds as they come, while `is_wanted()` is true; `report` gets the edition and chunks done."""
    with connect(dsn) as connection:
        connection.execute(f"LISTEN {_CALL}")
        while is_wanted():
            row = connection.execute(SQL["current"]).fetchone()
            if row is not None:
                edition, built_with = cast("tuple[int, Versions]", row)
                _require_same(versions, built_with)
                if done := work_off(connection, stages, edition):
                    report(edition, done)
            listen(connection, _LOOK_AGAIN_SECONDS)


def _do_one(connection: Connection, stages: Stages, edition: int, claim: str) -> bool:
    """Claim a chunk and do it; False if there was none."""
    with transaction_within(connection, CHUNK_SECONDS):
        row = connection.execute(SQL[claim]).fetchone()
        if row is None:
            return False
        stage, number, part, after, until = cast("tuple[str, int, str, str, str]", row)
        connection.execute("SET LOCAL work_mem = '256MB'")
        # What a chunk needs is in memory or on a disk without moving parts: an index is worth its jumps.
        connection.execute("SET LOCAL random_page_cost = 1.1")
        connection.execute("SET LOCAL jit = off")
        share_with_takedowns(connection)
        changes = stages[stage].run(connection, edition, Chunk(after, until, part))
        counted = {name: change.counts() for name, change in changes.items() if change}
        connection.execute(SQL["done"], {"stage": stage, "number": number, "changes": json.dumps(counted)})
    return True


def _require_same(versions: Versions, built_with: Versions) -> None:
    if versions != built_with:
        parts = sorted(
            part for part in versions.keys() | built_with.keys() if versions.get(part) != built_with.get(part)
        )
        raise Refused(
            f"the build in progress uses other rules than this worker ({', '.join(parts)}). Run workers of"
            " the same version and with the same settings as `sankofa publish`"
        )
