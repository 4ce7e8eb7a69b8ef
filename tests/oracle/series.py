"""The vintages of series, by replaying what was stated in the order it became known.

Independent of the service: no ledger, no comparison of neighbours, no late arrivals. It is given all
statements at once, sorts them, and walks through them with what is known in a dictionary.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import NamedTuple


class Head(NamedTuple):
    """What a series is."""

    series_type: str
    frequency: str
    country: str | None
    unit: str | None
    indicator: str | None
    indicator_name: str | None


@dataclass(frozen=True)
class Statement:
    """What one document says of series: values by key and first day, and the group it states completely."""

    available_at: date
    fetched_at: datetime
    sha256: bytes
    values: dict[str, dict[date, Decimal | None]]
    is_whole: bool
    covers: str | None = None  # keys that begin so, and which it does not name, are gone
    heads: Mapping[str, Head] = field(default_factory=dict)
    basis: str = "publisher"
    is_released_daily: bool = False  # the first value of a day was known on that day


class Vintage(NamedTuple):
    """One vintage of one value."""

    key: str
    period: date
    vintage: int
    available_at: date
    withdrawn_at: date | None
    value: Decimal
    basis: str
    statement: Statement


def vintages(statements):
    """Return every vintage that the statements make, in order of key, period and vintage."""
    keys = {key for statement in statements for key in statement.values}
    in_force: dict[tuple[str, date], Decimal] = {}
    told: dict[tuple[str, date], list[Vintage]] = {}
    for statement in sorted(statements, key=lambda one: (one.available_at, one.fetched_at, one.sha256)):
        for key in sorted(keys):
            for period, value in _said(statement, key, in_force).items():
                _take(told, in_force, (key, period), value, statement)
    return sorted(vintage for history in told.values() for vintage in history)


def _said(statement, key, in_force):
    """Return what a statement says of a series, also by leaving something out."""
    named = statement.values.get(key)
    said = dict(named or {})
    is_covered = statement.covers is not None and key.startswith(statement.covers)
    if (named is not None and statement.is_whole) or (named is None and is_covered):
        said.update({period: None for known, period in in_force if known == key and period not in said})
    return said


def _take(told, in_force, place, value, statement):
    day, basis = statement.available_at, statement.basis
    before = in_force.get(place)
    if value == before:
        return
    history = told.setdefault(place, [])
    if value is None:
        history[-1] = history[-1]._replace(withdrawn_at=day)
        del in_force[place]
        return
    _, period = place
    if statement.is_released_daily and not history and period <= day:
        day, basis = period, "publisher"
    history.append(Vintage(*place, len(history) + 1, day, None, value, basis, statement))
    in_force[place] = value
