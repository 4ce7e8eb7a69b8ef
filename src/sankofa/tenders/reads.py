"""Queries on tenders: releases, processes, and the roles of organisations."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from sankofa.ask.cursor import Scalar
from sankofa.ask.endpoint import Found, Page
from sankofa.ask.pace import gradually
from sankofa.core.errors import NotFound
from sankofa.storage.queries import named
from sankofa.storage.reading import Reader
from sankofa.tenders.compiled import compiled
from sankofa.tenders.finding import Sought, statement_for
from sankofa.tenders.params import ProcessParams, TenderPartiesParams, TendersParams
from sankofa.tenders.projection import release, statement
from sankofa.tenders.served import PlayedPart, ServedProcess, ServedRelease

_SQL = named(__package__)
MOST_RELEASES = 1_000  # of a process: its record is made from the newest of them
_MOST = 2**31 - 1
_LATEST = datetime.max.replace(tzinfo=UTC)


def place_of_release(row: ServedRelease) -> tuple[Scalar, ...]:
    """Return the sort key of a release; its source is the beginning of its reference."""
    return row.date.isoformat(), row.ocid, row.id, _source(row)


def place_of_part(part: PlayedPart) -> tuple[Scalar, ...]:
    """Return the sort key of a role."""
    return part.service_id, part.role, part.country


def place_of_large_part(part: PlayedPart) -> tuple[Scalar, ...]:
    """Return the sort key of a role by number of releases."""
    return part.releases, part.service_id, part.role, part.country


async def releases(reader: Reader, params: TendersParams, page: Page) -> Found:
    """Return releases of portals, each with the content known on a date."""
    day = page.knowable(params.as_of)
    buyers = await _members(reader, params.buyer, page)
    suppliers = await _members(reader, params.supplier, page)
    if buyers == [] or suppliers == []:
        return Found(rows=[], as_of=day)
    until, ocid, number, source = page.after or (_LATEST, "", "", "")
    rows = await reader.fetch(
        statement_for(params),
        {
            "since": _begin(params.since or date.min),
            "before": _begin(params.until + timedelta(1)) if params.until else _LATEST,
            "until": until,
            "day": day,
            "edition": page.edition.number,
            "after_ocid": ocid,
            "after_release": number,
            "after_source": source,
            "rows": page.rows + 1,
        }
        | Sought(params, buyers, suppliers).bound(day, page.after),
        edition=page.edition,
    )
    titles = await _titles(reader, {str(row[-1]) for row in rows}, day, page)
    found = await gradually(lambda row: release(row, titles.get(row[-1])), rows)
    return Found(rows=found, as_of=day)


async def _titles(reader: Reader, processes: set[str], day: date, page: Page) -> dict[Any, str]:
    """Return the titles of processes as known on a day, by their keys.

    A statement of its own: each process is read once, however many of its releases are on the page.
    """
    if not processes:
        return {}
    values = {"processes": sorted(processes), "day": day, "edition": page.edition.number}
    return dict(await reader.fetch(_SQL["titles"], values, edition=page.edition))


async def process(reader: Reader, params: ProcessParams, page: Page) -> Found:
    """Return the compiled process: one record for each portal that publishes it."""
    day = page.knowable(params.as_of)
    every = TendersParams(ocid=params.ocid)
    bound = {
        "since": _begin(date.min),
        "before": _LATEST,
        "until": _LATEST,
        "day": day,
        "edition": page.edition.number,
        "after_ocid": "",
        "after_release": "",
        "after_source": "",
        "rows": MOST_RELEASES + 1,
    }
    sought = Sought(every, None, None).bound(day, None)
    rows = await reader.fetch(statement_for(every), bound | sought, edition=page.edition)
    if not rows:
        raise NotFound
    portals: dict[str, list[tuple[ServedRelease, ServedRelease]]] = {}
    for pair in await gradually(lambda row: (release(row), statement(row)), rows[:MOST_RELEASES]):
        portals.setdefault(_source(pair[0]), []).append(pair)
    is_complete = len(rows) <= MOST_RELEASES
    found = [compiled(portals[name], is_complete=is_complete) for name in sorted(portals)]
    return Found(rows=found, as_of=day)


def _source(row: ServedRelease | ServedProcess) -> str:
    """Return the portal, the beginning of a reference."""
    return row.source_ref.partition("@")[0]


def place_of_process(row: ServedProcess) -> tuple[Scalar, ...]:
    """Return the sort key of a record of a process."""
    return (_source(row),)


async def _members(reader: Reader, service_id: str | None, page: Page) -> list[str] | None:
    """Return all ids of the organisation; empty for a withheld one."""
    if service_id is None:
        return None
    params = {"service_id": service_id, "edition": page.edition.number}
    return [str(row[0]) for row in await reader.fetch(_SQL["members"], params, edition=page.edition)]


def _begin(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


async def parts(reader: Reader, params: TenderPartiesParams, page: Page) -> Found:
    """Return the roles of established organisations in the releases known on a date."""
    day = page.knowable(params.as_of)
    service_id, role, country = page.after or ("", "", "")
    name = (
        "parts_of_organisation"
        if params.service_id
        else "parts_of_country"
        if params.country
        else "parts_of_all"
    )
    rows = await reader.fetch(
        _SQL[name],
        {
            "service_id": params.service_id,
            "country": params.country,
            "role": params.role,
            "day": day,
            "edition": page.edition.number,
            "after_service_id": service_id,
            "after_role": role,
            "after_country": country,
            "rows": page.rows + 1,
        },
        edition=page.edition,
    )
    found = [PlayedPart(*row) for row in rows]
    merged = params.service_id and found and found[0].service_id != params.service_id
    return Found(rows=found, as_of=day, extra={"resolved_from": params.service_id} if merged else {})


async def largest_parts(reader: Reader, params: TenderPartiesParams, page: Page) -> Found:
    """Return the roles of established organisations, most releases first."""
    day = page.knowable(params.as_of)
    releases_after, service_id, role, country = page.after or (_MOST, "", "", "")
    rows = await reader.fetch(
        _SQL["largest_parts_of_country" if params.country else "largest_parts_of_all"],
        {
            "country": params.country,
            "role": params.role,
            "day": day,
            "edition": page.edition.number,
            "after_releases": releases_after,
            "after_service_id": service_id,
            "after_role": role,
            "after_country": country,
            "rows": page.rows + 1,
        },
        edition=page.edition,
    )
    return Found(rows=[PlayedPart(*row) for row in rows], as_of=day)
