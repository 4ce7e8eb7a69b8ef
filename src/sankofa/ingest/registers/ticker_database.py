"""A third party's table of listings: the CIK, ISIN and LEI of a ticker.

The makers looked numbers up by the ticker alone, so a row can hold the numbers of a namesake elsewhere: the
ACA of Euronext is a bank, that of New York is not. Only cells that plausibly belong to the filer are used. A
row counts if its exchange and its ISIN are American; an ISIN if one filer has it, and all ISINs with its
issuer number; an LEI if it has no other filer, the filer no other LEI, no register of another country gave it
out, and the row has no FIGI: those of American rows are a namesake's. Statements that are known to be wrong
are left out by name. The rest is a third party's evidence: it joins no subjects by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import BinaryIO

from sankofa.entities.model import Identifier, OrganisationRecord
from sankofa.ingest.bytes.bounds import LIMITS, Limits, Rejections
from sankofa.ingest.bytes.table import Row, read_dump
from sankofa.ingest.identifiers import cik, isin, lei
from sankofa.ingest.registers.refuted import is_refuted
from sankofa.ingest.registers.sec_tickers import REGISTRY

_SOURCE = "free-ticker-database"
_COLUMNS = ("exchange", "ticker", "isin", "cik", "lei")
_ISSUER = 8  # characters of an American ISIN that name its issuer: the country and a CUSIP's first six
_AMERICAN = frozenset({"NASDAQ", "NYSE", "NYSE MKT", "NYSE ARCA", "BATS", "OTC"})
# Prefixes of LEIs issued in France, Spain, the Netherlands, Italy, Germany and London.
_OF_OTHER_COUNTRIES = ("9695", "9598", "7245", "8156", "2138", "3912")


def parse(
    document: BinaryIO | bytes, rejections: Rejections, limits: Limits = LIMITS, *, fetched_at: datetime
) -> Iterator[OrganisationRecord]:
    """Yield one record for each filer that has an ISIN or an LEI. The table carries no day of release."""
    table = read_dump(document, limits)
    rows = [row for row in table.picked(rejections, _COLUMNS, ("figi",)) if row[3].strip()]
    claims = dict.fromkeys(_claims(rows, rejections))
    pairs = {(one.value, number) for number, one in claims} | {(row[4], row[3]) for row in rows}
    filers = Counter(value for value, _ in pairs)
    leis = Counter(number for number, one in claims if one.id_type == "lei")
    issuers = Counter(issuer for issuer, _ in {(one.value[:_ISSUER], number) for number, one in claims})
    found: dict[str, list[Identifier]] = {}
    for number, one in claims:
        if filers[one.value] > 1 or (one.id_type == "lei" and leis[number] > 1):
            rejections.add("not_one_to_one", f"{number} {one.value}")
        elif one.id_type == "isin" and issuers[one.value[:_ISSUER]] > 1:
            rejections.add("issuer_shared", f"{number} {one.value}")
        else:
            found.setdefault(number, []).append(one)
    moment = fetched_at.astimezone(UTC)
    for number, identifiers in found.items():
        key = str(cik(number))
        yield OrganisationRecord(
            subject=f"cik:{key}",
            legal_name="",
            jurisdiction=None,
            status="unknown",
            identifiers=(Identifier("registry", REGISTRY, key), *sorted(identifiers)),
            marks=("evidence:third_party",),
            duplicate_of=None,
            stated_at=moment,
            available_at=moment.date(),
            available_at_basis="first_seen",
        )


def _claims(rows: Iterable[Row], rejections: Rejections) -> Iterator[tuple[str, Identifier]]:
    """Yield the claims of rows about filers, without those that may belong to a namesake."""
    for row in rows:
        security, number, identifier = row[2:5]
        if reason := _doubt(row):
            rejections.add(reason, " ".join(row))
            continue
        yield number, Identifier("isin", "", security)
        if reason := _doubt_of_lei(row):
            rejections.add(reason, " ".join(row))
        elif identifier:
            yield number, Identifier("lei", "", identifier)


def _doubt(row: Row) -> str | None:
    """Return the reason why a row may be about a namesake elsewhere, or None."""
    exchange, _, security, number = row[:4]
    if cik(number) is None:
        return "bad_cik"
    if exchange not in _AMERICAN:
        return "other_exchange"
    if isin(security) is None:
        return "bad_isin"
    if not security.startswith("US"):
        return "foreign_isin"
    return "refuted" if is_refuted(_SOURCE, str(cik(number)), security) else None


def _doubt_of_lei(row: Row) -> str | None:
    """Return the reason why the LEI of a row may be a namesake's, or None; also None without an LEI."""
    number, identifier, looked_up = row[3:6]
    if not identifier:
        return None
    if lei(identifier) is None:
        return "bad_lei"
    if identifier.startswith(_OF_OTHER_COUNTRIES):
        return "lei_of_another_country"
    if looked_up:
        return "lei_by_ticker"
    return "refuted" if is_refuted(_SOURCE, str(cik(number)), identifier) else None
