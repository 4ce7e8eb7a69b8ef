"""SEC Financial Statement Data Sets: the filings of a quarter or a day, as tables in a zip archive.

`sub.txt` has the filings and `num.txt` their facts. The tables are separated by tabs without quoting; columns
are located by name, since the quarterly and the daily sets order them differently and old ones lack some.
Text is UTF-8; a filer's name that is not is read as Windows-1252.

Two things differ from the company facts of the same filings: `ddate` is rounded by the SEC to the end of
the nearest month, and values per share have the bare currency as unit. The name of the filing's own document
(`instance`) shows on which day its period really ends.
"""

from __future__ import annotations

import calendar
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import BinaryIO, NamedTuple
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from sankofa.core.errors import UnreadableDocument
from sankofa.fundamentals.model import CONSOLIDATED, Filing, FiscalDeclaration
from sankofa.ingest.bytes.bounds import LIMITS, Limits, Rejections, exact
from sankofa.ingest.bytes.packed import BOM, Member, members
from sankofa.ingest.bytes.table import picker
from sankofa.ingest.filings.facts import (
    EARLIEST_FILED,
    FiledFacts,
    is_accession,
    is_name,
    is_unit,
    subject_of,
)
from sankofa.ingest.registers.sec_places import home_by_country, industry

# A filing's rows are scattered over num.txt. Filings are grouped until they have this many rows,
# and each such group is one pass over the table; so memory is bounded by this number of facts, or by
# the largest filing, and only sets with more rows are unpacked more often.
ROWS_AT_ONCE = 1_000_000

_SUB = ("adsh", "cik", "name", "form", "period", "filed")
_SUB_OPTIONAL = ("accepted", "sic", "instance", "countryinc", "stprinc", "countryba", "fy", "fp", "fye")
_NUM = ("adsh", "tag", "version", "ddate", "qtrs", "uom", "value")
_PARENT, _OF_PARENT = b"ParentCompany", b"LegalEntity=ParentCompany;"
_EDGAR_CLOCK = ZoneInfo("America/New_York")
_NAMED_DAY = re.compile(rb"-([0-9]{8})(?:_[a-z]+)?\.xml")
_DAY = re.compile(rb"[0-9]{8}")
_QUARTERS = re.compile(rb"[0-9]{1,3}")
_MOMENT = re.compile(rb"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.0)?")
_NUMBER = re.compile(rb"-?[0-9]{1,64}(?:\.[0-9]{1,64})?(?:[eE][+-]?[0-9]{1,2})?")
_FISCAL_YEAR = re.compile(rb"(?:19|20|21)[0-9]{2}")
_FISCAL_PERIOD = re.compile(rb"[A-Z0-9]{1,8}")
_YEAR_END = re.compile(rb"(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])")
_VERSION = re.compile(r"([a-z][a-z0-9-]*)/[0-9a-z.-]+")
_Row = tuple[bytes, ...]


def parse(
    document: BinaryIO | bytes,
    rejections: Rejections,
    limits: Limits = LIMITS,
    rows_at_once: int = ROWS_AT_ONCE,
) -> Iterator[Filing]:
    """Yield the filings that have facts, in the order of `sub.txt`. Rows of `num.txt` are counted."""
    tables = {member.name: member for member in members(document, limits)}
    if not {"sub.txt", "num.txt"} <= tables.keys():
        raise UnreadableDocument("missing_table", ", ".join(sorted(tables)))
    found = submissions(tables["sub.txt"])
    rows = _rows_by_filing(tables["num.txt"], rejections)
    for number in rows.keys() - found.keys():
        rejections.add("unknown_filing", number, rows[number])
    filings: list[tuple[bytes, Filing]] = []
    for number, submission in found.items():
        if isinstance(submission, Filing):
            filings.append((number, submission))
        elif number in rows:
            rejections.add(submission, number, rows[number])
    for group in _groups(filings, rows, rows_at_once):
        facts = {number: _Facts(FiledFacts(), FiledFacts()) for number, _ in group}
        _read_numbers(tables["num.txt"], facts, rejections, limits)
        for number, filing in group:
            settled = facts.pop(number).of_the_group(rejections).settled(filing.number, rejections)
            if settled:
                yield replace(filing, facts=settled)


