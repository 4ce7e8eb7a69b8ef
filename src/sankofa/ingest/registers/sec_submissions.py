"""SEC submissions: the names of a filer with their days, its home, industry and tickers.

Determines from when each name of a filer was known. `formerNames` holds for each name the days of the first
and the last filing under it. Ranges overlap, may last one day, and may include the current name. On a day
that several ranges cover, the range that began last counts; on a day that none covers, the last name goes on.

The SEC writes midnight in New York as T00:00:00 in some files and as T04:00:00 or T05:00:00 in others, always
marked Z. A file with one of the latter holds true UTC, any other file holds New York time.

The filings themselves are read for their days only. Home, industry and tickers have no days of their own:
they are a record of the day of the fetch. Of a filer that files no accounts they are left out, since persons
have homes too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import BinaryIO, NamedTuple
from zoneinfo import ZoneInfo

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from sankofa.core.errors import UnreadableDocument
from sankofa.entities.model import Identifier, OrganisationRecord
from sankofa.ingest.bytes.bounds import LIMITS, Limits, Rejections
from sankofa.ingest.bytes.packed import content, is_zip, members
from sankofa.ingest.bytes.strict_json import strict_json
from sankofa.ingest.days import iso_day, later_day
from sankofa.ingest.filings.facts import EARLIEST_FILED
from sankofa.ingest.identifiers import cik, clean_name
from sankofa.ingest.recording import Named
from sankofa.ingest.registers.sec_places import home_by_code, industry, industry_marks
from sankofa.ingest.registers.sec_tickers import REGISTRY, traded_as

_MEMBER = re.compile(r"CIK([0-9]{10})\.json")
_OLDER_PAGE = re.compile(r"CIK[0-9]{10}-submissions-[0-9]{3}\.json")
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?Z")
_UTC_MIDNIGHT = re.compile(r".{10}T0[45]:00:00(?:\.0+)?Z")  # midnight in New York
_NEW_YORK = ZoneInfo("America/New_York")
# Forms that only filers of accounts file. Persons with a CIK file only ownership forms.
_ACCOUNTS = re.compile(r"(?:10-K|10-Q|20-F|40-F)")

_Text = str | None | UnsetType


class _FormerName(Struct, gc=False, rename={"began": "from", "ended": "to"}):
    name: _Text = UNSET
    began: _Text = UNSET
    ended: _Text = UNSET


class _Recent(Struct, gc=False, rename="camel"):
    """The newest filings, one list for each column; only days and forms are read."""

    filing_date: list[_Text]
    form: list[_Text]


class _OlderFilings(Struct, gc=False, rename="camel"):
    filing_from: _Text = UNSET
    filing_to: _Text = UNSET


class _Filings(Struct, gc=False):
    recent: _Recent
    files: list[_OlderFilings] | None = None


class _Address(Struct, gc=False, rename="camel"):
    state_or_country: _Text = UNSET


class _Addresses(Struct, gc=False):
    business: _Address | None = None


class _Submissions(Struct, gc=False, rename="camel"):
    cik: int | str
    name: str
    filings: _Filings
    former_names: list[_FormerName] | None = None
    sic: _Text = UNSET
    tickers: list[_Text] | None = None
    exchanges: list[_Text] | None = None
    state_of_incorporation: _Text = UNSET
    addresses: _Addresses | None = None


class _Range(NamedTuple):
    """The days of the first and the last filing under a name."""

    first: date
    last: date
    name: str


def parse(
    document: BinaryIO | bytes, rejections: Rejections, limits: Limits = LIMITS, *, fetched_at: datetime
) -> Iterator[OrganisationRecord]:
    """Yield a record for each name of one filer's document, or of each filer in the bulk archive.

    A member of the archive that cannot be read is counted under its reason. Pages of older filings state no
    names and are skipped.
    """
    if not is_zip(document):
        yield from _records(content(document, limits), None, rejections, limits, fetched_at)
        return
    for member in members(document, limits):
        yield from parse_member(member, rejections, limits, fetched_at=fetched_at)


def parse_member(
    member: Named, rejections: Rejections, limits: Limits = LIMITS, *, fetched_at: datetime
) -> Iterator[OrganisationRecord]:
    """Yield the records of one file of the bulk archive."""
    named = _MEMBER.fullmatch(member.name)
    if named is None:
        if not _OLDER_PAGE.fullmatch(member.name):
            rejections.add("unexpected_member", member.name)
        return
    try:
        yield from _records(member.read(), named[1], rejections, limits, fetched_at)
    except UnreadableDocument as unreadable:
        rejections.add(unreadable.reason, f"{member.name}: {unreadable.detail}")


def _records(
    data: bytes, expected: str | None, rejections: Rejections, limits: Limits, fetched_at: datetime
) -> Iterator[OrganisationRecord]:
    document = strict_json(data, _Submissions, limits)
    number = cik(document.cik)
    if number is None or expected not in (None, number):
        raise UnreadableDocument("bad_cik", str(document.cik))
    name = clean_name(document.name)
    if not name:
        rejections.add("bad_name" if name is None else "missing_name", number)
        return
    newest = fetched_at.astimezone(UTC).date() + timedelta(days=1)
    former = _former(document.former_names or [], number, rejections, newest)
    days = sorted(day for day in _filing_days(document.filings) if day >= EARLIEST_FILED)
    filed = [day for day in days if day <= newest]
    if len(filed) < len(days):
        rejections.repair("filing_day", f"{number} {days[-1]}")
    files_accounts = any(form and _ACCOUNTS.match(form) for form in document.filings.recent.form)
    moment = fetched_at.astimezone(UTC)
    seen = OrganisationRecord(
        subject=f"cik:{number}",
        legal_name=name,
        jurisdiction=None,
        status="unknown",
        identifiers=(Identifier("registry", REGISTRY, number),),
        marks=(f"files_accounts:{REGISTRY}",) if files_accounts else (),
        duplicate_of=None,
        stated_at=moment,
        available_at=moment.date(),
        available_at_basis="first_seen",
    )
    for day, known in _versions(former, name, filed):
        yield _dated(replace(seen, legal_name=known), day) if day else seen
    if files_accounts and (state := _state(seen, document, rejections)) != seen:
        yield state


def _dated(record: OrganisationRecord, day: date) -> OrganisationRecord:
    moment = datetime.combine(day, time(), UTC)
    return replace(record, stated_at=moment, available_at=day, available_at_basis="filing")


def _state(seen: OrganisationRecord, document: _Submissions, rejections: Rejections) -> OrganisationRecord:
    """Return the filer's record as of the fetch of the document."""
    business = document.addresses.business if document.addresses else None
    pairs = zip(_texts(document.exchanges), _texts(document.tickers), strict=False)
    return replace(
        seen,
        jurisdiction=home_by_code(
            document.state_of_incorporation or "", business.state_or_country or "" if business else ""
        ),
        identifiers=(*seen.identifiers, *traded_as(pairs, rejections)),
        marks=(*seen.marks, *industry_marks(industry(document.sic or ""))),
    )


