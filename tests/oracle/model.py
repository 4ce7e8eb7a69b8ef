"""The service's heart as a slow and obvious model: documents and decisions in, rows out.

Nothing is incremental. An answer is worked out from every document its edition holds, one rule after
the other: `sightings`, `filings`, `vintages`, `rows`, and for the day that is asked about `declarations`
and `labels`. Only the finished history of an issuer in a published edition, which never changes, is kept
for the next question.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Mapping
from datetime import date, datetime
from pathlib import Path

from oracle.events import Document, Event, FactId, Ingest, Merge, Publish, Takedown
from oracle.filings import filings_of
from oracle.labels import FiscalHistory, Labels
from oracle.rows import Mode, Row, Served, choose, ends, history_of, is_asked, labelled, replaced
from oracle.sightings import Sighting, facts_of, filed_after_fetch, sightings
from oracle.vintages import Rank

LINE_ITEMS = Path(__file__).parents[2] / "src" / "sankofa" / "fundamentals" / "line_items.csv"


def read_line_items(path: Path = LINE_ITEMS) -> dict[str, list[Rank]]:
    """The line items that each concept can stand for."""
    line_items: dict[str, list[Rank]] = defaultdict(list)
    with path.open(newline="", encoding="utf-8") as file:
        for entry in csv.DictReader(file):
            conditions = (frozenset((entry.get(one) or "").split()) for one in ("unless", "when"))
            line_items[entry["concept"]].append(
                Rank(entry["line_item"], int(entry["rank"]), entry["kind"], *conditions)
            )
    return dict(line_items)


class Model:
    """Everything that happened, each thing under the number of the first edition that holds it."""

    def __init__(self, licenses: Mapping[str, str], line_items: Path = LINE_ITEMS) -> None:
        self.licenses = licenses
        self.line_items = read_line_items(line_items)
        self.published: list[date] = []
        self.rejected: list[Sighting] = []
        self._ingested: set[tuple[str, datetime, str]] = set()
        self._seen: dict[str, list[tuple[int, Sighting]]] = defaultdict(list)
        self._merges: dict[str, tuple[int, str]] = {}
        self._facts_down: dict[FactId, int] = {}
        self._subjects_down: dict[str, int] = {}
        self._histories: dict[tuple[str, int], tuple[list[Served], FiscalHistory]] = {}

    @property
    def upcoming(self) -> int:
        return len(self.published) + 1

    def apply(self, *events: Event) -> None:
        for event in events:
            match event:
                case Ingest(document):
                    self._ingest(document)
                case Publish(day):
                    self.published.append(day)
                case Merge(from_subject, into_subject):
                    survivor = self.survivor(into_subject, self.upcoming)
                    if from_subject in self._merges or survivor == from_subject:
                        raise ValueError(f"{from_subject} cannot be merged into {into_subject}")
                    self._merges[from_subject] = (self.upcoming, into_subject)
                case Takedown(FactId() as fact):
                    self._facts_down.setdefault(fact, self.upcoming)
                case Takedown(str() as subject):
                    survivor = self.survivor(subject, self.upcoming)
                    for known_as in self._subjects_of(survivor, self.upcoming):
                        self._subjects_down.setdefault(known_as, self.upcoming)

    def _ingest(self, document: Document) -> None:
        identity = (document.source, document.fetched_at, document.sha256)
        if identity in self._ingested:
            return
        self._ingested.add(identity)
        for sighting in sightings(document):
            if filed_after_fetch(sighting):
                self.rejected.append(sighting)
            else:
                self._seen[sighting.subject].append((self.upcoming, sighting))

    def survivor(self, subject: str, edition: int) -> str:
        """The subject under which an edition serves this one: itself, unless it was merged by then."""
        while subject in self._merges and self._merges[subject][0] <= edition:
            subject = self._merges[subject][1]
        return subject

    def resolved_from(self, subject: str, edition: int) -> str | None:
        return None if self.survivor(subject, edition) == subject else subject

    def _subjects_of(self, survivor: str, edition: int) -> set[str]:
        return {survivor} | {name for name in self._merges if self.survivor(name, edition) == survivor}

    def history(self, survivor: str, edition: int) -> list[Served]:
        """What an edition published of one issuer; takedowns after its publish do not show here."""
        return self._built(survivor, edition)[0]

    def labels(self, survivor: str, edition: int, day: date) -> Labels:
        """The labels of an issuer's periods on a day."""
        return self._built(survivor, edition)[1].on(day)

    def _built(self, survivor: str, edition: int) -> tuple[list[Served], FiscalHistory]:
        if (survivor, edition) not in self._histories:
            seen = [
                sighting
                for subject in self._subjects_of(survivor, edition)
                for held_from, sighting in self._seen.get(subject, [])
                if held_from <= edition
            ]
            removed = {fact for fact, gone_from in self._facts_down.items() if gone_from <= edition}
            facts = facts_of(seen)
            filings = filings_of(facts)
            history = history_of(facts, filings, removed, self.line_items, self.licenses)
            self._histories[survivor, edition] = (history, FiscalHistory(filings.values()))
        return self._histories[survivor, edition]

    def _is_known(self, survivor: str, edition: int) -> bool:
        """Whether an edition holds any filing of an issuer, be it one of which no line item is served.

        It holds none of an issuer that is one with another that was taken down before.
        """
        subjects = self._subjects_of(survivor, edition)
        if any(self._subjects_down.get(subject, edition + 1) <= edition for subject in subjects):
            return False
        return any(since <= edition for subject in subjects for since, _ in self._seen.get(subject, []))

    def answer(
        self,
        subject: str,
        edition: int | None = None,
        as_of: date | None = None,
        vintages: Mode = "latest",
        period_type: str | None = None,
        *,
        items: str = "standard",
    ) -> list[Row] | None:
        """The rows of one request in order, or None where the issuer is unknown.

        Without an edition the newest answers. The day it was published counts, or an earlier `as_of`.
        A takedown only ever removes rows from an edition already published: nothing older comes back
        in their place, and the numbers of the others stay.
        """
        edition = edition or len(self.published)
        day = self.published[edition - 1]
        survivor = self.survivor(subject, edition)
        history = self.history(survivor, edition)
        if {subject, survivor} & self._subjects_down.keys() or not self._is_known(survivor, edition):
            return None
        day = min(as_of or day, day)
        standing = [served for served in choose(history, vintages, day) if self._stands(served)]
        earlier = replaced(standing, history)
        before = {place: served for place, served in earlier.items() if self._stands(served)}
        rows = labelled(standing, self.labels(survivor, edition, day), ends(history, day), before)
        wanted = period_type and period_type.upper()
        asked = (row for row in rows if is_asked(row, items))
        return [row for row in asked if wanted is None or row["period_type"] == wanted]

    def _stands(self, served: Served) -> bool:
        return served.vintage.sighting.fact not in self._facts_down
