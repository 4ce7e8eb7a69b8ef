"""Which filer has which LEI: the one statement that ties an issuer's accounts to its LEI record."""

from __future__ import annotations

from demo.companyfacts import cik
from demo.documents import Document, share, shares
from demo.organisations import has_lei, lei_of_issuer
from demo.world import FETCHED_AT, World

SOURCE = "demo-cik-lei"
FORMAT = "cik-lei"


def parts(world: World) -> int:
    """Return how many documents the world is written as."""
    return shares(world)


def part(world: World, number: int) -> Document:
    """Return the pairs of some issuers."""
    rows = [
        f"{lei_of_issuer(index)},{cik(index):010}\n"
        for index in share(world, number)
        if has_lei(world, index)
    ]
    return Document(f"cik-lei-{number:03}.csv", "".join(("lei,cik\n", *rows)).encode(), FETCHED_AT)
