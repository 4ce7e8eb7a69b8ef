"""What happens in the modelled world: documents arrive, editions are published, decisions are taken."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple


@dataclass(frozen=True)
class Document:
    """The bytes of one companyfacts file, as one source gave them at one moment."""

    source: str
    fetched_at: datetime
    body: bytes

    @cached_property
    def sha256(self) -> str:
        return hashlib.sha256(self.body).hexdigest()


class FactId(NamedTuple):
    """One value of one filing, whichever documents repeat it. `value` None is a reported nil."""

    source: str
    accession: str
    concept: str
    start: date | None
    end: date
    unit: str
    value: Decimal | None


@dataclass(frozen=True)
class Ingest:
    document: Document


@dataclass(frozen=True)
class Publish:
    day: date


@dataclass(frozen=True)
class Merge:
    from_subject: str
    into_subject: str


@dataclass(frozen=True)
class Takedown:
    """Remove an issuer, named by any of its subjects, or a single fact."""

    what: str | FactId


Event = Ingest | Publish | Merge | Takedown
