"""Worlds of invented issuers: what is downloaded of their filings, when, and into which edition.

The same seed gives the same bytes. Each issuer has a stream of chance of its own, so that one which
shows a difference can be invented again alone, with `history`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time
from itertools import pairwise
from pathlib import Path
from random import Random

from oracle.companyfacts import Entry, companyfacts
from oracle.events import Document, Event, Ingest, Merge, Publish
from oracle.figures import number
from oracle.model import LINE_ITEMS
from oracle.months import DAY
from oracle.pens import Head, Measure
from oracle.reporters import Reporter, read_concepts

SOURCE = "sec-companyfacts"
FIRST_CIK = 9_000_000
CIKS_PER_ISSUER = 3
UNITS = {
    "monetary": ["USD", "EUR", "ZAR"],
    "per_share": ["ZAR/shares", "ZAR", "USD"],
    "shares": ["shares"],
    "ratio": ["pure"],
}


@dataclass
class Edition:
    """What one publish adds."""

    documents: list[Document] = field(default_factory=list)
    merges: list[Merge] = field(default_factory=list)


@dataclass
class History:
    """One issuer's part of the world, under one subject or under several that are found to be one."""

    subjects: list[str]
    editions: list[Edition]


@dataclass
class World:
    seed: int
    day: date  # on which every edition is published
    subjects: list[str]
    editions: list[Edition]

    def events(self) -> Iterator[Event]:
        for edition in self.editions:
            yield from map(Ingest, edition.documents)
            yield from edition.merges
            yield Publish(self.day)


@dataclass(frozen=True)
class Invention:
    """What every issuer of a world has in common."""

    seed: int
    editions: int
    day: date
    sources: tuple[str, ...] = (SOURCE,)
    line_items: Path = LINE_ITEMS


def world(
    seed: int,
    issuers: int,
    editions: int,
    *,
    day: date = date(2025, 6, 30),
    sources: tuple[str, ...] = (SOURCE,),
    line_items: Path = LINE_ITEMS,
) -> World:
    """A world of issuers, published in a few editions, all on one day; no document is younger than it."""
    invention = Invention(seed, editions, day, sources, line_items)
    invented = World(seed, day, [], [Edition() for _ in range(editions)])
    for issuer in range(issuers):
        part = history(invention, issuer)
        invented.subjects += part.subjects
        for edition, added in zip(invented.editions, part.editions, strict=True):
            edition.documents += added.documents
            edition.merges += added.merges
    return invented


def shuffled(original: World, rng: Random) -> World:
    """The same world with the documents of each edition in another order."""
    editions = [
        Edition(rng.sample(edition.documents, len(edition.documents)), edition.merges)
        for edition in original.editions
    ]
    return replace(original, editions=editions)


def history(invention: Invention, issuer: int) -> History:
    rng = Random(f"{invention.seed}/{issuer}")
    names = rng.choices([1, 2, 3], [90, 7, 3])[0]
    ciks = [FIRST_CIK + CIKS_PER_ISSUER * issuer + name for name in range(names)]
    subjects = [f"cik:{cik:010d}" for cik in ciks]
    editions = [Edition() for _ in range(invention.editions)]
    filings_of: dict[int, list[list[Entry]]] = {cik: [] for cik in ciks}
    for filing in _filings(rng, invention, ciks[0]):
        filings_of[rng.choice(ciks)].append(filing)
    known_from = {}
    for subject, filings in zip(subjects, filings_of.items(), strict=True):
        held = [len(edition.documents) for edition in editions]
        _deliver(rng, _downloads(rng, invention, *filings), editions)
        grown = [len(edition.documents) > before for edition, before in zip(editions, held, strict=True)]
        known_from[subject] = grown.index(True) if any(grown) else len(editions)
    for duplicate, survivor in pairwise(subjects):
        # A merge is decided about two ids, so an edition must have given them out before.
        after = editions[max(known_from[duplicate], known_from[survivor]) + 1 :]
        if after:
            rng.choice(after).merges.append(Merge(duplicate, survivor))
    return History(subjects, editions)


