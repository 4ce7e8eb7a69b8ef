"""The endpoint declarations of the domain."""

from __future__ import annotations

from sankofa.ask.endpoint import Endpoint
from sankofa.ask.reads import DAY, Reads
from sankofa.tenders.asked import TenderPartiesParams, TendersParams
from sankofa.tenders.reads import parts, place_of_part, place_of_release, releases
from sankofa.tenders.served import PlayedPart, ServedRelease

_STATUSES = (200, 304, 400, 401, 402, 429, 503)

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
        "`as_of`; `vintage` counts its contents."
    ),
    params=TendersParams,
    row=ServedRelease,
    order="date descending, ocid, id, source",
    read=releases,
    reads=(
        Reads(
            (
                "tender_release",
                "tender_text",
                "tender_country",
                "issued_id",
                "organisation",
                "organisation_name",
                DAY,  # releases dated more than two days ahead are not shown yet
            )
        ),
    ),
    position=place_of_release,
    statuses=_STATUSES,
    weight=20,
)

TENDER_PARTIES = Endpoint(
    path="/v1/tender-parties",
    name="tender_parties",
    summary="Organisations that buy and supply, by role and country",
    description=(
        "Parties of releases that are established to be organisations, resolved to one id each. Counts are "
        "of releases as they stand in the edition; the newest of them is the one cited."
    ),
    params=TenderPartiesParams,
    row=PlayedPart,
    order="service_id, role, country",
    read=parts,
    reads=(Reads(("issued_id", "tender_party", "organisation"), key="service_id"),),
    position=place_of_part,
    statuses=_STATUSES,
    examples={"service_id": "DC1KQQGQHWZ7M40"},  # a buyer of the demo world
    envelope={
        "resolved_from": {
            "type": "string",
            "description": "The id that was asked for, where it was merged into the id of the rows.",
        }
    },
)

ENDPOINTS = (TENDERS, TENDER_PARTIES)
