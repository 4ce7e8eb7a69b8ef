"""SEC company tickers: which filers there are, by central index key.

The file's tickers are left out: it does not say on which exchange they trade, and a ticker without an
exchange is nobody's. A filer comes once for each of its tickers.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, BinaryIO

from msgspec import Struct

from sankofa.entities.model import Identifier, OrganisationRecord
from sankofa.ingest.bytes.bounds import LIMITS, Limits, Rejections
from sankofa.ingest.bytes.packed import content
from sankofa.ingest.bytes.strict_json import strict_json
from sankofa.ingest.identifiers import cik, clean_name

REGISTRY = "US-SEC"


class _Filer(Struct, gc=False):
    cik_str: int | str
    ticker: Any
    title: str


def parse(
    document: BinaryIO | bytes, rejections: Rejections, limits: Limits = LIMITS, *, fetched_at: datetime
) -> Iterator[OrganisationRecord]:
    """Yield one organisation for each filer. The file carries no day, so the day of the fetch counts."""
    rows = strict_json(content(document, limits), dict[str, _Filer], limits)
    names: dict[str, list[str | None]] = {}
    for row in rows.values():
        key = cik(row.cik_str)
        if key is None:
            rejections.add("bad_cik", row.cik_str)
        else:
            names.setdefault(key, []).append(clean_name(row.title))
    moment = fetched_at.astimezone(UTC)
    for key, written in names.items():
        name = written[0]
        if not name or any(other != name for other in written):
            conflict = len(set(written)) > 1
            reason = "name_conflict" if conflict else "bad_name" if name is None else "missing_name"
            rejections.add(reason, key, len(written))
            continue
        yield OrganisationRecord(
            subject=f"cik:{key}",
            legal_name=name,
            jurisdiction=None,
            status="unknown",
            identifiers=(Identifier("registry", REGISTRY, key),),
            marks=(f"files_accounts:{REGISTRY}",),
            duplicate_of=None,
            stated_at=moment,
            available_at=moment.date(),
            available_at_basis="first_seen",
        )
