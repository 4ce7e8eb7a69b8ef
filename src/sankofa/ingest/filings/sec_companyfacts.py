"""SEC company facts: one filer's values by concept, each with the filing that reported it.

Assigns the rows of a companyfacts document to filings. `fy` and `fp` are repeated at every row and
describe the filing, not the row's period: they become its declaration. `frame` is never read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal
from typing import Any, BinaryIO

from msgspec import UNSET, Struct, UnsetType

from sankofa.core.errors import UnreadableDocument
from sankofa.fundamentals.model import CONSOLIDATED, Filing, FiscalDeclaration
from sankofa.ingest.bytes.bounds import LIMITS, Limits, Rejections, exact
from sankofa.ingest.bytes.packed import content, is_zip, members
from sankofa.ingest.bytes.strict_json import strict_json
from sankofa.ingest.days import iso_day
from sankofa.ingest.filings.facts import (
    EARLIEST_FILED,
    FiledFacts,
    is_accession,
    is_name,
    is_unit,
    subject_of,
)
from sankofa.ingest.recording import Named

_MEMBER = re.compile(r"CIK([0-9]{10})\.json")
_NUMBERS = (int, Decimal)  # exact types: a bool is an int to isinstance

_YEARS = range(1900, 2200)
_FISCAL_PERIOD = 8  # characters

_Text = str | None | UnsetType
_INSTANT = (UNSET, None)


class _Row(Struct, gc=False):
    """One value of one filing. Every known key is named, so that repeated keys are found at full speed."""

    end: _Text = UNSET
    val: Any = UNSET
    accn: _Text = UNSET
    filed: _Text = UNSET
    form: _Text = UNSET
    start: _Text = UNSET
    fy: Any = UNSET
    fp: Any = UNSET
    frame: Any = UNSET


class _Concept(Struct, gc=False):
    units: dict[str, list[_Row]]
    label: Any = UNSET
    description: Any = UNSET


class _CompanyFacts(Struct, gc=False, rename="camel"):
    cik: int | str
    facts: dict[str, dict[str, _Concept]]
    entity_name: _Text = UNSET


def parse(document: BinaryIO | bytes, rejections: Rejections, limits: Limits = LIMITS) -> Iterator[Filing]:
    """Yield the filings of one filer's document, or of the bulk archive of many.

    A member of the archive that cannot be read is counted under its reason, and the others are read.
    """
    if not is_zip(document):
        yield from _filings(content(document, limits), None, rejections, limits)
        return
    for member in members(document, limits):
        yield from parse_member(member, rejections, limits)


def parse_member(member: Named, rejections: Rejections, limits: Limits = LIMITS) -> Iterator[Filing]:
    """Yield the filings of one file of the bulk archive."""
    named = _MEMBER.fullmatch(member.name)
    if not named:
        rejections.add("unexpected_member", member.name)
        return
    try:
        yield from _filings(member.read(), subject_of(named[1]), rejections, limits)
    except UnreadableDocument as unreadable:
        rejections.add(unreadable.reason, f"{member.name}: {unreadable.detail}")


def _filings(data: bytes, expected: str | None, rejections: Rejections, limits: Limits) -> Iterator[Filing]:
    document = strict_json(data, _CompanyFacts, limits)
    subject = subject_of(document.cik)
    if subject is None or expected not in (None, subject):
        raise UnreadableDocument("bad_cik", str(document.cik))
    reading = _Reading(rejections, limits)
    for taxonomy, tags in document.facts.items():
        for tag, concept in tags.items():
            for unit, rows in concept.units.items():
                if not (is_name(taxonomy) and is_name(tag)):
                    rejections.add("bad_concept", f"{taxonomy}:{tag}", len(rows))
                elif not is_unit(unit):
                    rejections.add("bad_unit", unit, len(rows))
                else:
                    reading.take(f"{taxonomy}:{tag}", unit, rows)
                rows.clear()  # so that a large document is never held twice in memory
    yield from reading.filings(subject, document.entity_name or None)


class _Draft:
    """A filing while its rows are read; each row repeats its day, form and fiscal period."""

    __slots__ = ("facts", "filed", "fiscal_periods", "fiscal_years", "forms")

    def __init__(self) -> None:
        self.facts = FiledFacts()
        self.filed: set[date] = set()
        self.forms: set[str] = set()
        self.fiscal_years: set[int] = set()
        self.fiscal_periods: set[str] = set()

    def describe(self, row: _Row) -> None:
        """Record the filing's fields that a row repeats."""
        if row.form:
            self.forms.add(row.form)
        if type(row.fy) is int and row.fy in _YEARS:
            self.fiscal_years.add(row.fy)
        if isinstance(row.fp, str) and row.fp:
            self.fiscal_periods.add(row.fp[:_FISCAL_PERIOD])

    def declared(self) -> FiscalDeclaration:
        """Return the declaration that all rows agree on."""
        return FiscalDeclaration(
            self.fiscal_years.pop() if len(self.fiscal_years) == 1 else None,
            self.fiscal_periods.pop() if len(self.fiscal_periods) == 1 else None,
        )


class _Reading:
    """The filings of one document, found row by row."""

    def __init__(self, rejections: Rejections, limits: Limits) -> None:
        self._rejections = rejections
        self._limits = limits
        self._drafts: dict[str, _Draft] = {}

    def take(self, concept: str, unit: str, rows: Iterable[_Row]) -> None:
        """Add the rows of one concept and unit to their filings, or count the reason why not."""
        for row in rows:
            problem = self._take(concept, unit, row)
            if problem:
                self._rejections.add(problem, f"{concept} {row.accn} {row.start} {row.end} {row.val}")

    def _take(self, concept: str, unit: str, row: _Row) -> str | None:
        number = row.accn
        if not number:
            return "missing_accession"
        draft = self._drafts.get(number)
        if draft is None and not is_accession(number):
            return "bad_accession"
        start, end, filed = iso_day(row.start), iso_day(row.end), iso_day(row.filed)
        lost_start = start is None and row.start not in _INSTANT
        if end is None or filed is None or lost_start or filed < EARLIEST_FILED:
            return "bad_date"
        if start and start > end:
            return "period_reversed"
        value = row.val
        if value is not None:
            value = exact(value, self._limits) if type(value) in _NUMBERS else None
            if value is None:
                return "value_out_of_range" if type(row.val) in _NUMBERS else "bad_value"
        if draft is None:
            draft = self._drafts[number] = _Draft()
        draft.filed.add(filed)
        draft.describe(row)
        draft.facts.add((concept, start, end, unit, CONSOLIDATED), value)
        return None

    def filings(self, subject: str, name: str | None) -> Iterator[Filing]:
        """Yield the filings that have a fact left.

        If rows disagree about the day, the day of publication is unknown, and all rows of the filing are
        rejected. A form is only a label: if rows disagree, it is left out.
        """
        for number, draft in self._drafts.items():
            if len(draft.filed) > 1:
                self._rejections.add("filed_conflict", number, draft.facts.rows)
                continue
            facts = draft.facts.settled(number, self._rejections)
            if facts:
                yield Filing(
                    subject=subject,
                    subject_name=name,
                    number=number,
                    form=draft.forms.pop() if len(draft.forms) == 1 else None,
                    filed=draft.filed.pop(),
                    accepted_at=None,
                    report_period=None,
                    facts=facts,
                    declared=draft.declared(),
                )
