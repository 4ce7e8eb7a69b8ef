"""The declaration of a source of documents."""

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
    license_seen: date | None = None  # the day on which the licence was read there
    redistributable: bool = True  # documents of other sources are stored and never served
    country: str = ""  # ISO 3166-1 alpha-2 of a portal of tenders
    states: dict[str, Any] = field(default_factory=dict)  # values that its documents do not contain
    portal: Portal | None = None  # where its documents are fetched; the others are loaded from files
    due: Due | None = None  # schedule; without it, only on request
    expects: Expects = ORDINARY
    frozen: bool = False  # whether the publisher has stopped publishing
