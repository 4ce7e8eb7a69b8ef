"""The facts of one filing in one document: each once, without those on which it contradicts itself."""

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

# EDGAR took its first filings in 1993. An earlier day is an error, and an error in `filed`
# would be look-ahead.
EARLIEST_FILED = date(1993, 1, 1)


def subject_of(number: int | str) -> str | None:
    """Return the subject of a central index key, or None if it is malformed."""
    key = cik(number)
    return f"cik:{key}" if key else None


def is_accession(text: str) -> bool:
    """Return whether `text` is an accession number."""
    return _ACCESSION.fullmatch(text) is not None


def is_name(text: str) -> bool:
    """Return whether `text` can be the name of a taxonomy or of a tag."""
    return _NAME.fullmatch(text) is not None


def is_unit(text: str) -> bool:
    """Return whether `text` can be the name of a unit."""
    return _UNIT.fullmatch(text) is not None


class FiledFacts(Once[FactKey]):
    """The facts of one filing while its document is being read."""

    __slots__ = ()

    @property
    def rows(self) -> int:
        """The number of accepted rows."""
        return len(self._values) + self._repeats.total()

    def settled(self, number: str, rejections: Rejections) -> list[FiledFact]:
        """Return the consistent facts, and count the rows of the others."""
        for key, rows in self.drop_conflicts():
            rejections.add("duplicate_conflict", f"{number} {key[0]} {key[2]}", rows)
        return [FiledFact(*key, value, None) for key, value in self._values.items()]
