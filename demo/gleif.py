"""The world as GLEIF writes it: golden copies as tables, and a later delta in JSON."""

from __future__ import annotations

from datetime import timedelta

from demo import remarkable
from demo.documents import Document, share, shares
from demo.lei_records import TABLE_HEAD, as_json, table_row
from demo.organisations import records
from demo.world import FETCHED_AT, World

SOURCE = "demo-gleif"
FORMAT = "gleif"


def parts(world: World) -> int:
    """Return how many documents the world is written as; the delta is the last."""
    return shares(world) + 1


def part(world: World, number: int) -> Document:
    """Return a table, or the delta, fetched a day later."""
    if number == shares(world):
        fetched_at = FETCHED_AT + timedelta(days=1)
        return Document("gleif-delta.json", as_json(list(remarkable.CHANGES)), fetched_at)
    rows = map(table_row, records(world, share(world, number)))
    return Document(f"gleif-{number:03}.csv", "".join((TABLE_HEAD, *rows)).encode(), FETCHED_AT)
