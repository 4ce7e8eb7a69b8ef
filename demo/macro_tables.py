"""The demo world's yearly figures as the World Bank's tables: one whole table for each update."""

from __future__ import annotations

from datetime import UTC, datetime, time

from demo.documents import Document
from demo.macro_economy import UPDATES, YEARS, figures
from demo.world import World

SOURCE = "demo-world-bank"
FORMAT = "world-bank-csv"


def parts(world: World) -> int:
    """Return how many tables there are, whatever the size of the world."""
    del world
    return len(UPDATES)


def part(world: World, number: int) -> Document:
    """Return the table of update `number`, fetched on its day."""
    updated = UPDATES[number]
    found = figures(world.seed, number)
    lines = [
        '\ufeff"Data Source","The demo world",',
        "",
        f'"Last Updated Date","{updated}",',
        "",
        '"Country Name","Country Code","Indicator Name","Indicator Code",'
        + "".join(f'"{year}",' for year in YEARS),
    ]
    for (indicator, area), values in found.items():
        cells = "".join(f'"{values.get(year, "")}",' for year in YEARS)
        lines.append(f'"{area}","{area}","{indicator.name}","{indicator.code}",{cells}')
    return Document(
        name=f"world-bank-{updated}.csv",
        content="\r\n".join(lines).encode(),
        fetched_at=datetime.combine(updated, time(12), UTC),
        facts=sum(map(len, found.values())),
    )