def submissions(table: Member) -> dict[bytes, Filing | str]:
    """Return each filing without its facts, or the reason why it is rejected."""
    found: dict[bytes, Filing | str] = {}
    for row in _rows(table, _SUB, _SUB_OPTIONAL):
        if row:
            submission = _submission(row)
            known = found.setdefault(row[0], submission)
            if known != submission:
                found[row[0]] = "submission_conflict"
    return found


def _submission(row: _Row) -> Filing | str:
    number, cik, name, form, period, filed, accepted, sic, instance, *places = row[:-3]
    subject = subject_of(_text(cik))
    day, report_period, moment = _day(filed), _day(period), _moment(accepted)
    if not is_accession(_text(number)):
        return "bad_accession"
    if subject is None:
        return "bad_cik"
    if day is None or day < EARLIEST_FILED or (period and not report_period) or (accepted and not moment):
        return "bad_date"
    return Filing(
        subject=subject,
        subject_name=_text(name) or None,
        number=_text(number),
        form=_text(form) or None,
        filed=day,
        accepted_at=moment,
        report_period=report_period,
        facts=[],
        is_rounded=True,
        true_end=_true_end(instance, report_period),
        subject_home=home_by_country(*map(_text, places)),
        subject_industry=industry(_text(sic)),
        declared=_declared(*row[-3:]),
    )


def _true_end(instance: bytes, report_period: date | None) -> date | None:
    """Return the day in the document's name, if it rounds to the stated period end."""
    named = _NAMED_DAY.search(instance)
    day = _day(named[1]) if named else None
    return day if day and nearest_month_end(day) == report_period else None


def nearest_month_end(day: date) -> date:
    """Return the nearest month end, to which the SEC rounds a day."""
    last = calendar.monthrange(day.year, day.month)[1]
    return day.replace(day=last) if day.day * 2 >= last else day.replace(day=1) - timedelta(days=1)


def _declared(fiscal_year: bytes, fiscal_period: bytes, year_end: bytes) -> FiscalDeclaration:
    """Return the declaration; a malformed part is left out, because it is only a label."""
    return FiscalDeclaration(
        int(fiscal_year) if _FISCAL_YEAR.fullmatch(fiscal_year) else None,
        _text(fiscal_period) if _FISCAL_PERIOD.fullmatch(fiscal_period) else None,
        _text(year_end) if _YEAR_END.fullmatch(year_end) else None,
    )


def _rows_by_filing(table: Member, rejections: Rejections) -> Counter[bytes]:
    rows: Counter[bytes] = Counter()
    for row in _rows(table, _NUM):
        if row:
            rows[row[0]] += 1
        else:
            rejections.add("bad_row", "a row with other columns than the header")
    return rows


def _groups(
    filings: Iterable[tuple[bytes, Filing]], rows: Counter[bytes], rows_at_once: int
) -> Iterator[list[tuple[bytes, Filing]]]:
    group: list[tuple[bytes, Filing]] = []
    held = 0
    for number, filing in filings:
        if group and held + rows[number] > rows_at_once:
            yield group
            group, held = [], 0
        group.append((number, filing))
        held += rows[number]
    if group:
        yield group


class _Facts(NamedTuple):
    """The facts of a filing: those without a coregistrant, and those of the parent company."""

    plain: FiledFacts
    parent: FiledFacts

    def of_the_group(self, rejections: Rejections) -> FiledFacts:
        """Return the facts of the group.

        Some filings for several companies have only facts with a coregistrant; then the parent company is the
        group. If a filing has others, those of the parent are of the parent alone.
        """
        if not self.plain.rows:
            return self.parent
        if self.parent.rows:
            rejections.add("coregistrant", "ParentCompany", self.parent.rows)
        return self.plain


