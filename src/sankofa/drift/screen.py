"""Screening: compare a document with the data known before it, in the transaction that records it.

This happens at ingest and not at publish, because the next document of the source must take into account that
this one is held: the ledger stores only new statements, and a statement repeated from a held document is new.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import NamedTuple, cast

import msgspec

from sankofa.drift.bounds import BOUNDS, LEAP, SIZE_FACTOR, Movement
from sankofa.drift.judge import Changed, Reason, Usual, judge
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__)
NAMED = 30  # rows named in a reason; the others are only counted


class Scale(NamedTuple):
    """How values are compared: the tolerance, and the factor of a leap."""

    tolerance: object
    leap: int


Compare = Callable[[Scale], int]  # fills `moved`, and returns the number of known rows


class Survey(msgspec.Struct, frozen=True):
    """The changes of the known rows of a document or of a part of it."""

    known: int = 0
    changed: dict[Movement, Changed] = {}

    def __add__(self, other: Survey) -> Survey:
        """Return the combined survey of two parts without common rows."""
        changed = dict(self.changed)
        for movement, one in other.changed.items():
            before = changed.get(movement, Changed(0))
            named = sorted((*before.named, *one.named))[:NAMED]
            changed[movement] = Changed(before.rows + one.rows, tuple(named))
        return Survey(self.known + other.known, changed)


def screen(
    connection: Connection, *, source: str, dataset: str, batch_id: int, new_rows: int, compare: Compare
) -> tuple[Reason, ...]:
    """Hold a batch if it exceeds the bounds of its dataset, and return the reasons."""
    if not is_screened(connection, source):
        return ()
    found = survey(connection, dataset, compare)
    return settle(
        connection, source=source, dataset=dataset, batch_id=batch_id, new_rows=new_rows, found=found
    )


def is_screened(connection: Connection, source: str) -> bool:
    """Return whether an edition holds a document of the source; before that, there is nothing to compare."""
    return connection.execute(_SQL["has_usual"], {"source": source}).fetchone() is not None


def survey(connection: Connection, dataset: str, compare: Compare) -> Survey:
    """Count how the rows just appended change the known ones, within the same transaction."""
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
    """Hold a batch if its survey exceeds the bounds, and return the reasons."""
    is_large = new_rows >= BOUNDS[dataset].fewest_rows and not _has_similar(connection, source, new_rows)
    usual = _usual(connection, source) if is_large else Usual(0, 0)
    reasons = judge(dataset, known=found.known, changed=found.changed, new_rows=new_rows, usual=usual)
    if reasons:
        hold_batch(connection, batch_id, dataset, reasons)
    return reasons


def hold_batch(
    connection: Connection, batch_id: int, dataset: str, reasons: tuple[Reason, ...], takedowns: int = 0
) -> None:
    """Record that no edition takes in a batch before a reviewer releases it."""
    values = {"batch_id": batch_id, "dataset": dataset, "takedowns": takedowns}
    connection.execute(_SQL["hold_batch"], values | {"reasons": msgspec.json.encode(reasons).decode()})


def hold_run(connection: Connection, run: int, dataset: str, reasons: tuple[Reason, ...]) -> None:
    """Hold the documents of a run until a reviewer or a good run releases them."""
    values = {"run": run, "dataset": dataset, "reasons": msgspec.json.encode(reasons).decode()}
    connection.execute(_SQL["hold_run"], values)


def _has_similar(connection: Connection, source: str, new_rows: int) -> bool:
    """Return whether an edition holds a document of the source that makes one with so many rows ordinary."""
    values = {"source": source, "rows": ceil(new_rows / SIZE_FACTOR)}
    return connection.execute(_SQL["has_as_large"], values).fetchone() is not None


def _usual(connection: Connection, source: str) -> Usual:
    row = connection.execute(_SQL["usual"], {"source": source}).fetchone()
    return Usual(*cast("tuple[int, int]", row))
