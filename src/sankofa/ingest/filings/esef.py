"""ESEF reports in xBRL-JSON: the figures of one issuer's annual report, with or without a repository index.

A period ends at midnight after its last day. Prefixes are resolved by the document's own namespaces, so IFRS
is recognised by its URI, and an issuer's own concepts cannot pass for it. Facts with a dimension are parts of
a total (a component of equity, a segment) and are counted only.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any, BinaryIO

from msgspec import UNSET, Struct
from msgspec.structs import replace

from sankofa.core.errors import UnreadableDocument
from sankofa.fundamentals.model import CONSOLIDATED, FiledFact, Filing
from sankofa.ingest.bytes.bounds import LIMITS, Limits, Rejections, exact
from sankofa.ingest.bytes.packed import content, is_zip, members
from sankofa.ingest.bytes.strict_json import strict_json
from sankofa.ingest.days import later_day
from sankofa.ingest.filings.esef_index import CLOCK, Entry, Index
from sankofa.ingest.filings.facts import FactKey, is_name
from sankofa.ingest.identifiers import lei

# The notes of a whole report can be one text; a report is held in memory, and none known has 50 MB.
_LIMITS = replace(LIMITS, document_bytes=256 << 20, string_bytes=64 << 20)

_FORM = "AFR"  # annual financial report: the only kind that the format is for
_DOCUMENT_TYPE = "https://xbrl.org/2021/xbrl-json"
_LEI_NAMESPACE = "http://standards.iso.org/iso/17442"
_CURRENCIES = "http://www.xbrl.org/2003/iso4217"
_INSTANCE = "http://www.xbrl.org/2003/instance"
_IFRS = re.compile(r"https?://xbrl\.ifrs\.org/taxonomy/[0-9]{4}-[0-9]{2}-[0-9]{2}/ifrs-full")
_NAMESPACE = re.compile(r"[!-z|~]{1,256}")
_CURRENCY = re.compile(r"[A-Z]{3}")
_DAY = r"([0-9]{4}-[0-9]{2}-[0-9]{2})T00:00:00"
_PERIOD = re.compile(rf"(?:{_DAY}/)?{_DAY}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,64}(?:\.[0-9]{0,64})?|\.[0-9]{1,64})(?:[eE][+-]?[0-9]{1,2})?")
_INDEX_MEMBER = re.compile(r"filings[^/]*\.json")
_PLAIN = frozenset({"concept", "entity", "period", "unit", "language", "noteId"})
_MOST_DECIMALS = 64
_NUMBER_DIGITS = 16  # of the hash that distinguishes reports of one issuer and period


class _Fact(Struct, gc=False):
    dimensions: dict[str, Any]
    value: Any = UNSET
    decimals: Any = UNSET
    links: Any = UNSET


class _DocumentInfo(Struct, gc=False, rename="camel"):
    document_type: str
    namespaces: dict[str, str]
    features: Any = UNSET
    taxonomy: Any = UNSET
    link_types: Any = UNSET
    link_groups: Any = UNSET


class _Report(Struct, gc=False, rename="camel"):
    document_info: _DocumentInfo
    facts: dict[str, _Fact]


def parse(
    document: BinaryIO | bytes, rejections: Rejections, limits: Limits = _LIMITS, *, fetched_at: datetime
) -> Iterator[Filing]:
    """Yield the filing of one report, or those of an archive of reports and pages of their index.

    In an archive, pages of the index are called `filings….json`, and a report lies at the path by which the
    index names it. A member that cannot be read is counted under its reason, and the others are read.
    """
    seen = later_day(fetched_at, CLOCK)
    if not is_zip(document):
        yield from _filing(content(document, limits), None, seen, rejections, limits)
        return
    index = Index(rejections)
    files = members(document, limits)
    for member in files:
        if _INDEX_MEMBER.fullmatch(member.name):
            index.add(member.read(), limits)
    for member in files:
        if _INDEX_MEMBER.fullmatch(member.name):
            continue
        if not member.name.endswith(".json"):
            rejections.add("unexpected_member", member.name)
            continue
        try:
            yield from _filing(member.read(), index.entry(member.name), seen, rejections, limits)
        except UnreadableDocument as unreadable:
            rejections.add(unreadable.reason, f"{member.name}: {unreadable.detail}")


def _filing(
    data: bytes, entry: Entry | None, seen: date, rejections: Rejections, limits: Limits
) -> Iterator[Filing]:
    """Yield the filing of a report if it has any fact.

    Without an index its publication day is unknown, so it counts from the day it was first seen, and its
    number is formed like those of the index: issuer and period, which order reports seen on one day.
    """
    report = strict_json(data, _Report, limits)
    if report.document_info.document_type != _DOCUMENT_TYPE:
        raise UnreadableDocument("unexpected_document_type", report.document_info.document_type[:80])
    reading = _Reading(report.document_info.namespaces, limits)
    issuer = reading.issuer(report.facts)
    if entry and not entry.number.startswith(f"{issuer}-"):
        raise UnreadableDocument("entity_conflict", f"{issuer}, in the index {entry.number}")
    for fact in report.facts.values():
        if problem := reading.take(fact):
            dimensions = fact.dimensions
            rejections.add(
                problem, f"{dimensions.get('concept')} {dimensions.get('period')} {dimensions.get('unit')}"
            )
    facts = reading.settled(rejections)
    if not facts:
        return
    last = max(fact.period_end for fact in facts)
    digest = hashlib.sha256(data).hexdigest()[:_NUMBER_DIGITS]
    yield Filing(
        subject=f"lei:{issuer}",
        subject_name=None,
        number=entry.number if entry else f"{issuer}-{last}-{digest}",
        form=_FORM,
        filed=entry.added if entry else seen,
        basis="publisher" if entry else "first_seen",
        accepted_at=None,
        report_period=None,
        facts=facts,
    )


class _Reading:
    """The facts of one report, found one by one."""

    def __init__(self, namespaces: dict[str, str], limits: Limits) -> None:
        self._namespaces = namespaces
        self._limits = limits
        self._amounts: defaultdict[FactKey, Counter[_Amount]] = defaultdict(Counter)

    def issuer(self, facts: dict[str, _Fact]) -> str:
        """Return the LEI of the issuer. Raise unless there is exactly one."""
        entities = {str(fact.dimensions.get("entity")) for fact in facts.values()}
        if len(entities) != 1:
            raise UnreadableDocument(
                "several_entities" if entities else "no_facts", " ".join(sorted(entities))
            )
        written = entities.pop()
        namespace, local = self._expanded(written)
        number = lei(local) if namespace == _LEI_NAMESPACE else None
        if number is None:
            raise UnreadableDocument("bad_lei", written[:80])
        return number

    def take(self, fact: _Fact) -> str | None:
        """Add a fact, or return the reason why it is rejected."""
        dimensions = fact.dimensions
        if not dimensions.keys() <= _PLAIN:
            return "dimensional"
        # A pure number has no unit; a value with neither unit nor precision may be a text.
        if "language" in dimensions or ("unit" not in dimensions and fact.decimals in (UNSET, None)):
            return "not_a_number"
        key, amount = self._key(dimensions), _amount(fact, self._limits)
        if isinstance(key, str):
            return key
        if isinstance(amount, str):
            return amount
        self._amounts[key][amount] += 1
        return None

    def _key(self, dimensions: dict[str, Any]) -> FactKey | str:
        concept = self._concept(dimensions.get("concept"))
        if concept is None:
            return "bad_concept"
        unit = self._unit(dimensions["unit"]) if "unit" in dimensions else "pure"
        if unit is None:
            return "bad_unit"
        period = _period(str(dimensions.get("period")))
        if period is None:
            return "bad_date"
        if period[0] and period[0] > period[1]:
            return "period_reversed"
        return concept, *period, unit, CONSOLIDATED

    def settled(self, rejections: Rejections) -> list[FiledFact]:
        """Return the consistent facts, each with its highest precision, and count the rows of the others."""
        facts: list[FiledFact] = []
        for key, rows in self._amounts.items():
            precise = max(rows, key=_precision)
            if all(_agrees(precise, row) for row in rows):
                facts.append(FiledFact(*key, *precise))
            else:
                rejections.add("duplicate_conflict", f"{key[0]} {key[2]}", rows.total())
        return facts

    def _expanded(self, name: object) -> tuple[str, str]:
        """Return the namespace and the local name; an empty namespace if the prefix is undeclared."""
        prefix, _, local = name.partition(":") if isinstance(name, str) else ("", "", "")
        return self._namespaces.get(prefix, ""), local

    def _concept(self, name: object) -> str | None:
        """Return taxonomy and tag for IFRS of any year, and `{namespace}tag` for all others."""
        namespace, local = self._expanded(name)
        if not is_name(local) or not _NAMESPACE.fullmatch(namespace):
            return None
        return f"ifrs-full:{local}" if _IFRS.fullmatch(namespace) else f"{{{namespace}}}{local}"

    def _unit(self, written: object) -> str | None:
        """Return a currency, shares, a pure number, or one of these per another; None for any other unit."""
        if not isinstance(written, str):
            return None
        measures = [self._measure(name) for name in written.split("/", 1)]
        return None if None in measures else "/".join(map(str, measures))

    def _measure(self, name: str) -> str | None:
        namespace, local = self._expanded(name)
        is_known = (namespace == _CURRENCIES and _CURRENCY.fullmatch(local)) or (
            namespace == _INSTANCE and local in ("shares", "pure")
        )
        return local if is_known else None


_Amount = tuple[Decimal | None, int | None]  # a value and its stated precision: None is exact


def _precision(amount: _Amount) -> int:
    return _MOST_DECIMALS + 1 if amount[1] is None else amount[1]


def _agrees(precise: _Amount, other: _Amount) -> bool:
    """Return whether a less precise value equals the precise one rounded, as XBRL compares duplicates."""
    if precise == other:
        return True
    if precise[0] is None or other[0] is None or other[1] is None or precise[1] == other[1]:
        return False
    return abs(Fraction(precise[0]) - Fraction(other[0])) * 2 <= Fraction(10) ** -other[1]


def _amount(fact: _Fact, limits: Limits) -> _Amount | str:
    """Return the value and its precision, or the reason why there is none. Values are strings."""
    decimals = None if fact.decimals is UNSET else fact.decimals
    if decimals is not None and (type(decimals) is not int or abs(decimals) > _MOST_DECIMALS):
        return "bad_decimals"
    if fact.value is None:
        return None, None
    if not isinstance(fact.value, str) or not _NUMBER.fullmatch(fact.value):
        return "bad_value"
    value = exact(Decimal(fact.value), limits)
    return "value_out_of_range" if value is None else (value, decimals)


@lru_cache(1 << 12)
def _period(text: str) -> tuple[date | None, date] | None:
    """Return the first and last day; only one midnight is an instant, the end of the day before it."""
    written = _PERIOD.fullmatch(text)
    if written is None:
        return None
    try:
        start = date.fromisoformat(written[1]) if written[1] else None
        return start, date.fromisoformat(written[2]) - timedelta(days=1)
    except (ValueError, OverflowError):
        return None
