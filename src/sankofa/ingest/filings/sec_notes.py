"""SEC Financial Statement and Notes data sets: filers, their places and industries.

Only the table of filings (`sub.tsv`) is read, as the numbers are in the smaller data sets too. Each filing
describes its filer on its day.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import BinaryIO

from sankofa.core.errors import UnreadableDocument
from sankofa.entities.model import OrganisationRecord
from sankofa.fundamentals.record import available_at
from sankofa.ingest.bytes.bounds import LIMITS, Limits, Rejections
from sankofa.ingest.bytes.packed import members
from sankofa.ingest.filings.record import filer
from sankofa.ingest.filings.sec_fsds import submissions


def parse(
    document: BinaryIO | bytes, rejections: Rejections, limits: Limits = LIMITS, *, fetched_at: datetime
) -> Iterator[OrganisationRecord]:
    """Yield the record of each filing's filer."""
    table = next((member for member in members(document, limits) if member.name == "sub.tsv"), None)
    if table is None:
        raise UnreadableDocument("missing_table", "sub.tsv")
    newest = fetched_at.astimezone(UTC).date() + timedelta(days=1)
    for number, filing in submissions(table).items():
        if isinstance(filing, str):
            rejections.add(filing, number)
        elif (day := available_at(filing)) > newest:
            rejections.add("filed_after_fetch", filing.number)
        else:
            yield filer(filing, day)
