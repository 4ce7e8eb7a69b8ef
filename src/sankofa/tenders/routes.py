"""The endpoint declarations of the domain."""

from __future__ import annotations

from sankofa.ask.endpoint import Endpoint, Mode
from sankofa.ask.reads import DAY, Reads
from sankofa.tenders.params import ProcessParams, TenderPartiesParams, TendersParams
from sankofa.tenders.reads import (
    largest_parts,
    parts,
    place_of_large_part,
    place_of_part,
    place_of_process,
    place_of_release,
    process,
    releases,
)
from sankofa.tenders.served import PlayedPart, ServedProcess, ServedRelease

_STATUSES = (200, 304, 400, 401, 402, 429, 503)

_TABLES = (
    "tender_release",
    "tender_text",
    "issued_id",
    "organisation",
    "organisation_name",
    DAY,  # releases dated more than two days ahead are not served yet
)

TENDERS = Endpoint(
    path="/v1/tenders",
    name="tenders",
    summary="Releases of public tenders as OCDS, newest first",
    description=(
        "Rows are OCDS 1.1 releases of portals whose licence permits redistribution, reduced to what may be "
        "served: no contacts, persons, addresses or documents. Parties that are not established "
        "organisations are left out with every reference to them, and counted in `withheld_parties`. A "
        "release whose free text names one, or holds an e-mail address, a telephone or an identity number, "
        "has no free text and says `text_withheld`. Each release stands once, in the newest content known on "
        "`as_of`; `vintage` counts its contents. Filters act on that content, and can be combined."
    ),
    params=TendersParams,
    row=ServedRelease,
    order="date descending, ocid, id, source",
    read=releases,
    reads=(Reads((*_TABLES, "tender_country")),),
    position=place_of_release,
    statuses=_STATUSES,
    weight=20,
)

TENDER_PROCESS = Endpoint(
    path="/v1/tenders/{ocid}",
    name="tender_process",
    summary="One contracting process: what its releases say together, and when each became known",
    description=(
        "The releases that were known on `as_of`, merged as OCDS merges them: the last statement of a field "
        "stands, awards and contracts are merged by id. Only what is served of releases is merged, and what "
        "the last statement withholds is not replaced by an older one. `timeline` lists the releases, oldest "
        "first. There is a row for each portal that publishes the process."
    ),
    params=ProcessParams,
    row=ServedProcess,
    order="source",
    read=process,
    reads=(Reads(_TABLES),),
    position=place_of_process,
    statuses=(200, 304, 400, 401, 404, 429, 503),
    most=10,
    weight=20,
)

_LARGEST_PARTIES = Endpoint(
    path="/v1/tender-parties",
    name="tender_parties",
    summary="Organisations that buy and supply, by role and country",
    description="With `order=releases`, those of the most releases known on `as_of` come first.",
    params=TenderPartiesParams,
    row=PlayedPart,
    order="releases descending, service_id, role, country",
    read=largest_parts,
    reads=(Reads(("tender_party", "organisation", "organisation_name")),),
    position=place_of_large_part,
    statuses=_STATUSES,
)

TENDER_PARTIES = Endpoint(
    path="/v1/tender-parties",
    name="tender_parties",
    summary="Organisations that buy and supply, by role and country",
    description=(
        "Parties of releases that are established to be organisations, resolved to one id each. Counts are "
        "of the releases known on `as_of`; the newest of them is the one cited, and names are those known on "
        "the day."
    ),
    params=TenderPartiesParams,
    row=PlayedPart,
    order="service_id, role, country",
    read=parts,
    reads=(Reads(("issued_id", "tender_party", "organisation", "organisation_name"), key="service_id"),),
    position=place_of_part,
    statuses=_STATUSES,
    examples={"service_id": "DC1KQQGQHWZ7M40"},  # a buyer of the demo world
    envelope={
        "resolved_from": {
            "type": "string",
            "description": "The id that was asked for, where it was merged into the id of the rows.",
        }
    },
    modes=(Mode(endpoint=_LARGEST_PARTIES, is_meant_by=lambda params: params.is_by_releases),),
)

ENDPOINTS = (TENDERS, TENDER_PROCESS, TENDER_PARTIES)
