"""The demo world's exchange rates as the European Central Bank writes its ninety days.

Two documents that overlap. The second states one rate differently: the shilling's of 2025-09-15.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time

from demo.documents import Document
from demo.macro_economy import CURRENCIES, rates
from demo.world import World

SOURCE = "demo-fx"
FORMAT = "ecb-csv"

_LAST_DAYS = (date(2025, 9, 30), date(2025, 12, 31))
_DAYS = 120
_LATER_DAYS = 30
_CORRECTED = (date(2025, 9, 15), "KES", "150.0000")


def parts(world: World) -> int:
    """Return how many documents there are, whatever the size of the world."""
    del world
    return len(_LAST_DAYS)


def part(world: World, number: int) -> Document:
    """Return document `number`, fetched on the evening of its last day."""
    found = rates(world.seed, _LAST_DAYS[number], _DAYS)
    if number:
        day, currency, rate = _CORRECTED
        found[day][currency] = rate
    return _table(_LAST_DAYS[number], found)


def later_table(world: World, last: date) -> Document:
    """Return the rates of the month before a day after the world's last table."""
    return _table(last, rates(world.seed, last, _LATER_DAYS))


def _table(last: date, found: dict[date, dict[str, str]]) -> Document:
    lines = [f"Date, {', '.join(CURRENCIES)}, "]
    lines += [f"{day:%d %B %Y}, {', '.join(of_day.values())}, " for day, of_day in found.items()]
    return Document(
        name=f"eurofxref-hist-90d-{last}.csv",
        content="\n".join(lines).encode(),
        fetched_at=datetime.combine(last, time(18), UTC),
        facts=len(found) * len(CURRENCIES),
    )
