"""Queries on organisations and their identifiers."""

from __future__ import annotations

import msgspec

from sankofa.ask.cursor import Scalar
from sankofa.ask.endpoint import Found, Page
from sankofa.core.errors import NotFound
from sankofa.entities.served import (
    FILER_REGISTERS,
    ID_TYPES,
    MOST_MATCHES,
    OPEN_TYPES,
    PAID_PLACE,
    CrosswalkParams,
    EntityParams,
    FormerHolder,
    FormerName,
    HeldIdentifier,
    IdentifiedOrganisation,
    Industry,
    LookupParams,
    Organisation,
    Ticker,
    filer_number,
)
from sankofa.storage.queries import named
from sankofa.storage.reading import Reader, Row

_SQL = named(__package__)
_PLACE = ("id_type", "id_value", "issuer")


def place_of_identifier(held: HeldIdentifier) -> tuple[Scalar, ...]:
    """Return the sort key of an identifier among those of its organisation."""
    return (held.id_type, held.id_value, held.issuer or "")


def place_of_match(match: IdentifiedOrganisation) -> tuple[Scalar, ...]:
    """Return the sort key of a match."""
    return (match.id_value, match.issuer or "", match.service_id)


async def organisation(reader: Reader, params: EntityParams, page: Page) -> Found:
    """Return the organisation of an id."""
    rows = await reader.fetch(
        _SQL["organisation"],
        {
            "service_id": params.service_id,
            "edition": page.edition.number,
            "day": page.edition.day,
            "paid_place": PAID_PLACE,
        },
        edition=page.edition,
    )
    if not rows:
        raise NotFound
    found = [_organisation(row) for row in rows]
    return Found(rows=found, extra=_resolved(params.service_id, found[0].service_id))


async def identifiers_of_organisation(reader: Reader, params: CrosswalkParams, page: Page) -> Found:
    """Return an organisation's identifiers on the edition's day, and the withheld types."""
    after = page.after or (None,) * len(_PLACE)
    rows = await reader.fetch(
        _SQL["identifiers_of_organisation"],
        {
            "service_id": params.service_id,
            "edition": page.edition.number,
            "day": page.edition.day,
            "open_types": list(ID_TYPES if page.is_paid else OPEN_TYPES),
            "filer_registers": list(FILER_REGISTERS),
            "rows": page.rows + 1,
            **{f"after_{name}": value for name, value in zip(_PLACE, after, strict=True)},
        },
        edition=page.edition,
    )
    if not rows:
        raise NotFound
    survivor, *_, withheld, is_loaded = rows[0]
    return Found(
        rows=[HeldIdentifier(*row[:-2]) for row in rows if row[1] is not None],
        extra={
            "withheld_id_types": withheld,
            "crosswalk_loaded": is_loaded,
            **_resolved(params.service_id, survivor),
        },
    )


async def organisations_by_identifier(reader: Reader, params: LookupParams, page: Page) -> Found:
    """Return the organisations with an external identifier, and those that had it before."""
    ticker = Ticker.require(params.id_value) if params.id_type == "ticker" else None
    identifier = {
        "id_type": params.id_type,
        "id_value": ticker.symbol if ticker else params.id_value,
        "issuer": ticker.mic if ticker else None,
        "filer_number": filer_number(params.id_value) if params.id_type == "registry" else None,
        "filer_registers": list(FILER_REGISTERS),
        "edition": page.edition.number,
        "day": page.edition.day,
    }
    rows = await reader.fetch(
        _SQL["organisations_by_identifier"], identifier | {"rows": page.rows + 1}, edition=page.edition
    )
    former = await reader.fetch(
        _SQL["former_holders"], identifier | {"rows": MOST_MATCHES}, edition=page.edition
    )
    return Found(
        rows=[IdentifiedOrganisation(*row[:-1]) for row in rows],
        extra={
            "ambiguous": bool(rows) and rows[0][-1],
            "former": [FormerHolder(*row) for row in former],
        },
    )


def _organisation(row: Row) -> Organisation:
    """Return an organisation; consecutive versions of one name or industry become one entry."""
    service_id, name, name_as_of, versions, industries, *others = row
    former: list[FormerName] = []
    for version in msgspec.convert(versions, list[FormerName]):  # newest first
        if former and former[-1].name == version.name:
            former[-1] = msgspec.structs.replace(former[-1], since=version.since or former[-1].since)
        else:
            former.append(version)
    return Organisation(service_id, name, name_as_of, former, _joined(industries), *others)


def _joined(value: Scalar) -> list[Industry]:
    joined: list[Industry] = []
    for one in msgspec.convert(value, list[Industry]):  # newest first
        if joined and (joined[-1].code, joined[-1].since) == (one.code, one.until):
            joined[-1] = msgspec.structs.replace(joined[-1], since=one.since)
        else:
            joined.append(one)
    return joined


def _resolved(requested: str, survivor: str) -> dict[str, str]:
    """Return `resolved_from` if the requested id was merged into another."""
    return {"resolved_from": requested} if requested != survivor else {}
