"""Compute signals from counted events: the rows of a panel in some cells, with their inputs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import date, timedelta
from typing import NamedTuple

import msgspec

from sankofa.signals.panel import Around, Member, Panel, Tally

_MONTHS_BEFORE = 3


class Cell(NamedTuple):
    """A country and a month, by its first day."""

    country: str
    month: date


class Signal(NamedTuple):
    """One row of a panel, and the numbers of the provenances of its inputs."""

    cell: Cell
    breakdown: str
    figures: msgspec.Struct
    origins: frozenset[int]


Counted = Mapping[
    Cell, Mapping[str | None, Collection[Member]]
]  # by category or currency, where there is one


def signals(panel: Panel, counted: Counted, cells: Collection[Cell]) -> Iterator[Signal]:
    """Yield the rows of a panel in some cells; the months before them are counted too."""
    tallies = {
        cell: {breakdown: Tally.of(members) for breakdown, members in groups.items()}
        for cell, groups in counted.items()
    }
    for cell in counted.keys() & cells:
        whole = Tally.of(member for tally in tallies[cell].values() for member in tally.members)
        for breakdown, tally in tallies[cell].items():
            if breakdown is not None:
                before = tuple(tallies.get(earlier, {}).get(breakdown) for earlier in _before(cell))
                around = Around(whole=whole, before=before)
                origins = frozenset().union(*(taken.origins for taken in panel.inputs(tally, around)))
                yield Signal(cell, breakdown, panel.compute(tally, around), origins)


def _before(cell: Cell) -> Iterator[Cell]:
    month = cell.month
    for _ in range(_MONTHS_BEFORE):
        month = (month - timedelta(days=1)).replace(day=1)
        yield Cell(cell.country, month)
