"""Listings: the tickers of organisations' shares, in one of three table formats.

- FinanceDatabase: `symbol,name,...,exchange,mic,...,country,...,isin,...,figi,...,delisted`
- our own: `mic,ticker,name,country,isin,figi,listed_from,listed_to`, where `country` is the ISO 3166 code
  or name, the days are ISO 8601, and all but the first three may be empty
- the Nairobi exchange's price list of one day: `Date,Code,Name,...`

Only rows of shares name an organisation: funds, notes, certificates and indices have their own names. A
listing is no statement about an organisation's legal status.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import BinaryIO, NamedTuple

from sankofa.core.errors import UnreadableDocument
from sankofa.entities.exchanges import Exchange, exchange
from sankofa.entities.model import Identifier, OrganisationRecord
from sankofa.ingest.bytes.bounds import LIMITS, Limits, Rejections
from sankofa.ingest.bytes.table import Row, read_dump
from sankofa.ingest.days import iso_day
from sankofa.ingest.identifiers import clean_name, country, figi, isin, jurisdiction, mic, ticker
from sankofa.ingest.registers.refuted import is_refuted

_NAIROBI = "XNAI"
_INDEX = "^"  # how codes of indices begin
_MONTHS = "JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC"
_NOT_SHARES = re.compile(
    r"\b(?:ETFs?|ETNs?|Exchange[ -]Traded|Notes?|NTS|Debentures?|Cert(?:ificate)?s?|Warrants?|Feeder"
    r"|Pref|Prf|NPL)\b"
    rf"|\bPortfolio(?: [0-9]+)?$|\b[0-9]{{1,2}}(?:{_MONTHS})[0-9]{{2,4}}$",
    re.IGNORECASE,
)
# The Egyptian Exchange's symbols outside Egypt: the ISIN, with a currency where there are several.
_ISIN_AS_SYMBOL = re.compile(r"([A-Z]{2}[0-9A-Z]{9}[0-9])(?:-[A-Z]{3})?")


class _Listing(NamedTuple):
    """One row of any of the tables; texts as written."""

    mic: str
    code: str  # of the exchange, where there is no MIC
    symbol: str
    name: str
    country: str
    isin: str
    figis: Sequence[str]  # the preferred one first
    listed_from: str
    listed_to: str
    delisted: bool
    day: str  # of the statement, where the table has one


def parse(
    document: BinaryIO | bytes, rejections: Rejections, limits: Limits = LIMITS, *, fetched_at: datetime
) -> Iterator[OrganisationRecord]:
    """Yield the organisations whose shares are or were listed. The tables carry no day of release."""
    table = read_dump(document, limits)
    header = set(table.header)
    form = next((form for form in _FORMS if header.issuperset(form.columns)), None)
    if form is None:
        raise UnreadableDocument("unknown_header", ",".join(table.header))
    reading = _Reading(rejections, fetched_at)
    for row in table.picked(rejections, form.columns, form.optional):
        if organisation := reading.organisation(form.listing(row)):
            yield organisation


class _Form(NamedTuple):
    columns: Sequence[str]
    optional: Sequence[str]
    listing: Callable[[Row], _Listing]


def _finance_database(row: Row) -> _Listing:
    symbol, name, code, market, country, number, single, composite, share_class, delisted = row
    figis = (share_class, composite, single)
    gone = delisted.strip().lower() == "true"
    return _Listing(market, code, symbol, name, country, number, figis, "", "", gone, "")


def _own(row: Row) -> _Listing:
    market, symbol, name, country, number, share_class, listed_from, listed_to = row
    return _Listing(
        market, "", symbol, name, country, number, (share_class,), listed_from, listed_to, False, ""
    )


def _nairobi(row: Row) -> _Listing:
    day, symbol, name = row
    return _Listing(_NAIROBI, "", symbol, name, "", "", (), "", "", False, day)


_FORMS = (
    _Form(
        ("symbol", "name", "exchange", "mic", "country", "isin"),
        ("figi", "composite_figi", "shareclass_figi", "delisted"),
        _finance_database,
    ),
    _Form(("mic", "ticker", "name"), ("country", "isin", "figi", "listed_from", "listed_to"), _own),
    _Form(("Date", "Code", "Name"), (), _nairobi),
)


class _Reading:
    def __init__(self, rejections: Rejections, fetched_at: datetime) -> None:
        self._rejections = rejections
        self._fetched_at = fetched_at.astimezone(UTC)

    def organisation(self, listing: _Listing) -> OrganisationRecord | None:
        """Return the organisation of a row, or None if it is counted as rejected."""
        record = self._record(listing)
        if isinstance(record, OrganisationRecord):
            return record
        self._rejections.add(record, f"{listing.mic or listing.code} {listing.symbol} {listing.name}")
        return None

    def _record(self, listing: _Listing) -> OrganisationRecord | str:
        """Return the organisation of a row, or the reason why it is rejected."""
        market = exchange(mic(listing.mic) or "", listing.code)
        symbol = ticker(_without_suffix(listing.symbol, market)) if market else None
        if market is None or symbol is None:
            index = listing.symbol.startswith(_INDEX)
            return "index" if index else "bad_ticker" if market else "unknown_exchange"
        name = clean_name(listing.name)
        if not name or name.upper() == symbol:
            return "bad_name" if name is None else "missing_name"
        if _NOT_SHARES.search(name) or is_refuted("listings", f"{market.mic}:{symbol}", name):
            return "not_shares" if _NOT_SHARES.search(name) else "refuted"
        days = _days(listing)
        if days is None:
            return "bad_date"
        listed_from, listed_to, reported = days
        today = self._fetched_at.date()
        if reported and reported > today + timedelta(days=1):
            return "stated_after_fetch"
        if listing.delisted:
            listed_to = listed_to or today  # it ended on an unknown day
        identifiers = self._identifiers(listing, market, symbol, listed_from, listed_to)
        # Exchanges reuse tickers; together with its security, a ticker names one company for good.
        security = next((one.value for one in identifiers if one.id_type == "isin"), None)
        return OrganisationRecord(
            subject=":".join(filter(None, ("ticker", market.mic, symbol, security))),
            legal_name=name,
            jurisdiction=self._jurisdiction(listing),
            status="unknown",
            identifiers=identifiers,
            marks=(f"listed:{market.mic}",),  # even if delisted: it is still an organisation
            duplicate_of=None,
            stated_at=datetime.combine(reported, time(), UTC) if reported else self._fetched_at,
            available_at=today,
            available_at_basis="first_seen",
        )

    def _jurisdiction(self, listing: _Listing) -> str | None:
        written = listing.country.strip()
        code = country(written) or jurisdiction(written)
        if written and not code:
            self._rejections.repair("country", f"{listing.symbol} {written}")
        return code

    def _identifiers(
        self,
        listing: _Listing,
        market: Exchange,
        symbol: str,
        listed_from: date | None,
        listed_to: date | None,
    ) -> tuple[Identifier, ...]:
        number = self._isin(listing)
        found = []
        as_symbol = _ISIN_AS_SYMBOL.fullmatch(symbol)
        if as_symbol and isin(as_symbol[1]):
            number = number or isin(as_symbol[1])
        else:
            found.append(Identifier("ticker", market.mic, symbol, listed_from, listed_to))
        if number:
            found.append(Identifier("isin", "", number))
        share_class = self._figi(listing)
        if share_class:
            found.append(Identifier("figi", "", share_class))
        return tuple(found)

    def _isin(self, listing: _Listing) -> str | None:
        number = isin(listing.isin)
        if number is None and listing.isin.strip():
            self._rejections.repair("isin", f"{listing.symbol} {listing.isin}")
        return number

    def _figi(self, listing: _Listing) -> str | None:
        for written in filter(None, map(str.strip, listing.figis)):
            if number := figi(written):
                return number
            self._rejections.repair("figi", f"{listing.symbol} {written}")
        return None


def _without_suffix(symbol: str, market: Exchange) -> str:
    return symbol.strip().removesuffix(f".{market.suffix}") if market.suffix else symbol


def _days(listing: _Listing) -> tuple[date | None, date | None, date | None] | None:
    """Return the first, the last and the stated day, or None if one is invalid or they are reversed."""
    texts = [text.strip() for text in (listing.listed_from, listing.listed_to, listing.day)]
    first, last, reported = map(iso_day, texts)
    if any(text and not day for text, day in zip(texts, (first, last, reported), strict=True)):
        return None
    return None if first and last and first > last else (first, last, reported)
