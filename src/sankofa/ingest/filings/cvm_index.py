"""The index of CVM forms: the day on which the commission received each version of a company's form.

That day is when a version became public. An entry that is unreadable, contradicts another one or lies before
the end of its period is no evidence.
"""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.bytes.table import Table
from sankofa.ingest.days import iso_day
from sankofa.ingest.identifiers import cvm_code

# The forms of this layout are of 2010 and later. An earlier day would be look-ahead.
EARLIEST_RECEIVED = date(2010, 1, 1)
CLOCK = ZoneInfo("America/Sao_Paulo")

_COLUMNS = ("CD_CVM", "DT_REFER", "VERSAO", "CATEG_DOC", "DT_RECEB")
_NUMBER = re.compile(r"[1-9][0-9]{0,2}")


class Version(NamedTuple):
    """One version of a company's form."""

    filer: str  # the commission's code of the company, in six digits
    period: date  # the last day of the period that the form is about
    number: int  # 1 for the first; later ones replace it


@lru_cache(1 << 12)
def version(filer: str, period: str, number: str) -> Version | None:
    """Return the version that three columns name, or None if they are malformed."""
    code, day = cvm_code(filer), iso_day(period)
    return Version(code, day, int(number)) if code and day and _NUMBER.fullmatch(number) else None


class Index:
    """The days of receipt, by version."""

    def __init__(self, form: str, rejections: Rejections) -> None:
        self._form = form
        self._rejections = rejections
        self._received: dict[Version, date | None] = {}

    def add(self, table: Table) -> None:
        """Add a table. If two entries of a version disagree, neither is used."""
        for filer, period, number, form, day in table.picked(self._rejections, _COLUMNS):
            filed, received = version(filer, period, number), iso_day(day)
            is_dated = filed and received and received >= max(EARLIEST_RECEIVED, filed.period)
            if filed is None or not is_dated or form != self._form:
                self._rejections.add("bad_index_entry", f"{filer} {period} {number} {form} {day}")
            elif self._received.setdefault(filed, received) != received:
                self._rejections.add("index_conflict", f"{filer} {period} {number} {day}")
                self._received[filed] = None

    def received(self, filed: Version) -> date | None:
        """Return the day on which a version was received, or None."""
        return self._received.get(filed)
