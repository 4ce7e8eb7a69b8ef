"""The world as SEC companyfacts: a JSON file per issuer, or zips of them as in the bulk download.

The text is put together by hand, row by row, because a world may have 100 million of them: what a
period or a filing contributes to a row is written once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, time, timedelta
from functools import lru_cache

from demo.documents import Document, zipped
from demo.filings import Filing
from demo.fiscal import Period
from demo.lines import Kind, Line
from demo.profiles import Profile
from demo.world import FACTS_PER_ISSUER, FETCHED_AT, World, later_day

SOURCE = "demo-companyfacts"
FORMAT = "sec-companyfacts"

# No registrant has a number near these: the register counts in millions.
FIRST_CIK = 9_000_000_000
MOST_SINGLE_FILES = 50
ISSUERS_PER_ZIP = 1_000

Row = tuple[Period, str, str]  # the period, the value, what the filing adds

ABOUT = "Invented for the Sankofa demo world."


def parts(world: World) -> int:
    """Return how many documents the world is written as."""
    if world.issuers <= MOST_SINGLE_FILES:
        return world.issuers
    return -(-world.issuers // ISSUERS_PER_ZIP)


def part(world: World, number: int) -> Document:
    """Return one issuer of a small world, or a zip of the next thousand of a large one."""
    if world.issuers <= MOST_SINGLE_FILES:
        return Document(file_name(number), companyfacts(world, number), FETCHED_AT, FACTS_PER_ISSUER)
    first = number * ISSUERS_PER_ZIP
    issuers = range(first, min(first + ISSUERS_PER_ZIP, world.issuers))
    facts = len(issuers) * FACTS_PER_ISSUER
    files = ((file_name(issuer), companyfacts(world, issuer)) for issuer in issuers)
    return Document(f"companyfacts-{number:05}.zip", zipped(files, FETCHED_AT), FETCHED_AT, facts)


def documents(world: World) -> Iterator[Document]:
    """Write the whole world, one document at a time."""
    return (part(world, number) for number in range(parts(world)))


def later_filing(world: World, issuer: int, number: int) -> Document:
    """Return a document with nothing but the issuer's `number`-th later filing, fetched the next morning."""
    filing = world.later_filing(issuer, number)
    content = _issuer(world.profile(issuer), [filing], len(world.issuer(issuer).filings) + number)
    fetched_at = datetime.combine(later_day(number) + timedelta(days=1), time(6), FETCHED_AT.tzinfo)
    return Document(f"CIK{cik(issuer)}-later-{number}.json", content, fetched_at, len(filing.facts))


def companyfacts(world: World, issuer: int) -> bytes:
    """Return the companyfacts file of one issuer."""
    made = world.issuer(issuer)
    return _issuer(made.profile, made.filings, 1)


def cik(issuer: int) -> int:
    """Return the register number of an issuer, in a range reserved for the demo world."""
    return FIRST_CIK + issuer


def file_name(issuer: int) -> str:
    """Return the name of an issuer's file, alone or in a zip."""
    return f"CIK{cik(issuer):010}.json"


def _issuer(profile: Profile, filings: list[Filing], first_number: int) -> bytes:
    """Write an issuer's filings, grouped by concept as the source groups them."""
    said: dict[str, list[Row]] = {line.name: [] for line in profile.lines}
    for number, filing in enumerate(filings, first_number):
        tail = (
            f',"accn":"{cik(profile.number):010}-{filing.filed:%y}-{number:06}","fy":{filing.fiscal_year}'
            f',"fp":"{filing.fiscal_period}","form":"{filing.form}","filed":"{filing.filed}"'
        )
        for line, period, value in filing.facts:
            text = "null" if value is None else str(value)
            said[line.name].append((period, text, tail))
    concepts = ",".join(
        f"{_opening(line, profile.taxonomy, profile.currency)}{_rows(line, said[line.name])}]}}}}"
        for line in profile.lines
        if said[line.name]
    )
    return (
        f'{{"cik":{cik(profile.number)},"entityName":"{profile.name}",'
        f'"facts":{{"{profile.taxonomy}":{{{concepts}}}}}}}'
    ).encode()


def _rows(line: Line, said: list[Row]) -> str:
    """Write a concept's rows by period, then filing; the newest row of a period carries its frame."""
    begun = _instant if line.kind in {Kind.BALANCE, Kind.SHARES} else _duration
    said.sort(key=_period_order)
    rows = []
    for (period, value, tail), after in zip(said, [*said[1:], None], strict=True):
        head, frame = begun(period)
        newest = after is None or after[0] != period
        rows.append(f"{head}{value}{tail}{frame if newest else ''}}}")
    return ",".join(rows)


def _period_order(row: Row) -> tuple[object, object]:
    return row[0].end, row[0].start


@lru_cache(maxsize=4096)
def _duration(period: Period) -> tuple[str, str]:
    """Return how a row over a period begins, and its frame: only years and quarters have one."""
    days = (period.end - period.start).days + 1
    middle = period.start + timedelta(days=days // 2)
    frame = ""
    if days > 350:  # noqa: PLR2004 - longer than nine months: a year
        frame = f',"frame":"CY{middle.year}"'
    elif days < 100:  # noqa: PLR2004 - shorter than a half: a quarter
        frame = f',"frame":"CY{middle.year}Q{_quarter(middle.month)}"'
    return f'{{"start":"{period.start}","end":"{period.end}","val":', frame


@lru_cache(maxsize=4096)
def _instant(period: Period) -> tuple[str, str]:
    """Return how a row on the last day of a period begins, and its frame."""
    middle = period.end - timedelta(days=45)
    return f'{{"end":"{period.end}","val":', f',"frame":"CY{middle.year}Q{_quarter(middle.month)}I"'


def _quarter(month: int) -> int:
    return (month + 2) // 3


def _unit(line: Line, currency: str) -> str:
    if line.kind is Kind.SHARES:
        return "shares"
    return f"{currency}/shares" if line.kind is Kind.PER_SHARE else currency


@lru_cache(maxsize=4096)
def _opening(line: Line, taxonomy: str, currency: str) -> str:
    """Return how a concept begins; its label is its name as words, "Profit Loss Before Tax"."""
    concept = line.concept(taxonomy)
    label = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", concept)
    about = f'"label":"{label}","description":"{ABOUT}"'
    return f'"{concept}":{{{about},"units":{{"{_unit(line, currency)}":['
