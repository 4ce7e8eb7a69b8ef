"""What every kind of invented source has: a name, random values of its own, and days.

A kind with pages offers pages that hold the releases of one day and never change, whatever days are asked
for. A kind with files replaces its files: a version is a document of its own. Bytes depend only on the seed,
the source's name and the day.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta
from typing import ClassVar


@dataclass(frozen=True)
class Kind:
    """One source: its name, what its random values depend on, and its first day."""

    name: str
    seed: int
    first_day: date

    parser = ""  # a name in `sankofa.ingest.parsers`
    path = ""  # of its address, with the places of a portal's address
    has_pages = False
    renames = (b"", b"")  # the name of a column or field, and the name that a changed schema gives to it
    portal: ClassVar = {}  # fields of the operator's file, beside the address

    def date(self, day):
        return self.first_day + timedelta(days=day)

    def rng(self, *parts):
        return random.Random(f"{self.seed}/{self.name}/{parts}")

    def files(self, day):
        """Return the files that are offered on a day, {target: bytes}."""
        raise NotImplementedError
