"""Wikidata: the LEIs, CIKs and ISINs of its items, as the JSON answer to a query (SPARQL 1.1 Query Results).

Each row has one identifier of one item. An item whose LEI or CIK no other item has is taken for that
organisation. Anybody may edit an item, so all else that it states is a third party's evidence, its own id
included: it joins no subjects by itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, BinaryIO

from msgspec import UNSET, Struct

from sankofa.entities.model import Identifier, OrganisationRecord
from sankofa.ingest.bytes.bounds import LIMITS, Limits, Rejections
from sankofa.ingest.bytes.packed import content
from sankofa.ingest.bytes.strict_json import strict_json
from sankofa.ingest.identifiers import cik, isin, lei
from sankofa.ingest.registers.sec_tickers import REGISTRY

_ISSUER = "wikidata"
_ITEM = re.compile(r"http://www\.wikidata\.org/entity/(Q[1-9][0-9]{0,14})")
_KINDS = {"lei": lei, "cik": cik, "isin": isin}

_Claim = tuple[str, str]  # the kind of an identifier, and its value


class _Term(Struct, gc=False):
    value: str
    type: Any = UNSET
    datatype: Any = UNSET


class _Results(Struct, gc=False):
    bindings: list[dict[str, _Term]]


class _Answer(Struct, gc=False):
    results: _Results
    head: Any = UNSET


def parse(
    document: BinaryIO | bytes, rejections: Rejections, limits: Limits = LIMITS, *, fetched_at: datetime
) -> Iterator[OrganisationRecord]:
    """Yield a record for each LEI and each CIK of an item, known from the fetch: an answer carries no day."""
    answer = strict_json(content(document, limits), _Answer, limits)
    items: dict[str, dict[_Claim, None]] = {}
    for item, claim in _claims(answer, rejections):
        items.setdefault(item, {})[claim] = None
    holders = Counter(claim for claims in items.values() for claim in claims)
    seen = fetched_at.astimezone(UTC)
    for item, claims in items.items():
        own = dict(_alone(item, claims, holders, rejections))
        securities = [
            Identifier("isin", "", value)
            for kind, value in sorted(claims)
            if kind == "isin" and holders[kind, value] == 1
        ]
        others = (Identifier("aggregator", _ISSUER, item), *securities)
        number, filer = own.get("lei"), own.get("cik")
        own_lei = (Identifier("lei", "", number),) if number else ()
        if own_lei:
            yield _record(f"lei:{number}", (*own_lei, *others), seen)
        if filer:
            yield _record(f"cik:{filer}", (Identifier("registry", REGISTRY, filer), *others, *own_lei), seen)


def _claims(answer: _Answer, rejections: Rejections) -> Iterator[tuple[str, _Claim]]:
    """Yield each item with an identifier; count rows that have none that is well-formed."""
    for row in answer.results.bindings:
        item = _ITEM.fullmatch(row["item"].value) if "item" in row else None
        kinds = row.keys() & _KINDS.keys()
        if item is None or len(kinds) != 1:
            rejections.add("bad_row", " ".join(term.value for term in row.values()))
            continue
        (kind,) = kinds
        value = _KINDS[kind](row[kind].value)
        if value is None:
            rejections.add(f"bad_{kind}", f"{item[1]} {row[kind].value}")
        else:
            yield item[1], (kind, value)


def _alone(
    item: str, claims: dict[_Claim, None], holders: Counter[_Claim], rejections: Rejections
) -> Iterator[_Claim]:
    """Yield the LEI and the CIK of an item, each if the item has one and no other item has it."""
    for kind in ("lei", "cik"):
        found = [claim for claim in claims if claim[0] == kind]
        if len(found) == 1 and holders[found[0]] == 1:
            yield found[0]
        elif found:
            rejections.add("not_one_to_one", f"{item} {' '.join(value for _, value in found)}", len(found))


def _record(subject: str, identifiers: tuple[Identifier, ...], seen: datetime) -> OrganisationRecord:
    return OrganisationRecord(
        subject=subject,
        legal_name="",
        jurisdiction=None,
        status="unknown",
        identifiers=identifiers,
        marks=("evidence:third_party",),
        duplicate_of=None,
        stated_at=seen,
        available_at=seen.date(),
        available_at_basis="first_seen",
    )