def _filings(rng: Random, invention: Invention, cik: int) -> list[list[Entry]]:
    line_items = rng.sample(read_concepts(invention.line_items), rng.randint(2, 5))
    measures = [_measure(rng, *line_item) for line_item in line_items]
    reporter = Reporter.invent(rng, [cik, 1_000_000_000 + cik, 2_000_000_000 + cik], measures)
    years = rng.randint(2, 5)
    first = rng.randint(2008, invention.day.year - years - 2)
    filings = [f for f in reporter.filings(first, years) if f[0].filed < invention.day]
    if rng.random() < 0.1:  # the regulator's tomorrow, already known today
        tomorrow = invention.day + DAY
        head = Head(reporter.pen.accession(tomorrow), tomorrow, "10-Q", None, None)
        filings.append(reporter.pen.filing(head, list(reporter.pen.reported)[-3:]))
    return filings


def _measure(rng: Random, kind: str, concepts: tuple[str, ...]) -> Measure:
    """A line item may be anything: of what its concept means in the world outside only the unit plays a part.

    Now and then it is stated in a unit that does not fit it.
    """
    units = rng.sample(UNITS[kind], min(len(UNITS[kind]), rng.choice([1, 1, 1, 2])))
    if rng.random() < 0.15:
        units.append(
            rng.choice([unit for fitting in UNITS.values() for unit in fitting if unit not in units])
        )
    return Measure(concepts, instant=rng.random() < 0.4, units=tuple(units))


def _downloads(rng: Random, invention: Invention, cik: int, filings: list[list[Entry]]) -> list[Document]:
    """Downloads of one subject's file on the days of some filings, or some time after them."""
    downloads: dict[bytes, Document] = {}
    occasions = rng.sample(filings, min(len(filings), rng.randint(2, 4)))
    if rng.random() < 0.7:
        occasions += filings[-1:]
    for occasion in occasions:
        filed = occasion[0].filed
        day = min(filed + rng.choice([0, 0, 1, rng.randint(0, 300)]) * DAY, invention.day)
        foresight = rng.choices([0, 1, 500], [80, 12, 8])[0]  # days beyond the fetch; two are too many
        until = max(filed, day + foresight * DAY)
        entries = _content(rng, [filing for filing in filings if filing[0].filed <= until])
        clock = rng.choice([time(0, 0, 1), time(23, 59, 59), time(rng.randrange(24), rng.randrange(60))])
        if day == invention.day:
            clock = time(0, 0, 1)
        body = companyfacts(cik, f"Invented Issuer {cik}", entries)
        document = Document(rng.choice(invention.sources), datetime.combine(day, clock, UTC), body)
        downloads.setdefault(body, document)  # the same bytes are one document, with one fetch time
    return sorted(downloads.values(), key=lambda document: document.fetched_at)


def _content(rng: Random, filings: list[list[Entry]]) -> list[Entry]:
    """What a download holds: all filings, or the latest of them, or a part; now and then a value altered."""
    if rng.random() < 0.3:
        filings = sorted(filings, key=lambda filing: filing[0].filed)[-rng.randint(1, 6) :]
    entries = [entry for filing in filings for entry in filing]
    if rng.random() < 0.2:
        entries = rng.sample(entries, max(1, len(entries) * 3 // 4))
    if rng.random() < 0.25:
        altered = rng.randrange(len(entries))
        entries[altered] = entries[altered]._replace(value=rng.choice([None, number(rng)]))
    return entries


def _deliver(rng: Random, downloads: list[Document], editions: list[Edition]) -> None:
    """Each download into an edition no earlier than its elders', but a few late and a few twice."""
    turns = sorted(rng.randrange(len(editions)) for _ in downloads)
    for turn, document in zip(turns, downloads, strict=True):
        late = rng.randrange(turn, len(editions)) if rng.random() < 0.25 else turn
        editions[late].documents.append(document)
        if rng.random() < 0.1:
            editions[rng.randrange(late, len(editions))].documents.append(document)
