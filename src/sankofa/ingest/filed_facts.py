"""What one document says of one filing: each value once, and none on which it contradicts itself."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from decimal import Decimal

from sankofa.fundamentals.model import FiledFact
from sankofa.ingest.bounds import Rejections

_ACCESSION = re.compile(r"[0-9]{10}-[0-9]{2}-[0-9]{6}")
_CIK = re.compile(r"[0-9]{1,10}")
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,255}")
_UNIT = re.compile(r"[!-~]{1,128}")

FactKey = tuple[str, date | None, date, str, str]  # concept, first and last day, unit, scope

# EDGAR took its first filings in 1993. An earlier day is a slip, and a slip in `filed` would let
# everybody know a value before it existed.
EARLIEST_FILED = date(1993, 1, 1)


def subject_of(cik: int | str) -> str | None:
    """Return how a filer is named by its central index key, or None where this is none."""
    digits = str(cik)
    return f"cik:{int(digits):010d}" if _CIK.fullmatch(digits) else None


def is_accession(text: str) -> bool:
    """Tell whether this is the number of a filing."""
    return _ACCESSION.fullmatch(text) is not None


def is_name(text: str) -> bool:
    """Tell whether this can name a taxonomy, or a tag in one."""
    return _NAME.fullmatch(text) is not None


def is_unit(text: str) -> bool:
    """Tell whether this can name a unit."""
    return _UNIT.fullmatch(text) is not None


class FiledFacts:
    """The facts of one filing while its document is being read.

    A value that comes twice is kept once. Where two rows give one fact different values, all of its rows
    are rejected: nothing in the document says which one the filing holds, taking the first or the last
    would let the order of rows decide, and a wrong value that looks certain is worse than none.
    """

    __slots__ = ("_conflicts", "_repeats", "_values")

    def __init__(self) -> None:
        self._values: dict[FactKey, Decimal | None] = {}
        self._repeats: Counter[FactKey] = Counter()
        self._conflicts: set[FactKey] = set()

    def add(self, key: FactKey, value: Decimal | None) -> None:
        """Take one row of the document; None is a value too, the one that says nil."""
        known = len(self._values)
        held = self._values.setdefault(key, value)
        if len(self._values) == known:
            self._repeats[key] += 1
            if held != value:
                self._conflicts.add(key)

    @property
    def rows(self) -> int:
        """How many rows were taken."""
        return len(self._values) + self._repeats.total()

    def settled(self, number: str, rejections: Rejections) -> list[FiledFact]:
        """Return the facts that hold, and count the rows of those that do not."""
        for key in [key for key in self._values if key in self._conflicts]:
            del self._values[key]
            rejections.add("duplicate_conflict", f"{number} {key[0]} {key[2]}", 1 + self._repeats[key])
        return [FiledFact(*key, value, None) for key, value in self._values.items()]
