"""The index of a repository of ESEF reports: the path of each report, and the day it became public there.

An answer of the filings API of filings.xbrl.org, as JSON:API. `date_added` is the repository's own day, not
the issuer's: a report was public by then, and perhaps earlier. `processed` is when its JSON was last made,
which is no evidence of publication, and is not read.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from msgspec import UNSET, Struct

from sankofa.ingest.bytes.bounds import Limits, Rejections
from sankofa.ingest.bytes.strict_json import strict_json
from sankofa.ingest.days import later_day

# The first reports of this format are of the year 2020. An earlier day is an error, and would be
# look-ahead.
EARLIEST_ADDED = date(2021, 1, 1)

CLOCK = ZoneInfo("Europe/Helsinki")  # the easternmost of the issuers' clocks, so the latest of their days
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?")
_NUMBER = re.compile(r"[0-9A-Za-z][0-9A-Za-z.-]{0,127}")


class Entry(NamedTuple):
    """The index entry of one report."""

    number: str  # issuer, period end, and which report of it: "213800H2PQMIF3OVZY47-2022-03-31-ESEF-GB-0"
    added: date


class _Attributes(Struct, gc=False):
    fxo_id: str
    date_added: str
    json_url: str | None = None


class _Filing(Struct, gc=False):
    attributes: _Attributes
    type: Any = UNSET
    id: Any = UNSET
    links: Any = UNSET
    relationships: Any = UNSET


class _Page(Struct, gc=False):
    data: list[_Filing]
    included: Any = UNSET
    links: Any = UNSET
    meta: Any = UNSET
    jsonapi: Any = UNSET


class Index:
    """Some pages of the index, by the path of each report's JSON."""

    def __init__(self, rejections: Rejections) -> None:
        self._rejections = rejections
        self._entries: dict[str, Entry | None] = {}

    def add(self, page: bytes, limits: Limits) -> None:
        """Add one page. If two entries disagree about a path, neither is used."""
        for filing in strict_json(page, _Page, limits).data:
            attributes = filing.attributes
            if attributes.json_url is None:  # a report that the repository could not convert
                continue
            entry = _entry(attributes)
            if entry is None:
                self._rejections.add("bad_index_entry", f"{attributes.fxo_id} {attributes.date_added}")
                continue
            path = attributes.json_url.lstrip("/")
            if self._entries.setdefault(path, entry) != entry:
                self._rejections.add("index_conflict", f"{path} {attributes.date_added}")
                self._entries[path] = None

    def entry(self, path: str) -> Entry | None:
        """Return the entry of the report at a path, or None if there is none or they conflict."""
        return self._entries.get(path)


def _entry(attributes: _Attributes) -> Entry | None:
    """Return an entry, or None if it is malformed; its time has no zone and is UTC."""
    try:
        written = (
            datetime.fromisoformat(attributes.date_added)
            if _MOMENT.fullmatch(attributes.date_added)
            else None
        )
        added = later_day(written.replace(tzinfo=UTC), CLOCK) if written else date.min
    except (ValueError, OverflowError):
        return None
    return (
        Entry(attributes.fxo_id, added)
        if added >= EARLIEST_ADDED and _NUMBER.fullmatch(attributes.fxo_id)
        else None
    )
