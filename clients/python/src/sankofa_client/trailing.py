"""Twelve months up to the newest period, from what was reported: no period is split and none is guessed.

The service serves what companies reported. A sum over several reports is yours; it is made here, in the open:
`Trailing.parts` holds every fact that went in, with its sign.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

import msgspec

from sankofa_client import _endpoints as ask
from sankofa_client._conversation import Conversation, Core
from sankofa_client._question import Scope
from sankofa_client._whole import rows_of
from sankofa_client.rows import FundamentalsFact

__all__ = ["NotCovered", "Part", "Trailing"]

_DAY = dt.timedelta(days=1)
_YEAR = range(350, 381)  # days; some fiscal years have 52 or 53 weeks
_QUARTER = range(80, 101)
_QUARTERS = 4
_NEARLY = 7  # days by which the same part of two years may differ in length


class NotCovered(ValueError):
    """What was reported does not add up to twelve months."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A fact that is added, or with the sign -1 taken away."""

    sign: int
    fact: FundamentalsFact


class Trailing(msgspec.Struct, frozen=True, kw_only=True):
    """Twelve months of a line item; `available_at` is the day on which the last part of it was public."""

    service_id: str
    line_item: str
    unit: str
    value: Decimal
    period_start: dt.date
    period_end: dt.date
    available_at: dt.date
    parts: list[Part]


def ttm(
    core: Core, scope: Scope, service_id: str, line_item: str, unit: str | None
) -> Conversation[Trailing]:
    """Add up the twelve months that end with the newest period known."""
    known = yield from rows_of(core, scope, ask.FUNDAMENTALS, service_id=service_id, items=line_item)
    spans = [fact for fact in known if fact.line_item == line_item and fact.period_start]
    units = {fact.unit for fact in spans} if unit is None else {unit}
    if len(units) > 1:
        raise NotCovered(f"{line_item} is stated in {', '.join(sorted(units))}: choose a unit")
    return trailing([fact for fact in spans if fact.unit in units], f"{line_item} of {service_id}")


def trailing(facts: Sequence[FundamentalsFact], what: str = "the value") -> Trailing:
    """Return twelve months made of facts of one line item and unit, in the first way that they permit.

    The ways: a year; four quarters in a row; a year and the part of the next one, less the same part of the
    year itself. They must end with the newest period.
    """
    if not facts:
        raise NotCovered(f"no period of {what} was known")
    last = max(fact.period_end for fact in facts)
    ending = [fact for fact in facts if fact.period_end == last]
    for parts in (*_years(ending), *_quarters(ending, facts), *_carried(ending, facts)):
        added = [part.fact for part in parts if part.sign > 0]
        return Trailing(
            service_id=added[0].service_id,
            line_item=added[0].line_item,
            unit=added[0].unit,
            value=sum((part.sign * part.fact.value_reported for part in parts), Decimal()),
            period_start=last - _twelve_months(parts) + _DAY,
            period_end=last,
            available_at=max(part.fact.available_at for part in parts),
            parts=list(parts),
        )
    held = ", ".join(sorted({f"{_start(fact)} to {fact.period_end}" for fact in facts}, reverse=True)[:6])
    raise NotCovered(f"no twelve months of {what} up to {last} can be made of the periods known: {held}")


def _years(ending: Iterable[FundamentalsFact]) -> Iterator[list[Part]]:
    return ([Part(sign=1, fact=fact)] for fact in ending if _days(fact) in _YEAR)


def _quarters(ending: Iterable[FundamentalsFact], facts: Sequence[FundamentalsFact]) -> Iterator[list[Part]]:
    quarters = {fact.period_end: fact for fact in facts if _days(fact) in _QUARTER}
    for fact in ending:
        chain = [fact] if _days(fact) in _QUARTER else []
        while chain and len(chain) < _QUARTERS and (before := quarters.get(_start(chain[-1]) - _DAY)):
            chain.append(before)
        if len(chain) == _QUARTERS and sum(map(_days, chain)) in _YEAR:
            yield [Part(sign=1, fact=each) for each in chain]


def _carried(ending: Iterable[FundamentalsFact], facts: Sequence[FundamentalsFact]) -> Iterator[list[Part]]:
    for fact in sorted(ending, key=_days, reverse=True):
        for year in facts:
            if year.period_end != _start(fact) - _DAY or _days(year) not in _YEAR:
                continue
            for same in facts:
                if _start(same) == _start(year) and abs(_days(same) - _days(fact)) <= _NEARLY:
                    signs = ((1, year), (1, fact), (-1, same))
                    yield [Part(sign=sign, fact=each) for sign, each in signs]


def _twelve_months(parts: Sequence[Part]) -> dt.timedelta:
    return dt.timedelta(days=sum(part.sign * _days(part.fact) for part in parts))


def _start(fact: FundamentalsFact) -> dt.date:
    if fact.period_start is None:
        raise TypeError("a day has no twelve months")
    return fact.period_start


def _days(fact: FundamentalsFact) -> int:
    return (fact.period_end - _start(fact)).days + 1
