"""Holds and the decisions about them. Only the reviewers' login can write a decision."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple, cast

import msgspec

from sankofa.core.errors import Refused
from sankofa.drift.judge import Reason
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__)


class Hold(NamedTuple):
    """A batch, a run or a version of the rules that is held, and its decision."""

    number: int
    batch_id: int | None
    run: int | None
    source: str | None
    sha256: str | None
    rules: str | None
    dataset: str
    reasons: tuple[Reason, ...]
    held_at: datetime
    is_released: bool | None  # None: not decided yet
    because: str | None
    decided_by: str | None
    decided_at: datetime | None

    @property
    def subject(self) -> str:
        """A description of what is held."""
        if self.rules:
            return f"organisation rules {self.rules}"
        if self.run:
            return f"run {self.run} of {self.source} ({self.dataset})"
        return f"batch {self.batch_id}, a document of {self.source} ({self.dataset}), sha256 {self.sha256}"


def holds(connection: Connection, *, every: bool = False) -> list[Hold]:
    """Return the undecided holds, or all holds, newest first."""
    return _holds(connection, None, every=every)


def waiting(connection: Connection) -> int:
    """Return the number of undecided holds."""
    return cast("tuple[int]", connection.execute(_SQL["waiting"]).fetchone())[0]


def decide(connection: Connection, numbers: Iterable[int], *, release: bool, because: str) -> list[Hold]:
    """Release or refuse holds, all or none, and return them. A refused hold can be released later."""
    if not because.strip():
        raise Refused("a decision needs a reason: --because")
    with connection.transaction():
        decided = [_decidable(connection, number) for number in numbers]
        for hold in decided:
            values = {"held": hold.number, "is_released": release, "because": because}
            connection.execute(_SQL["decide"], values)
    return decided


def _decidable(connection: Connection, number: int) -> Hold:
    found = _holds(connection, number, every=True)
    if not found:
        raise Refused(f"there is no hold {number}; `sankofa held --all` lists them")
    if found[0].is_released:
        raise Refused(f"hold {number} was released before, and an edition may hold what it held back")
    return found[0]


def _holds(connection: Connection, number: int | None, *, every: bool) -> list[Hold]:
    rows = connection.execute(_SQL["holds"], {"held": number, "every": every}).fetchall()
    return [
        hold._replace(reasons=msgspec.convert(hold.reasons, tuple[Reason, ...])) for hold in map(_hold, rows)
    ]


def _hold(row: tuple[object, ...]) -> Hold:
    return Hold(*row)  # type: ignore[arg-type]  # the columns of the query, in order
