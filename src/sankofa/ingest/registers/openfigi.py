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
from sankofa.ingest.identifiers import clean_name, figi, isin, ticker

_SHARES = ("Common Stock", "REIT")
_EXCHANGE = b'{"request":'

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


class _Exchange(Struct, gc=False, forbid_unknown_fields=True):
    """A request by ISIN and its answer, as `portals/post.py` stores both."""

    request: list[dict[str, str]]
    answer: list[_Answer]


def parse(
    document: BinaryIO | bytes, rejections: Rejections, limits: Limits = LIMITS, *, fetched_at: datetime
) -> Iterator[OrganisationRecord]:
    """Yield one organisation for each share class. Answers carry no day, so the day of the fetch counts.

    OpenFIGI issues no ISINs: if it was asked by ISIN, all but the FIGI is a third party's evidence.
    """
    data = content(document, limits)
    isins: dict[str, list[Identifier]] = {}
    if data.startswith(_EXCHANGE):
        answers = _by_isin(strict_json(data, _Exchange, limits), rejections, isins)
        marks: tuple[str, ...] = ("evidence:third_party",)
    else:
        answered = strict_json(data, list[_Answer] | _Answer, limits)  # type: ignore[arg-type]
        answers = (
            _share_classes(one, rejections)
            for one in (answered if isinstance(answered, list) else [answered])
        )
        marks = ()  # a share may be traded without being listed, so none says so
    subjects: dict[str, list[_Instrument]] = {}
    for found in answers:
        for subject, instruments in found.items():
            subjects.setdefault(subject, []).extend(instruments)
    for subject, instruments in subjects.items():
        if name := _name(subject, instruments, rejections):
            identifiers = (*_own_identifiers(subject, instruments), *isins.get(subject, ()))
            yield _organisation(subject, name, identifiers, marks, fetched_at.astimezone(UTC))


def _by_isin(
    exchange: _Exchange, rejections: Rejections, isins: dict[str, list[Identifier]]
) -> Iterator[dict[str, list[_Instrument]]]:
    """Yield the share class of each ISIN that was asked for, and add the ISIN to those of the share class."""
    if len(exchange.request) != len(exchange.answer):
        raise UnreadableDocument(
            "unexpected_shape", f"{len(exchange.answer)} answers to {len(exchange.request)} requests"
        )
    for request, answer in zip(exchange.request, exchange.answer, strict=True):
        number = isin(request.get("idValue", "")) if request.get("idType") == "ID_ISIN" else None
        if number is None:
            raise UnreadableDocument("unexpected_shape", f"a request without an ISIN: {request!s:.80}")
        found = _share_classes(answer, rejections)
        if len(found) > 1:
            rejections.add("not_one_to_one", f"{number} {' '.join(found)}", sum(map(len, found.values())))
            continue
        for subject in found:
            isins.setdefault(subject, []).append(Identifier("isin", "", number))
        yield found


def _share_classes(answer: _Answer, rejections: Rejections) -> dict[str, list[_Instrument]]:
    """Return the shares of an answer by the subjects of their share classes."""
    if not isinstance(answer.data, list):
        if not (answer.error or answer.warning):
            raise UnreadableDocument("unexpected_shape", "an answer without data or error")
        rejections.add("not_found", answer.error or answer.warning)
        return {}
    found: dict[str, list[_Instrument]] = {}
    for instrument in answer.data:
        subject = _subject(instrument)
        if subject.startswith("figi:"):
            found.setdefault(subject, []).append(instrument)
        else:
            rejections.add(subject, f"{instrument.figi} {instrument.ticker} {instrument.name}")
    return found


def _subject(instrument: _Instrument) -> str:
    """Return the subject of the share class, or the reason why the instrument is rejected."""
    if instrument.market_sector != "Equity" or instrument.security_type2 not in _SHARES:
        return "not_shares"
    number = figi(instrument.share_class_figi or instrument.figi)
    return f"figi:{number}" if number else "bad_figi"


def _name(subject: str, instruments: list[_Instrument], rejections: Rejections) -> str | None:
    """Return the one name of a share class, or None if it is counted as rejected."""
    names = {clean_name(instrument.name or "") for instrument in instruments}
    name = names.pop()
    if names or not name:
        reason = "name_conflict" if names else "bad_name" if name is None else "missing_name"
        rejections.add(reason, subject, len(instruments))
        return None
    return name


def _own_identifiers(subject: str, instruments: list[_Instrument]) -> tuple[Identifier, ...]:
    """Return the FIGI of a share class, and its tickers on the exchanges that are known."""
    tickers: dict[Identifier, None] = {}
    for instrument in instruments:
        market = exchange_of_figi_code(instrument.exch_code or "")
        symbol = ticker(instrument.ticker or "")
        if market and symbol:
            tickers[Identifier("ticker", market.mic, symbol)] = None
    return (Identifier("figi", "", subject.removeprefix("figi:")), *tickers)


def _organisation(
    subject: str, name: str, identifiers: tuple[Identifier, ...], marks: tuple[str, ...], seen: datetime
) -> OrganisationRecord:
    return OrganisationRecord(
        subject=subject,
        legal_name=name,
        jurisdiction=None,
        status="unknown",
        identifiers=identifiers,
        marks=marks,
        duplicate_of=None,
        stated_at=seen,
        available_at=seen.date(),
        available_at_basis="first_seen",
    )
