"""CIK-to-LEI: which filer at the U.S. Securities and Exchange Commission has which LEI, as a table.

A pair states no name, jurisdiction or status: `legal_name` is empty and means "states no name". An LEI
with two filers, or a filer with two LEIs, is ambiguous and is rejected.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import BinaryIO

from msgspec.structs import replace

from sankofa.entities.model import Identifier, OrganisationRecord
from sankofa.ingest.bytes.bounds import LIMITS, Limits, Rejections
from sankofa.ingest.bytes.table import Table, read_dump
from sankofa.ingest.identifiers import cik, lei
from sankofa.ingest.registers.sec_tickers import REGISTRY

# Some hundred thousand pairs, which are held in memory to see that they are one to one.
_LIMITS = replace(LIMITS, document_bytes=16 << 20)


def parse(
    document: BinaryIO | bytes, rejections: Rejections, limits: Limits = _LIMITS, *, fetched_at: datetime
) -> Iterator[OrganisationRecord]:
    """Yield one record for each LEI that has a filer of its own. The table carries no day of release."""
    stated_at = fetched_at.astimezone(UTC)
    pairs = _pairs(read_dump(document, limits), rejections)
    leis, filers = Counter(number for number, _ in pairs), Counter(key for _, key in pairs)
    for number, key in pairs:
        if leis[number] > 1 or filers[key] > 1:
            rejections.add("not_one_to_one", f"{number} {key}")
            continue
        yield OrganisationRecord(
            subject=f"lei:{number}",
            legal_name="",
            jurisdiction=None,
            status="unknown",
            identifiers=(Identifier("lei", "", number), Identifier("registry", REGISTRY, key)),
            marks=(),
            duplicate_of=None,
            stated_at=stated_at,
            available_at=stated_at.date(),
            available_at_basis="first_seen",
        )


def _pairs(table: Table, rejections: Rejections) -> dict[tuple[str, str], None]:
    """Return each pair once, in the order of the table; there are as many as there are filers."""
    pairs: dict[tuple[str, str], None] = {}
    for row in table.picked(rejections, ("lei", "cik")):
        number, key = lei(row[0]), cik(row[1].strip())
        if number and key:
            pairs[number, key] = None
        else:
            rejections.add("bad_cik" if number else "bad_lei", " ".join(row))
    return pairs
