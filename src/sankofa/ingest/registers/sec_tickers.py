"""SEC company tickers: filers by central index key, with their tickers.

The list with exchanges (`fields` and `data`) gives both; a snapshot shows the tickers of its day. The list
without exchanges gives only names: a ticker without an exchange identifies no one. A filer has one row for
each of its tickers.

The SEC names the group, not the market: `NYSE` stands for all markets of that group and is kept as XNYS, the
operator of them all by ISO 10383.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, BinaryIO, Literal, NamedTuple

from msgspec import Struct

from sankofa.entities.exchanges import exchange
from sankofa.entities.model import Identifier, OrganisationRecord
from sankofa.ingest.bytes.bounds import LIMITS, Limits, Rejections
from sankofa.ingest.bytes.packed import content
from sankofa.ingest.bytes.strict_json import strict_json
from sankofa.ingest.identifiers import cik, clean_name, ticker

REGISTRY = "US-SEC"

_HAS_FIELDS = re.compile(rb'\s*\{\s*"fields"')


class _Filer(Struct, gc=False):
    cik_str: int | str
    ticker: Any
    title: str


class _Row(NamedTuple):
    cik: int | str
    name: str
    ticker: str | None
    exchange: str | None


class _WithExchanges(Struct, gc=False):
    fields: tuple[Literal["cik"], Literal["name"], Literal["ticker"], Literal["exchange"]]
    data: list[_Row]


def parse(
    document: BinaryIO | bytes, rejections: Rejections, limits: Limits = LIMITS, *, fetched_at: datetime
) -> Iterator[OrganisationRecord]:
    """Yield one organisation for each filer. The file carries no day, so the day of the fetch counts."""
    filers: dict[str, list[_Row]] = {}
    for row in _rows(content(document, limits), limits):
        key = cik(row.cik)
        if key is None:
            rejections.add("bad_cik", row.cik)
        else:
            filers.setdefault(key, []).append(row)
    moment = fetched_at.astimezone(UTC)
    for key, rows in filers.items():
        written = [clean_name(row.name) for row in rows]
        name = written[0]
        if not name or any(other != name for other in written):
            conflict = len(set(written)) > 1
            reason = "name_conflict" if conflict else "bad_name" if name is None else "missing_name"
            rejections.add(reason, key, len(written))
            continue
        traded = traded_as(((row.exchange, row.ticker) for row in rows), rejections)
        yield OrganisationRecord(
            subject=f"cik:{key}",
            legal_name=name,
            jurisdiction=None,
            status="unknown",
            identifiers=(Identifier("registry", REGISTRY, key), *traded),
            marks=(f"files_accounts:{REGISTRY}",),
            duplicate_of=None,
            stated_at=moment,
            available_at=moment.date(),
            available_at_basis="first_seen",
        )


def traded_as(
    pairs: Iterable[tuple[str | None, str | None]], rejections: Rejections
) -> tuple[Identifier, ...]:
    """Return tickers from pairs of exchange and ticker, distinct and sorted; incomplete pairs are skipped."""
    found = set()
    for code, symbol in pairs:
        if not code or not symbol:
            continue
        market, written = exchange("", code.upper()), ticker(symbol)
        if market and written:
            found.add(Identifier("ticker", market.mic, written))
        else:
            rejections.repair("ticker" if market else "exchange", f"{code} {symbol}")
    return tuple(sorted(found))


def _rows(data: bytes, limits: Limits) -> Iterator[_Row]:
    if _HAS_FIELDS.match(data):
        yield from strict_json(data, _WithExchanges, limits).data
        return
    for filer in strict_json(data, dict[str, _Filer], limits).values():
        yield _Row(filer.cik_str, filer.title, None, None)
