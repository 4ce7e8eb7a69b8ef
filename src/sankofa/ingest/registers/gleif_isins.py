"""ISIN-to-LEI: the securities of an organisation, as a table or as a page of GLEIF's API.

Neither states a name, a jurisdiction or a status: `legal_name` is empty and means "states no name".
The table's rows are taken LEI by LEI as they come, since a full one is too large to be sorted here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import groupby
from operator import itemgetter
from typing import Any, BinaryIO, Literal

from msgspec import UNSET, Struct, UnsetType

from sankofa.core.errors import UnreadableDocument
from sankofa.entities.model import Identifier, OrganisationRecord
from sankofa.ingest.bytes.bounds import LIMITS, Limits, Rejections
from sankofa.ingest.bytes.packed import content, opening
from sankofa.ingest.bytes.strict_json import strict_json
from sankofa.ingest.bytes.table import Row, read_dump
from sankofa.ingest.identifiers import isin, lei

# Banks issue certificates by the hundred thousand. So many are no use for identification, and one record
# must not grow without bound.
ISINS_OF_ONE = 10_000

_JSON = (b"{", b"[")
_Dated = tuple[datetime, Literal["publisher", "first_seen"]]


class _Pair(Struct, gc=False):
    lei: str
    isin: str


class _Item(Struct, gc=False):
    type: Literal["isins"]
    attributes: _Pair
    id: Any = UNSET


class _GoldenCopy(Struct, gc=False, rename="camel"):
    publish_date: datetime | UnsetType = UNSET


class _Meta(Struct, gc=False, rename="camel"):
    golden_copy: _GoldenCopy | UnsetType = UNSET
    pagination: Any = UNSET


class _Page(Struct, gc=False):
    data: list[_Item]
    meta: _Meta | UnsetType = UNSET
    links: Any = UNSET


def parse(
    document: BinaryIO | bytes, rejections: Rejections, limits: Limits = LIMITS, *, fetched_at: datetime
) -> Iterator[OrganisationRecord]:
    """Yield one record for each LEI that has ISINs."""
    moment = fetched_at.astimezone(UTC)
    if opening(document, limits) not in _JSON:
        rows = read_dump(document, limits).picked(rejections, ("LEI", "ISIN"))
        yield from _organisations(rows, rejections, (moment, "first_seen"))
        return
    page = strict_json(content(document, limits), _Page, limits)
    rows = ((item.attributes.lei, item.attributes.isin) for item in page.data)
    yield from _organisations(rows, rejections, _dated(page, moment))


def _dated(page: _Page, fetched_at: datetime) -> _Dated:
    published = page.meta.golden_copy.publish_date if page.meta and page.meta.golden_copy else UNSET
    if not published:
        return fetched_at, "first_seen"
    if published.tzinfo is None or published > fetched_at + timedelta(days=1):
        raise UnreadableDocument("stated_after_fetch" if published.tzinfo else "bad_moment", str(published))
    return published.astimezone(UTC), "publisher"


def _organisations(
    rows: Iterable[Row], rejections: Rejections, dated: _Dated
) -> Iterator[OrganisationRecord]:
    """Yield a record for consecutive rows of each LEI; later rows of the same LEI are rejected.

    Two records of one LEI in one document would contradict each other about what it has issued.
    """
    done: set[str] = set()
    for written, group in groupby(rows, key=itemgetter(0)):
        number = lei(written)
        if number is None or number in done:
            reason = "lei_comes_again" if number else "bad_lei"
            rejections.add(reason, written, sum(1 for _ in group))
            continue
        done.add(number)
        isins: dict[str, None] = {}
        count = 0
        for _, code in group:
            count += 1
            if security := isin(code):
                if len(isins) <= ISINS_OF_ONE:
                    isins[security] = None
            else:
                rejections.add("bad_isin", f"{written} {code}")
        if len(isins) > ISINS_OF_ONE:
            rejections.add("too_many_isins", written, count)
        elif isins:
            yield _organisation(number, isins, dated)


def _organisation(number: str, isins: Iterable[str], dated: _Dated) -> OrganisationRecord:
    stated_at, basis = dated
    return OrganisationRecord(
        subject=f"lei:{number}",
        legal_name="",
        jurisdiction=None,
        status="unknown",
        identifiers=(Identifier("lei", "", number), *[Identifier("isin", "", code) for code in isins]),
        marks=(),
        duplicate_of=None,
        stated_at=stated_at,
        available_at=stated_at.date(),
        available_at_basis=basis,
    )
