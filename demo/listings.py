"""The world's exchanges: who is or was listed under which ticker, six issuers in ten among them.

An older list, fetched six years before, has the first holder of a ticker that another company has today.
"""

from __future__ import annotations

from datetime import UTC, datetime

from demo import remarkable
from demo.chance import Chance
from demo.documents import Document, share, shares
from demo.identifiers import figi, isin
from demo.lei_records import LeiRecord
from demo.places import PLACES
from demo.showcase import SHOWCASE
from demo.world import FETCHED_AT, World

SOURCE = "demo-listings"
FORMAT = "listings"

HEAD = "mic,ticker,name,country,isin,figi,listed_from,listed_to\n"
FETCHED_EARLIER = datetime(2020, 1, 6, 6, tzinfo=UTC)
TICKERS = ("NYAL", "KWZ", "ZUMABANK")  # of the showcase
REUSED_TICKER = "BRSK"
FIRST_REMARKABLE = 9_000_000


def parts(world: World) -> int:
    """Return how many documents the world is written as; the older list is the first."""
    return 1 + shares(world)


def part(world: World, number: int) -> Document:
    """Return the older list, or the listings of some issuers."""
    if number == 0:
        first = _of(remarkable.FIRST_OF_TICKER, 1, REUSED_TICKER, "2004-11-15,2019-06-28")
        return Document("listings-2020.csv", (HEAD + first).encode(), FETCHED_EARLIER)
    rows = [HEAD]
    if number == 1:
        rows.append(_of(remarkable.DELISTED, 2, "DAKOLUNYI", "2006-05-08,2021-03-31"))
        rows.append(_of(remarkable.SECOND_OF_TICKER, 3, REUSED_TICKER, "2021-09-01,"))
    rows.extend(row for index in share(world, number - 1) if (row := _listing(world, index)))
    return Document(f"listings-{number - 1:03}.csv", "".join(rows).encode(), FETCHED_AT)


def _listing(world: World, index: int) -> str | None:
    """Return the listing of an issuer, if it is listed: its ticker is its coined word."""
    days = "2008-04-01,"
    if index >= len(SHOWCASE):
        chance = Chance(f"sankofa demo world {world.seed} listing {index}")
        if not chance.percent(60):
            return None
        days = f"{chance.between(1995, 2015)}-{chance.between(1, 12):02}-{chance.between(1, 28):02},"
    profile = world.profile(index)
    ticker = TICKERS[index] if index < len(TICKERS) else profile.name.partition(" ")[0].upper()
    return _row(profile.country, ticker, profile.name, index, days)


def _of(record: LeiRecord, place: int, ticker: str, days: str) -> str:
    return _row(record.country, ticker, record.name, FIRST_REMARKABLE + place, days)


def _row(country: str, ticker: str, name: str, number: int, days: str) -> str:
    exchange = PLACES[country].exchange
    return f"{exchange},{ticker},{name},{country},{isin(country, number)},{figi(number)},{days}\n"
