"""What one document says of one filing: each value once, and none on which it contradicts itself."""

from __future__ import annotations

import re
from datetime import date

from sankofa.fundamentals.model import FiledFact
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.identifiers import cik
from sankofa.ingest.once import Once

_ACCESSION = re.compile(r"[0-9]{10}-[0-9]{2}-[0-9]{6}")
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,255}")
_UNIT = re.compile(r"[!-~]{1,128}")

FactKey = tuple[str, date | None, date, str, str]  # concept, first and last day, unit, scope

# EDGAR took its first filings in 1993. An earlier day is a slip, and a slip in `filed` would let
# everybody know a value before it existed.
EARLIEST_FILED = date(1993, 1, 1)


def subject_of(number: int | str) -> str | None:
    """Return how a filer is named by its central index key, or None where this is none."""
    key = cik(number)
    return f"cik:{key}" if key else None


def is_accession(text: str) -> bool:
    """Tell whether this is the number of a filing."""
    return _ACCESSION.fullmatch(text) is not None


def is_name(text: str) -> bool:
    """Tell whether this can name a taxonomy, or a tag in one."""
    return _NAME.fullmatch(text) is not None


def is_unit(text: str) -> bool:
    """Tell whether this can name a unit."""
    return _UNIT.fullmatch(text) is not None


class FiledFacts(Once[FactKey]):
    """The facts of one filing while its document is being read."""

    __slots__ = ()

    @property
    def rows(self) -> int:
        """How many rows were taken."""
        return len(self._values) + self._repeats.total()

    def settled(self, number: str, rejections: Rejections) -> list[FiledFact]:
        """Return the facts that hold, and count the rows of those that do not."""
        for key, rows in self.drop_conflicts():
            rejections.add("duplicate_conflict", f"{number} {key[0]} {key[2]}", rows)
        return [FiledFact(*key, value, None) for key, value in self._values.items()]
