"""Screening: a document is compared with what was known before it, in the transaction that records it.

At ingest and not at publish, since a later document of the same source must know that this one is held back:
the ledger keeps only what a document says newly, and what it repeats of one that no edition holds is new.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, cast

import msgspec

from sankofa.drift.bounds import BOUNDS, LEAP, Movement
from sankofa.drift.judge import Changed, Reason, Usual, judge
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__)
NAMED = 30  # rows that a reason names; the others are counted


class Scale(NamedTuple):
    """How values are compared: which change is none, and which is a leap."""

    tolerance: object
    leap: int


Compare = Callable[[Scale], int]  # fills `moved`, and returns how many rows were known before


class Survey(msgspec.Struct, frozen=True):
    """How the known rows of a document, or of a part of it, changed."""

    known: int = 0
    changed: dict[Movement, Changed] = {}

    def __add__(self, other: Survey) -> Survey:
        """Return the survey of two parts that have no rows in common."""
        changed = dict(self.changed)
        for movement, one in other.changed.items():
            before = changed.get(movement, Changed(0))
            named = sorted((*before.named, *one.named))[:NAMED]
            changed[movement] = Changed(before.rows + one.rows, tuple(named))
        return Survey(self.known + other.known, changed)


def screen(
    connection: Connection, *, source: str, dataset: str, batch_id: int, new_rows: int, compare: Compare
) -> tuple[Reason, ...]:
    """Hold a batch back if it is beyond the bounds of its dataset, and return the reasons."""
    if not is_screened(connection, source):
        return ()
    found = survey(connection, dataset, compare)
    return settle(
        connection, source=source, dataset=dataset, batch_id=batch_id, new_rows=new_rows, found=found
    )


def is_screened(connection: Connection, source: str) -> bool:
    """Return whether an edition holds a document of the source: the first one is compared with nothing."""
    return connection.execute(_SQL["has_usual"], {"source": source}).fetchone() is not None


def survey(connection: Connection, dataset: str, compare: Compare) -> Survey:
    """Count how what was just appended changes what was known before, within the same transaction."""
    connection.execute(_SQL["moved_table"])
    connection.execute(_SQL["by_index"])
    known = compare(Scale(BOUNDS[dataset].tolerance, LEAP))
    moved = cast(
        "list[tuple[Movement, int, list[str]]]",
        connection.execute(_SQL["moved"], {"named": NAMED}).fetchall(),
    )
    return Survey(known, {movement: Changed(rows, tuple(names)) for movement, rows, names in moved})


def settle(
    connection: Connection, *, source: str, dataset: str, batch_id: int, new_rows: int, found: Survey
) -> tuple[Reason, ...]:
    """Hold a batch back if what was found of it is beyond the bounds, and return the reasons."""
    # Reads every document of the source, so only where a document is large at all.
    usual = _usual(connection, source) if new_rows >= BOUNDS[dataset].fewest_rows else Usual(0, 0)
    reasons = judge(dataset, known=found.known, changed=found.changed, new_rows=new_rows, usual=usual)
    if reasons:
        hold_batch(connection, batch_id, dataset, reasons)
    return reasons


def hold_batch(
    connection: Connection, batch_id: int, dataset: str, reasons: tuple[Reason, ...], takedowns: int = 0
) -> None:
    """Record that no edition takes a batch in before somebody releases it."""
    values = {"batch_id": batch_id, "dataset": dataset, "takedowns": takedowns}
    connection.execute(_SQL["hold_batch"], values | {"reasons": msgspec.json.encode(reasons).decode()})


def hold_run(connection: Connection, run: int, dataset: str, reasons: tuple[Reason, ...]) -> None:
    """Record that no edition takes in what a run brought before somebody releases it, or a good run does."""
    values = {"run": run, "dataset": dataset, "reasons": msgspec.json.encode(reasons).decode()}
    connection.execute(_SQL["hold_run"], values)


def _usual(connection: Connection, source: str) -> Usual:
    row = connection.execute(_SQL["usual"], {"source": source}).fetchone()
    return Usual(*cast("tuple[int, int]", row))