def _texts(document: list[_Text] | None) -> list[str | None]:
    return [one or None for one in document or []]


def _former(
    document: Sequence[_FormerName], number: str, rejections: Rejections, newest: date
) -> list[_Range]:
    """Return the ranges of the valid names, and count the others."""
    is_utc = any(
        text and _UTC_MIDNIGHT.fullmatch(text) for one in document for text in (one.began, one.ended)
    )
    found = []
    for one in document:
        name = clean_name(one.name or "")
        first, last = _day(one.began, is_utc=is_utc), _day(one.ended, is_utc=is_utc)
        if not name or first is None or last is None or not EARLIEST_FILED <= first <= last <= newest:
            rejections.repair("former_name", f"{number} {one.name} {one.began} {one.ended}")
        else:
            found.append(_Range(first, last, name))
    return found


def _versions(
    former: Sequence[_Range], name: str, filed: Sequence[date]
) -> Iterator[tuple[date | None, str]]:
    """Yield each name with the day from which it was known, oldest first; None if no filing dates it.

    The current name is known from the first filing that follows the last one under another name.
    """
    last_other = max((one.last for one in former if one.name != name), default=date.min)
    began = min((one.first for one in former if one.name == name and one.last > last_other), default=None)
    began = began or next((day for day in filed if day > last_other), None)
    ranges = [*former, _Range(began, date.max, name)] if began else list(former)
    days = {one.first for one in ranges} | {one.last + timedelta(days=1) for one in former}
    previous = None
    for day in sorted(days):
        covering = [one for one in ranges if one.first <= day <= one.last]
        if not covering:
            continue
        known = max(covering, key=lambda one: (one.first, -one.last.toordinal(), one.name)).name
        if known != previous:
            yield day, known
        previous = known
    if previous != name:
        yield None, name


def _filing_days(filings: _Filings) -> Iterator[date]:
    """Return the days of filings that a document names, older pages by their first and last day."""
    texts = [*filings.recent.filing_date]
    for page in filings.files or []:
        texts += (page.filing_from, page.filing_to)
    return filter(None, map(iso_day, texts))


def _day(text: _Text, *, is_utc: bool) -> date | None:
    """Return the later of a time's days in New York and in UTC, or None if it is malformed."""
    if not isinstance(text, str) or not _MOMENT.fullmatch(text):
        return None
    try:
        written = datetime.fromisoformat(text.removesuffix("Z"))
    except ValueError:
        return None
    return later_day(written.replace(tzinfo=UTC if is_utc else _NEW_YORK), _NEW_YORK)
