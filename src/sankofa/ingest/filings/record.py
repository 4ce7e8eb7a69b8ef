"""Append filings to the ledger: their facts, and records of their filers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import partial

from msgspec.structs import replace

from sankofa.drift.bounds import FUND
from sankofa.entities import record as organisations
from sankofa.entities.model import Identifier, OrganisationRecord
from sankofa.fundamentals import record as facts
from sankofa.fundamentals.model import Filing
from sankofa.ingest.archive import Document
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.recording import Parse, Recorder, append_organisations
from sankofa.ingest.registers.sec_places import industry_marks
from sankofa.storage.postgres import Connection

# Formats whose documents have one name for all filings: the filer's newest name, which may be later than any
# filing. It counts from the day of the fetch.
_ONE_NAME = frozenset({"sec_companyfacts", "cvm_statements"})
# Records of filers from filings: by filer and, if filings may differ, by day.
Filers = dict[tuple[str, date | None], OrganisationRecord]
# Regulators by the scheme of their filer numbers.
_REGULATORS = {"cik": "US-SEC", "cvm": "BR-CVM"}


def _stage(connection: Connection, parse: Parse, document: Document, rejections: Rejections) -> int:
    filers: Filers = {}
    has_one_name = document.source.parser in _ONE_NAME
    with document.opened() as stream:
        filings = _credible(parse(stream, rejections), document, rejections)
        count = facts.stage(connection, _noting(filings, filers, has_one_name=has_one_name))
    organisations.stage(
        connection, (_seen(filer, document) if has_one_name else filer for filer in filers.values())
    )
    return count


def _stage_seen(connection: Connection, parse: Parse, document: Document, rejections: Rejections) -> int:
    """Stage a document that may have no date: its parser gets the fetch time and the source's values."""
    given = partial(parse, fetched_at=document.fetched_at, **document.source.states)
    return _stage(connection, given, document, rejections)


def _register(connection: Connection) -> None:
    facts.register(connection)
    organisations.register(connection)


def _append(connection: Connection, document: Document, document_id: int) -> int:
    append_organisations(connection, document, document_id)
    return facts.append(connection, document.source.name, document_id, document.fetched_at, document.sha256)


def _touch(connection: Connection, batch_id: int) -> None:
    facts.touch(connection, batch_id)
    organisations.touch(connection, batch_id)


FILINGS = Recorder(
    dataset=FUND,
    record=Filing,
    stage=_stage,
    register=_register,
    append=_append,
    touch=_touch,
    compare=lambda connection, document, document_id, scale: facts.compare(
        connection, document.source.name, document_id, scale
    ),
    extent=facts.EXTENT,
    mapped=facts.mapped,
    touched=lambda connection: facts.touched(connection) | organisations.touched(connection),
    size=lambda filing: (len(filing.facts), max((fact.period_end for fact in filing.facts), default=None)),
)
SEEN_FILINGS = FILINGS._replace(stage=_stage_seen)


def _credible(filings: Iterable[Filing], document: Document, rejections: Rejections) -> Iterator[Filing]:
    """Yield the filings that are not dated after the fetch, with a day's tolerance for time zones."""
    newest = document.fetched_at.date() + timedelta(days=1)
    for filing in filings:
        if facts.available_at(filing) <= newest:
            yield filing
        else:
            for _ in filing.facts:
                rejections.add("filed_after_fetch", filing.number)


def _noting(filings: Iterable[Filing], filers: Filers, *, has_one_name: bool) -> Iterator[Filing]:
    """Yield the filings, and keep the filer record of the newest one, of each day or of all."""
    for filing in filings:
        available_at = facts.available_at(filing)
        place = (filing.subject, None if has_one_name else available_at)
        known = filers.get(place)
        if known is None or (known.available_at, known.legal_name) < (
            available_at,
            filing.subject_name or "",
        ):
            filers[place] = filer(filing, available_at)
        yield filing


def _seen(filer: OrganisationRecord, document: Document) -> OrganisationRecord:
    """Return a filer record that counts from the day of the document."""
    fetched = max(document.fetched_at.astimezone(UTC).date(), filer.available_at)
    return replace(filer, available_at=fetched, available_at_basis="first_seen")


def filer(filing: Filing, available_at: date) -> OrganisationRecord:
    """Return the record of a filing's filer.

    A filer named by its LEI has only that identifier: whether the LEI is valid, and whether its holder is an
    organisation, is decided by the LEI's own record.
    """
    scheme, _, number = filing.subject.partition(":")
    regulator = _REGULATORS.get(scheme)
    return OrganisationRecord(
        subject=filing.subject,
        legal_name=filing.subject_name or "",
        jurisdiction=filing.subject_home,
        status="unknown",
        identifiers=(Identifier("registry", regulator, number),) if regulator else (),
        marks=(f"files_accounts:{regulator}", *industry_marks(filing.subject_industry)) if regulator else (),
        duplicate_of=None,
        stated_at=datetime.combine(available_at, time(), UTC),
        available_at=available_at,
        available_at_basis=filing.basis,
    )
