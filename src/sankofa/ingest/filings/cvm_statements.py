"""CVM statements: the standard forms of Brazil's listed companies, a year's archive or one of its tables.

A filing is one version of one company's form for one period. The source declares the form, `DFP` (annual) or
`ITR` (quarterly). A version above the first amends the one before it. The index
in the archive has the day on which each version was received. Without it, a version counts from the day it
was seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import BinaryIO, NamedTuple

from msgspec.structs import replace

from sankofa.core.errors import UnreadableDocument
from sankofa.fundamentals.model import Filing
from sankofa.ingest.bytes.bounds import LIMITS, Limits, Rejections
from sankofa.ingest.bytes.packed import content, is_zip, members
from sankofa.ingest.bytes.table import Table, read_unquoted
from sankofa.ingest.days import later_day
from sankofa.ingest.filings.cvm_accounts import COLUMNS, OPTIONAL, Line, fact_of, filled
from sankofa.ingest.filings.cvm_index import CLOCK, Index, Version, version
from sankofa.ingest.filings.facts import FiledFacts
from sankofa.ingest.identifiers import clean_name

# The facts of an archive are held in memory: a year's consolidated statements have about half a million.
_LIMITS = replace(LIMITS, document_bytes=256 << 20)


def parse(
    document: BinaryIO | bytes,
    rejections: Rejections,
    limits: Limits = _LIMITS,
    *,
    fetched_at: datetime,
    form: str,
) -> Iterator[Filing]:
    """Yield the filings that have facts. Rows of statements are counted, and tables of another kind."""
    index, statements = Index(form, rejections), []
    for name, table in _tables(document, limits):
        if "DT_RECEB" in table.header:
            index.add(table)
        elif "CD_CONTA" in table.header:
            statements.append(table)
        else:
            rejections.add("unexpected_member", name)
    if not statements:
        raise UnreadableDocument("missing_table", "no statement")
    seen = later_day(fetched_at, CLOCK)
    for filed, draft in _drafts(statements, rejections, limits).items():
        number = f"{filed.filer}-{filed.period}-{form}-{filed.number:03d}"
        received = index.received(filed)
        facts = list(filled(draft.facts.settled(number, rejections), rejections))
        if facts:
            yield Filing(
                subject=f"cvm:{filed.filer}",
                subject_name=draft.name,
                number=number,
                form=form if filed.number == 1 else f"{form}/A",
                filed=received or seen,
                basis="filing" if received else "first_seen",
                accepted_at=None,
                report_period=filed.period,
                facts=facts,
            )


class _Draft(NamedTuple):
    """One version of a form while its rows are being read."""

    name: str | None
    facts: FiledFacts


def _drafts(statements: list[Table], rejections: Rejections, limits: Limits) -> dict[Version, _Draft]:
    drafts: dict[Version, _Draft] = {}
    for table in statements:
        for row in table.picked(rejections, COLUMNS, OPTIONAL):
            line = Line(*row)
            filed = version(line.filer, line.period, line.version)
            fact = fact_of(line, limits) if filed else "bad_version"
            if filed is None or isinstance(fact, str):
                rejections.add(str(fact), f"{line.filer} {line.period} {line.version} {line.account}")
                continue
            draft = drafts.setdefault(filed, _Draft(clean_name(line.name), FiledFacts()))
            draft.facts.add(*fact)
    return drafts


def _tables(document: BinaryIO | bytes, limits: Limits) -> Iterator[tuple[str, Table]]:
    """Yield the tables with their names. Only the header of an unneeded table is read."""
    if not is_zip(document):
        yield "", read_unquoted(content(document, limits).splitlines(), ";")
        return
    for member in members(document, limits):
        yield member.name, read_unquoted(member.lines(), ";")
