"""OpenFIGI answers: instruments by FIGI, as the mapping and the search of its API return them.

Only shares and trusts name an organisation: options and bonds have their own names. A share class is one
subject, however many exchanges trade it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, BinaryIO

from msgspec import UNSET, Struct, UnsetType, field

from sankofa.core.errors import UnreadableDocument
from sankofa.entities.exchanges import exchange_of_figi_code
from sankofa.entities.model import Identifier, OrganisationRecord
from sankofa.ingest.bytes.bounds import LIMITS, Limits, Rejections
from sankofa.ingest.bytes.packed import content
from sankofa.ingest.bytes.strict_json import strict_json
from sankofa.ingest.identifiers import clean_name, figi, ticker

_SHARES = ("Common Stock", "REIT")

_Text = str | UnsetType | None


class _Instrument(Struct, gc=False, rename="camel"):
    figi: str
    name: _Text = UNSET
    ticker: _Text = UNSET
    exch_code: _Text = UNSET
    composite_figi: _Text = field(name="compositeFIGI", default=UNSET)
    security_type: _Text = UNSET
    market_sector: _Text = UNSET
    share_class_figi: _Text = field(name="shareClassFIGI", default=UNSET)
    security_type2: _Text = UNSET
    security_description: _Text = UNSET


class _Answer(Struct, gc=False):
    data: list[_Instrument] | UnsetType = UNSET
    error: _Text = UNSET
    warning: _Text = UNSET
    next: Any = UNSET
    total: Any = UNSET


def parse(
    document: BinaryIO | bytes, rejections: Rejections, limits: Limits = LIMITS, *, fetched_at: datetime
) -> Iterator[OrganisationRecord]:
    """Yield one organisation for each share class. Answers carry no day, so the day of the fetch counts."""
    answered = strict_json(content(document, limits), list[_Answer] | _Answer, limits)  # type: ignore[arg-type]
    subjects: dict[str, list[_Instrument]] = {}
    for answer in answered if isinstance(answered, list) else [answered]:
        if not isinstance(answer.data, list):
            if not (answer.error or answer.warning):
                raise UnreadableDocument("unexpected_shape", "an answer without data or error")
            rejections.add("not_found", answer.error or answer.warning)
            continue
        for instrument in answer.data:
            subject = _subject(instrument)
            if subject.startswith("figi:"):
                subjects.setdefault(subject, []).append(instrument)
            else:
                rejections.add(subject, f"{instrument.figi} {instrument.ticker} {instrument.name}")
    for subject, instruments in subjects.items():
        if organisation := _organisation(subject, instruments, rejections, fetched_at.astimezone(UTC)):
            yield organisation


def _subject(instrument: _Instrument) -> str:
    """Return the subject of the share class, or the reason why the instrument is rejected."""
    if instrument.market_sector != "Equity" or instrument.security_type2 not in _SHARES:
        return "not_shares"
    number = figi(instrument.share_class_figi or instrument.figi)
    return f"figi:{number}" if number else "bad_figi"


def _organisation(
    subject: str, instruments: list[_Instrument], rejections: Rejections, fetched_at: datetime
) -> OrganisationRecord | None:
    names = {clean_name(instrument.name or "") for instrument in instruments}
    name = names.pop()
    if names or not name:
        reason = "name_conflict" if names else "bad_name" if name is None else "missing_name"
        rejections.add(reason, subject, len(instruments))
        return None
    tickers: dict[Identifier, None] = {}
    for instrument in instruments:
        market = exchange_of_figi_code(instrument.exch_code or "")
        symbol = ticker(instrument.ticker or "")
        if market and symbol:
            tickers[Identifier("ticker", market.mic, symbol)] = None
    return OrganisationRecord(
        subject=subject,
        legal_name=name,
        jurisdiction=None,
        status="unknown",
        identifiers=(Identifier("figi", "", subject.removeprefix("figi:")), *tickers),
        marks=(),  # a share may be traded without being listed
        duplicate_of=None,
        stated_at=fetched_at,
        available_at=fetched_at.date(),
        available_at_basis="first_seen",
    )
