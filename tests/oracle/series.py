"""The vintages of series, by replaying what was stated in the order it became known.

Independent of the service: no ledger, no comparison of neighbours, no late arrivals. It is given all
statements at once, sorts them, and walks through them with what is known in a dictionary. Where several
sources state one series, the most authoritative one that has a value answers; of equals, the last to speak.
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
    known_until: date | None  # the day another vintage or a withdrawal ended it
    value: Decimal
    basis: str
    statement: Statement
    source: str


class Saying(NamedTuple):
    """What one source said of one value, perhaps for the second time, or by leaving it out."""

    day: date
    statement: Statement
    key: str
    period: date
    value: Decimal | None
    basis: str
    source: str

    @property
    def order(self):
        return self.day, self.statement.fetched_at, self.statement.sha256, self.source, self.basis


def vintages(statements, authority=lambda source: source, source=""):
    """Return every vintage that the statements make, in order of key, period and vintage.

    `statements` are those of one source, or of several by name, which `authority` sorts.
    """
    sources = statements if isinstance(statements, dict) else {source: statements}
    spoken = [saying for name, stated in sources.items() for saying in sayings(name, stated)]
    now: dict[tuple[str, date], dict[str, Saying]] = {}
    told: dict[tuple[str, date], list[Vintage]] = {}
    for saying in sorted(spoken, key=lambda one: one.order):
        place = saying.key, saying.period
        by_source = now.setdefault(place, {})
        by_source.pop(saying.source, None)
        by_source[saying.source] = saying  # last in the dictionary: the last to speak
        having = [one for one in reversed(by_source.values()) if one.value is not None]
        answer = min(having, key=lambda one: authority(one.source), default=None)
        _take(told.setdefault(place, []), place, answer, saying)
    return sorted(vintage for history in told.values() for vintage in history)


def sayings(source, statements):
    """Return all that one source said of values, from the first value on."""
    keys = sorted({key for statement in statements for key in statement.values})
    known: dict[str, dict[date, Decimal | None]] = {key: {} for key in keys}
    for statement in sorted(statements, key=lambda one: (one.available_at, one.fetched_at, one.sha256)):
        for key in keys:
            for period, value in _said(statement, key, known[key]).items():
                is_first = period not in known[key]
                if is_first and value is None:
                    continue
                known[key][period] = value
                day, basis = statement.available_at, statement.basis
                if statement.is_released_daily and is_first and period <= day:
                    day, basis = period, "publisher"
                yield Saying(day, statement, key, period, value, basis, source)


def _said(statement, key, known):
    """Return what a statement says of a series, also by leaving something out."""
    named = statement.values.get(key)
    said = dict(named or {})
    is_covered = statement.covers is not None and key.startswith(statement.covers)
    if (named is not None and statement.is_whole) or (named is None and is_covered):
        said.update({period: None for period in known if period not in said})
    return said


def _take(history, place, answer, saying):
    """Open a vintage if the answer is another than before, or end the last one if there is none any more."""
    is_open = history and history[-1].known_until is None
    before = history[-1].value if is_open else None
    value = answer and answer.value
    if value == before:
        return
    if is_open:
        history[-1] = history[-1]._replace(known_until=saying.day)
    if value is None:
        return
    number = len(history) + 1
    history.append(
        Vintage(*place, number, saying.day, None, value, saying.basis, answer.statement, answer.source)
    )
