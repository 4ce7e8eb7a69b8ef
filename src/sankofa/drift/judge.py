"""Decide whether the changes of a document are within the bounds. A decision is a value."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from sankofa.drift.bounds import BOUNDS, SIZE_DOCUMENTS, SIZE_FACTOR, Bounds, Movement

WORDS: Mapping[Movement, str] = {
    "zeroed": "become 0",
    "leapt": "change by a factor of 1,000 or more",
    "restated": "are restated",
    "gone": "are gone",
}


class Changed(msgspec.Struct, frozen=True):
    """The known rows of a document that moved in one way: their number and the first names."""

    rows: int
    named: tuple[str, ...] = ()


class Usual(msgspec.Struct, frozen=True):
    """The sizes of the published documents of a source."""

    documents: int
    largest: int


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """An exceeded bound."""

    message: str
    rows: int
    named: tuple[str, ...] = ()


def judge(
    dataset: str, *, known: int, changed: Mapping[Movement, Changed], new_rows: int, usual: Usual
) -> tuple[Reason, ...]:
    """Return the bounds that a document exceeds; none if it is ordinary."""
    bounds = BOUNDS[dataset]
    moved = [
        Reason(
            message=f"{one.rows:,} of {known:,} compared values {WORDS[movement]}"
            f" (bound: {bound.least:,} and more than {float(bound.share):.0%}; {bound.why})",
            rows=one.rows,
            named=one.named,
        )
        for movement, bound in bounds.movements.items()
        if (one := changed.get(movement)) and bound.is_exceeded(one.rows, known)
    ]
    return (*moved, *_size(bounds, new_rows, usual))


def _size(bounds: Bounds, new_rows: int, usual: Usual) -> list[Reason]:
    if usual.documents < SIZE_DOCUMENTS or new_rows < bounds.fewest_rows:
        return []
    if new_rows <= SIZE_FACTOR * usual.largest:
        return []
    message = (
        f"{new_rows:,} new rows; the largest of {usual.documents:,} documents before had {usual.largest:,}"
        f" (bound: {bounds.fewest_rows:,} and more than {SIZE_FACTOR} times the largest)"
    )
    return [Reason(message=message, rows=new_rows)]
