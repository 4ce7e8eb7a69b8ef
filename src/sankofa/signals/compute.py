"""From counted events to signals: which rows a panel has in some cells, and what each rests on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from datetime import date, timedelta
from typing import NamedTuple
from uuid import UUID

import msgspec

from sankofa.signals.panel import Around, Member, Panel, Tally

_MONTHS_BEFORE = 3


class Cell(NamedTuple):
    """A country and a month, by its first day."""

    country: str
    month: date


class Signal(NamedTuple):
    """One row of a panel, and where its inputs are stated."""

    cell: Cell
    breakdown: str
    figures: msgspec.Struct
    origins: frozenset[UUID]


Counted = Mapping[tuple[Cell, str | None], Collection[Member]]  # by category or currency, where there is one


def signals(panel: Panel, counted: Counted, cells: Collection[Cell]) -> Iterator[Signal]:
    """Yield the rows of a panel in some cells; the months before them are counted too."""
    tallies = {place: Tally(tuple(members)) for place, members in counted.items()}
    whole: defaultdict[Cell, list[Member]] = defaultdict(list)
    for (cell, _), tally in tallies.items():
        whole[cell] += tally.members
    for (cell, breakdown), tally in tallies.items():
        if breakdown is None or cell not in cells:
            continue
        before = tuple(tallies.get((earlier, breakdown)) for earlier in _before(cell))
        around = Around(whole=Tally(tuple(whole[cell])), before=before)
        yield Signal(
            cell,
            breakdown,
            panel.compute(tally, around),
            frozenset(
                origin
                for taken in panel.inputs(tally, around)
                for member in taken.members
                for origin in member.origins
            ),
        )


def _before(cell: Cell) -> Iterator[Cell]:
    month = cell.month
    for _ in range(_MONTHS_BEFORE):
        month = (month - timedelta(days=1)).replace(day=1)
        yield Cell(cell.country, month)
