"""What one document says, and which document a fact belongs to when several repeat it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import NamedTuple

from oracle.events import Document, FactId

FilingId = tuple[str, str]  # source, accession


class Sighting(NamedTuple):
    """A fact as it stands in one document, with what the document states of the fact's filing."""

    subject: str
    fact: FactId
    filed: date
    fetched_at: datetime
    sha256: str
    form: str | None
    fiscal_year: int | None
    fiscal_period: str | None
    decimals: int | None = None  # companyfacts states no precision

    @property
    def document(self) -> tuple[datetime, str, date]:
        """Of several documents that hold a fact, the smallest of these is the fact's own."""
        return (self.fetched_at, self.sha256, self.filed)

    @property
    def filing(self) -> FilingId:
        return (self.fact.source, self.fact.accession)


def sightings(document: Document) -> list[Sighting]:
    """What a document says, without periods that end before they begin and without contradictions."""
    said = [entry for entry in entries(document) if (entry.fact.start or entry.fact.end) <= entry.fact.end]
    values = defaultdict(set)
    for sighting in said:
        values[sighting.fact._replace(value=None)].add(sighting.fact.value)
    return [sighting for sighting in said if len(values[sighting.fact._replace(value=None)]) == 1]


def entries(document: Document) -> Iterator[Sighting]:
    content = json.loads(document.body, parse_float=Decimal, parse_int=Decimal)
    subject = f"cik:{int(content['cik']):010d}"
    for taxonomy, tags in content["facts"].items():
        for tag, described in tags.items():
            for unit, entries in described["units"].items():
                for entry in entries:
                    fact = FactId(
                        source=document.source,
                        accession=entry["accn"],
                        concept=f"{taxonomy}:{tag}",
                        start=date.fromisoformat(entry["start"]) if "start" in entry else None,
                        end=date.fromisoformat(entry["end"]),
                        unit=unit,
                        value=entry["val"],
                    )
                    yield Sighting(
                        subject=subject,
                        fact=fact,
                        filed=date.fromisoformat(entry["filed"]),
                        fetched_at=document.fetched_at,
                        sha256=document.sha256,
                        form=entry.get("form"),
                        fiscal_year=None if entry.get("fy") is None else int(entry["fy"]),
                        fiscal_period=entry.get("fp"),
                    )


def filed_after_fetch(sighting: Sighting) -> bool:
    """No document can hold a filing of the days to come; one day is left for the time zones."""
    return sighting.filed > sighting.fetched_at.astimezone(UTC).date() + timedelta(days=1)


def facts_of(seen: Iterable[Sighting]) -> list[Sighting]:
    """Each fact once, as its first document has it. The same filing's other value is another fact."""
    first: dict[tuple[str, FactId], Sighting] = {}
    for sighting in sorted(seen, key=lambda s: s.document):
        first.setdefault((sighting.subject, sighting.fact), sighting)
    return list(first.values())


def describes_a_period(sighting: Sighting) -> bool:
    """`dei` facts describe the cover page; their dates say nothing about the reporting calendar."""
    return not sighting.fact.concept.startswith("dei:")