def _read_numbers(table: Member, facts: dict[bytes, _Facts], rejections: Rejections, limits: Limits) -> None:
    for row in _rows(table, _NUM, ("segments", "coreg")):
        filed = facts.get(row[0]) if row else None
        if filed is None:
            continue
        *fact, segments, coregistrant = row
        if coregistrant == _PARENT and segments in {b"", _OF_PARENT}:
            problem = _take(filed.parent, fact, limits)
        elif coregistrant:
            problem = "coregistrant"
        elif segments:
            problem = "dimensional"
        else:
            problem = _take(filed.plain, fact, limits)
        if problem:
            rejections.add(problem, b" ".join(row).decode("ascii", "replace"))


def _take(filed: FiledFacts, fact: list[bytes], limits: Limits) -> str | None:
    _, tag, version, ddate, quarters, uom, amount = fact
    concept, period, unit = _concept(version, tag), _period(ddate, quarters), _unit(uom)
    if concept is None:
        return "bad_concept"
    if period is None:
        return "bad_date"
    if unit is None:
        return "bad_unit"
    value = None
    if amount:
        if not _NUMBER.fullmatch(amount):
            return "bad_value"
        value = exact(Decimal(amount.decode()), limits)
        if value is None:
            return "value_out_of_range"
    filed.add((concept, *period, unit, CONSOLIDATED), value)
    return None


@lru_cache(1 << 16)
def _concept(version: bytes, tag: bytes) -> str | None:
    """Return taxonomy and tag; a filer's own tags, versioned by filing number, get the taxonomy `ext`.

    No taxonomy is called `ext`, and facts are stored by filer, so tags of two filers never collide. The
    years of a taxonomy are merged, as in company facts, which also calls the IFRS taxonomy `ifrs-full`.
    """
    name, label = _text(tag), _text(version)
    if not is_name(name):
        return None
    if is_accession(label):
        return f"ext:{name}"
    taxonomy = _VERSION.fullmatch(label)
    if taxonomy is None or taxonomy[1] == "ext":
        return None
    return f"ifrs-full:{name}" if taxonomy[1] == "ifrs" else f"{taxonomy[1]}:{name}"


@lru_cache(1 << 16)
def _period(ddate: bytes, quarters: bytes) -> tuple[date | None, date] | None:
    """Return the first and last day; no quarters is an instant.

    From the end of a month one counts back to the end of a month. From another day, which the SEC's
    rounding should not leave, one counts back to the same day, or the last of a shorter month.
    """
    end = _day(ddate)
    if end is None or not _QUARTERS.fullmatch(quarters):
        return None
    if int(quarters) == 0:
        return None, end
    year, month = divmod(end.year * 12 + end.month - 1 - 3 * int(quarters), 12)
    if year < date.min.year:
        return None
    last = calendar.monthrange(year, month + 1)[1]
    day = last if end.day == calendar.monthrange(end.year, end.month)[1] else min(end.day, last)
    return date(year, month + 1, day) + timedelta(days=1), end


@lru_cache(1 << 10)
def _unit(uom: bytes) -> str | None:
    unit = _text(uom)
    return unit if is_unit(unit) else None


def _day(text: bytes) -> date | None:
    try:
        return date.fromisoformat(text.decode()) if _DAY.fullmatch(text) else None
    except ValueError:
        return None


def _moment(text: bytes) -> datetime | None:
    """Return the UTC time of an EDGAR clock reading; the later one in the hour that comes twice."""
    try:
        local = datetime.fromisoformat(text.decode()[:19]) if _MOMENT.fullmatch(text) else None
    except ValueError:
        return None
    return local.replace(tzinfo=_EDGAR_CLOCK, fold=1).astimezone(UTC) if local else None


def _text(raw: bytes) -> str:
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        text = raw.decode("windows-1252", "replace")
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def _rows(table: Member, columns: tuple[str, ...], optional: tuple[str, ...] = ()) -> Iterator[_Row]:
    """Yield the named columns of each row: empty where the table lacks an optional one, () for a torn row."""
    lines = table.lines()
    header = [_text(name) for name in next(lines, b"").removeprefix(BOM).split(b"\t")]
    pick, width = picker(header, columns, optional, f"{table.name}: "), len(header)
    for line in lines:
        fields = line.split(b"\t")
        if len(fields) == width:
            fields.append(b"")
            yield pick(fields)
        elif line:
            yield ()
