"""The demo world's consumer prices as ALFRED answers: each value with the days on which it was in force."""

from __future__ import annotations

import json
from datetime import date, timedelta

from demo.documents import Document
from demo.macro_economy import prices
from demo.world import FETCHED_AT, World

SOURCE = "demo-alfred"
FORMAT = "alfred-json"

_FIRST, _LAST = "1776-07-04", "9999-12-31"


def parts(world: World) -> int:
    """Return 1: one answer holds all vintages."""
    del world
    return 1


def part(world: World, number: int) -> Document:
    """Return the answer."""
    del number
    released = prices(world.seed)
    following: dict[date, date] = {}
    rows = []
    for month, day, value in reversed(released):
        ended = str(following[month] - timedelta(days=1)) if month in following else _LAST
        rows.append({"realtime_start": str(day), "realtime_end": ended, "date": str(month), "value": value})
        following[month] = day
    rows.reverse()
    answer = {
        "realtime_start": _FIRST,
        "realtime_end": _LAST,
        "observation_start": "1600-01-01",
        "observation_end": _LAST,
        "units": "lin",
        "output_type": 1,
        "file_type": "json",
        "order_by": "observation_date",
        "sort_order": "asc",
        "count": len(rows),
        "offset": 0,
        "limit": 100_000,
        "observations": rows,
    }
    return Document(
        name="alfred-KENCPI.json", content=json.dumps(answer).encode(), fetched_at=FETCHED_AT, facts=len(rows)
    )
