"""The endpoint declarations of the domain."""

from __future__ import annotations

from sankofa.ask.endpoint import WHOLE, Endpoint
from sankofa.ask.reads import Reads
from sankofa.entities.issuers import ISSUERS
from sankofa.entities.reads import (
    identifiers_of_organisation,
    organisation,
    organisations_by_identifier,
    place_of_identifier,
    place_of_match,
)
from sankofa.entities.search import SEARCH
from sankofa.entities.served import (
    ID_TYPES,
    MOST_MATCHES,
    PAID_TYPES,
    CrosswalkParams,
    EntityParams,
    FormerHolder,
    HeldIdentifier,
    IdentifiedOrganisation,
    LookupParams,
    Organisation,
)

_RESOLVED_FROM = {
    "type": "string",
    "description": "The id that was asked for, where it was merged into the id of the rows.",
}
_DAY = {"type": ["string", "null"], "format": "date"}
_FORMER = {
    "type": "object",
    "required": list(FormerHolder.__struct_fields__),
    "properties": {
        "service_id": {"type": "string"},
        "id_type": {"type": "string", "enum": list(ID_TYPES)},
        "id_value": {"type": "string"},
        "issuer": {"type": ["string", "null"], "description": "The registry or exchange."},
        "valid_from": _DAY | {"description": "The first day it held; null where no source states it."},
        "valid_to": {
            "type": "string",
            "format": "date",
            "description": "The day from which it did not hold.",
        },
    },
}

ENTITY = Endpoint(
    path="/v1/entities/{service_id}",
    name="entity",
    summary="One organisation",
    description=(
        "Name, jurisdiction, LEI and status of an organisation, and the kinds of evidence that it is one. "
        "`lei_status` is `retired` if the LEI no longer holds on the edition's day. "
        "Parties that are not established to be organisations are not served. After a merge of duplicates "
        "the old id answers with the surviving id's row and `resolved_from`."
    ),
    params=EntityParams,
    row=Organisation,
    order="service_id",
    read=organisation,
    reads=(Reads(("issued_id", "organisation", "organisation_name", "identifier"), key="service_id"),),
    position=lambda row: (row.service_id,),
    statuses=(200, 304, 400, 401, 404, 429, 503),
    most=1,
    envelope={"resolved_from": _RESOLVED_FROM},
)

CROSSWALK = Endpoint(
    path="/v1/crosswalk/{service_id}",
    name="crosswalk",
    summary="The identifiers of one organisation",
    description=(
        "Every identifier that holds on the edition's day. Sample keys get LEI, ticker and the filer number "
        "of the SEC (CIK), and the names of the other types there are in `withheld_id_types`."
    ),
    params=CrosswalkParams,
    row=HeldIdentifier,
    order="id_type, id_value, issuer",
    read=identifiers_of_organisation,
    reads=(Reads(("issued_id", "identifier"), key="service_id"),),
    position=place_of_identifier,
    statuses=(200, 304, 400, 401, 404, 429, 503),
    most=WHOLE,
    envelope={
        "withheld_id_types": {
            "type": "array",
            "items": {"type": "string", "enum": list(ID_TYPES)},
            "description": "Types with identifiers that this tier does not show; empty for paid tiers.",
        },
        "crosswalk_loaded": {
            "type": "boolean",
            "description": "Whether the edition holds any identifiers at all.",
        },
        "resolved_from": _RESOLVED_FROM,
    },
    always=("withheld_id_types", "crosswalk_loaded"),
)

CROSSWALK_LOOKUP = Endpoint(
    path="/v1/crosswalk",
    name="crosswalk_lookup",
    summary="The organisation that an outside identifier belongs to",
    description=(
        f"At most {MOST_MATCHES} matches among the identifiers that hold on the edition's day. A registry "
        "number is unique within its registry only, so several organisations can match. Organisations that "
        "had the identifier before are listed in `former`, the last holder first. An exchange code that "
        "several exchanges use, such as NSE, is refused with their MICs."
    ),
    params=LookupParams,
    row=IdentifiedOrganisation,
    order="id_type, id_value, issuer, service_id",
    read=organisations_by_identifier,
    reads=(Reads(("identifier", "organisation")),),
    position=place_of_match,
    statuses=(200, 304, 400, 401, 402, 429, 503),
    most=MOST_MATCHES,
    paid_values={"id_type": PAID_TYPES},
    envelope={
        "ambiguous": {"type": "boolean", "description": "Whether several organisations match."},
        "former": {
            "type": "array",
            "items": _FORMER,
            "description": "Organisations that had this identifier, and no longer do on the edition's day.",
        },
    },
    always=("ambiguous", "former"),
)

ENDPOINTS = (ENTITY, SEARCH, ISSUERS, CROSSWALK, CROSSWALK_LOOKUP)
