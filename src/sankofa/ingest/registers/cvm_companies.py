"""The CVM's register of listed companies: which company has which code and which CNPJ.

Only four columns of the company itself are read. Others name natural persons: officers and auditors.
A company may have several rows. A code whose registration was cancelled has ended; the cancellation is no
statement about the company's own status.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import BinaryIO

from msgspec.structs import replace

from sankofa.entities.model import Identifier, OrganisationRecord
from sankofa.ingest.bytes.bounds import LIMITS, Limits, Rejections
from sankofa.ingest.bytes.packed import content
from sankofa.ingest.bytes.table import read_unquoted
from sankofa.ingest.days import iso_day
from sankofa.ingest.identifiers import clean_name, cnpj, cvm_code

REGISTRY = "BR-CVM"
TAXPAYERS = "BR-CNPJ"

_COLUMNS = ("CD_CVM", "CNPJ_CIA", "DENOM_SOCIAL", "DT_CANCEL")
_LIMITS = replace(LIMITS, document_bytes=64 << 20)  # some thousand companies, held in memory


def parse(
    document: BinaryIO | bytes, rejections: Rejections, limits: Limits = _LIMITS, *, fetched_at: datetime
) -> Iterator[OrganisationRecord]:
    """Yield one organisation for each code. The register carries no day, so the day of the fetch counts."""
    table = read_unquoted(content(document, limits).splitlines(), ";")
    named: dict[str, list[tuple[str, str]]] = {}  # CNPJ and name, once for each row
    cancelled: dict[str, set[date | None]] = {}
    for code, number, name, ended in table.picked(rejections, _COLUMNS):
        key, taxpayer, called = cvm_code(code), cnpj(number), clean_name(name)
        if not (key and taxpayer and called) or (ended and not iso_day(ended)):
            rejections.add("bad_code" if not key else "bad_cnpj" if not taxpayer else "bad_row", code)
        else:
            named.setdefault(key, []).append((taxpayer, called))
            cancelled.setdefault(key, set()).add(iso_day(ended))
    moment = fetched_at.astimezone(UTC)
    for key, rows in named.items():
        if len(set(rows)) > 1:
            rejections.add("company_conflict", key, len(rows))
            continue
        taxpayer, name = rows[0]
        yield OrganisationRecord(
            subject=f"cvm:{key}",
            legal_name=name,
            jurisdiction="BR",
            status="unknown",
            identifiers=(
                Identifier("registry", REGISTRY, key, valid_to=_last(cancelled[key])),
                Identifier("registry", TAXPAYERS, taxpayer),
            ),
            marks=(f"files_accounts:{REGISTRY}",),
            duplicate_of=None,
            stated_at=moment,
            available_at=moment.date(),
            available_at_basis="first_seen",
        )


def _last(days: set[date | None]) -> date | None:
    """Return the day on which the last registration ended, or None while one holds."""
    return None if None in days else max(filter(None, days))
