"""The questions one can ask about organisations and their identifiers."""

from __future__ import annotations

from sankofa.ask.cursor import Scalar
from sankofa.ask.endpoint import Found, Page
from sankofa.core.errors import NotFound
from sankofa.entities.served import (
    ID_TYPES,
    OPEN_TYPES,
    CrosswalkParams,
    EntityParams,
    HeldIdentifier,
    IdentifiedOrganisation,
    LookupParams,
    Organisation,
    Ticker,
)
from sankofa.storage.queries import named
from sankofa.storage.reading import Reader

_SQL = named(__package__)
_PLACE = ("id_type", "id_value", "issuer")


def place_of_identifier(held: HeldIdentifier) -> tuple[Scalar, ...]:
    """Return an identifier's place in the order of its organisation's identifiers."""
    return (held.id_type, held.id_value, held.issuer or "")


def place_of_match(match: IdentifiedOrganisation) -> tuple[Scalar, ...]:
    """Return a match's place in the order of all matches."""
    return (match.id_value, match.issuer or "", match.service_id)


async def organisation(reader: Reader, asked: EntityParams, page: Page) -> Found:
    """Return the organisation that an id stands for."""
    rows = await reader.fetch(
        _SQL["organisation"],
        {"service_id": asked.service_id, "edition": page.edition.number},
        edition=page.edition,
    )
    if not rows:
        raise NotFound
    found = [Organisation(*row) for row in rows]
    return Found(rows=found, extra=_resolved(asked.service_id, found[0].service_id))


async def identifiers_of_organisation(reader: Reader, asked: CrosswalkParams, page: Page) -> Found:
    """Return an organisation's identifiers that hold on the edition's day, and which types are withheld."""
    after = page.after or (None,) * len(_PLACE)
    rows = await reader.fetch(
        _SQL["identifiers_of_organisation"],
        {
            "service_id": asked.service_id,
            "edition": page.edition.number,
            "day": page.edition.day,
            "open_types": list(ID_TYPES if page.is_paid else OPEN_TYPES),
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
            **_resolved(asked.service_id, survivor),
        },
    )


async def organisations_by_identifier(reader: Reader, asked: LookupParams, page: Page) -> Found:
    """Return whom an outside identifier belongs to."""
    ticker = Ticker.read(asked.id_value) if asked.id_type == "ticker" else None
    rows = await reader.fetch(
        _SQL["organisations_by_identifier"],
        {
            "id_type": asked.id_type,
            "id_value": ticker.symbol if ticker else asked.id_value,
            "issuer": ticker.mic if ticker else None,
            "edition": page.edition.number,
            "day": page.edition.day,
            "rows": page.rows + 1,
        },
        edition=page.edition,
    )
    return Found(
        rows=[IdentifiedOrganisation(*row[:-1]) for row in rows],
        extra={"ambiguous": bool(rows) and rows[0][-1]},
    )


def _resolved(asked: str, survivor: str) -> dict[str, str]:
    """Return what the envelope says where the id asked for was merged into another."""
    return {"resolved_from": asked} if asked != survivor else {}
