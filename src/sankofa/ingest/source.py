"""What is declared of one source of documents."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Any

from sankofa.ingest.due import Due
from sankofa.ingest.expects import ORDINARY, Expects
from sankofa.ingest.portals.portal import Portal


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One source of documents."""

    name: str
    publisher: str
    license_class: str  # a name in `core/licences.py`
    parser: str  # a name in `parsers.py`
    license_url: str = ""  # where the publisher grants it
    license_seen: date | None = None  # the day on which somebody read it there
    redistributable: bool = True  # what is not is kept and never served
    country: str = ""  # ISO 3166-1 alpha-2 of a portal of tenders
    states: dict[str, Any] = field(default_factory=dict)  # what its documents do not say themselves
    portal: Portal | None = None  # where its documents are fetched; the others are loaded from files
    due: Due | None = None  # when; without it, whenever somebody asks
    expects: Expects = ORDINARY
    frozen: bool = False  # whether the publisher adds nothing any more
