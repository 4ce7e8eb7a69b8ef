"""The questions one can ask about tenders: releases of a country, and who plays which part in them."""

from __future__ import annotations

from datetime import UTC, date, datetime, time

from sankofa.ask.cursor import Scalar
from sankofa.ask.endpoint import Found, Page
from sankofa.ask.pace import gradually
from sankofa.storage.queries import named
from sankofa.storage.reading import Reader
from sankofa.tenders.projection import release
from sankofa.tenders.served import PlayedPart, ServedRelease, TenderPartiesParams, TendersParams

_SQL = named(__package__)
_LATEST = datetime.max.replace(tzinfo=UTC)


def place_of_release(row: ServedRelease) -> tuple[Scalar, ...]:
    """Return a release's place in the order; its source is where its reference begins."""
    return row.date.isoformat(), row.ocid, row.id, row.source_ref.partition("@")[0]


def place_of_part(part: PlayedPart) -> tuple[Scalar, ...]:
    """Return a part's place in the order."""
    return part.service_id, part.role, part.country


async def releases(reader: Reader, asked: TendersParams, page: Page) -> Found:
    """Return the releases of a country's portals, each in the content that was known on a date."""
    day = page.knowable(asked.as_of)
    until, ocid, number, source = page.after or (_LATEST, "", "", "")
    rows = await reader.fetch(
        _SQL["releases_of_country"],
        {
            "country": asked.country,
            "since": datetime.combine(asked.since or date.min, time(), UTC),
            "until": until,
            "day": day,
            "edition": page.edition.number,
            "after_ocid": ocid,
            "after_release": number,
            "after_source": source,
            "rows": page.rows + 1,
        },
        edition=page.edition,
    )
    return Found(rows=await gradually(release, rows), as_of=day)


async def parts(reader: Reader, asked: TenderPartiesParams, page: Page) -> Found:
    """Return the parts that established organisations play in releases."""
    service_id, role, country = page.after or ("", "", "")
    statement = (
        "parts_of_organisation"
        if asked.service_id
        else "parts_of_country"
        if asked.country
        else "parts_of_all"
    )
    rows = await reader.fetch(
        _SQL[statement],
        {
            "service_id": asked.service_id,
            "country": asked.country,
            "role": asked.role,
            "edition": page.edition.number,
            "after_service_id": service_id,
            "after_role": role,
            "after_country": country,
            "rows": page.rows + 1,
        },
        edition=page.edition,
    )
    found = [PlayedPart(*row) for row in rows]
    merged = asked.service_id and found and found[0].service_id != asked.service_id
    return Found(rows=found, extra={"resolved_from": asked.service_id} if merged else {})
