"""Releases as they are served: the one list of what may leave (TEN-4), in the shape of OCDS 1.1.

What is not known is left out, as the standard has it; the fields of our own, which it does not know, are
always there.
"""

from __future__ import annotations

import datetime as dt
import re
from decimal import Decimal
from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType, field

from sankofa.ask.params import (
    DATE_SCHEMA,
    AsOf,
    CursorText,
    EditionNumber,
    Limit,
    Parameter,
    calendar_date,
    matching,
)

_COUNTRY = re.compile(r"[A-Za-z]{2}")
_WORD = re.compile(r"[ -~]{1,200}")
_SERVICE_ID = re.compile(r"[A-Za-z0-9]+")


class Value(msgspec.Struct, frozen=True):
    """An amount of money."""

    amount: Decimal
    currency: str


class Span(msgspec.Struct, frozen=True, rename="camel"):
    """A period of time, as far as it is known."""

    start_date: dt.datetime | UnsetType = UNSET
    end_date: dt.datetime | UnsetType = UNSET


class PartyReference(msgspec.Struct, frozen=True):
    """An established organisation that somebody points at; `parties` lists it."""

    id: str
    name: str | None
    service_id: str


class ReleaseParty(PartyReference, frozen=True):
    """An established organisation that plays a part."""

    roles: list[str]
    name_as_of: dt.date | None


class Classified(msgspec.Struct, frozen=True):
    """What is bought, in somebody's code list."""

    scheme: str | UnsetType = UNSET
    id: str | UnsetType = UNSET
    description: str | UnsetType = UNSET


class Item(msgspec.Struct, frozen=True):
    """One kind of thing that is bought."""

    id: str
    classification: Classified


class Budget(msgspec.Struct, frozen=True):
    """What is set aside."""

    amount: Value


class Planning(msgspec.Struct, frozen=True):
    """What was planned."""

    budget: Budget


class ReleaseTender(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What is asked for."""

    id: str
    title: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    status: str | UnsetType = UNSET
    procuring_entity: PartyReference | UnsetType = UNSET
    items: list[Item] | UnsetType = UNSET
    value: Value | UnsetType = UNSET
    min_value: Value | UnsetType = UNSET
    procurement_method: str | UnsetType = UNSET
    procurement_method_details: str | UnsetType = UNSET
    main_procurement_category: str | UnsetType = UNSET
    additional_procurement_categories: list[str] | UnsetType = UNSET
    category: str | UnsetType = UNSET
    tender_period: Span | UnsetType = UNSET
    enquiry_period: Span | UnsetType = UNSET
    award_period: Span | UnsetType = UNSET
    contract_period: Span | UnsetType = UNSET
    number_of_tenderers: int | UnsetType = UNSET
    tenderers: list[PartyReference] | UnsetType = UNSET


class ReleaseAward(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What was decided."""

    id: str
    title: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    status: str | UnsetType = UNSET
    date: dt.datetime | UnsetType = UNSET
    value: Value | UnsetType = UNSET
    suppliers: list[PartyReference] | UnsetType = UNSET
    contract_period: Span | UnsetType = UNSET
    joint: bool


class ReleaseContract(msgspec.Struct, frozen=True, kw_only=True):
    """What was signed."""

    id: str
    award_id: str = field(name="awardID")
    title: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    status: str | UnsetType = UNSET
    period: Span | UnsetType = UNSET
    value: Value | UnsetType = UNSET
    date_signed: dt.datetime | UnsetType = field(default=UNSET, name="dateSigned")


class ServedRelease(msgspec.Struct, frozen=True, kw_only=True):
    """One release, in the content that was known."""

    ocid: str
    id: str
    date: dt.datetime
    tag: list[str]
    initiation_type: str = field(name="initiationType")
    language: str | None
    parties: list[ReleaseParty]
    buyer: PartyReference | UnsetType = UNSET
    planning: Planning | UnsetType = UNSET
    tender: ReleaseTender | UnsetType = UNSET
    awards: list[ReleaseAward] | UnsetType = UNSET
    contracts: list[ReleaseContract] | UnsetType = UNSET
    country: str
    withheld_parties: int
    text_withheld: bool
    vintage: int
    available_at: dt.date
    available_at_basis: str
    source_ref: str
    license_class: str
    observed_at: dt.datetime
    provenance_id: str
    fact_id: str


class PlayedPart(msgspec.Struct, frozen=True):
    """An organisation in one role, in the releases of one country."""

    service_id: str
    name: str | None
    role: str
    country: str
    first_release: dt.date
    last_release: dt.date
    releases: int
    established_by: list[str]
    rule_version: str
    source_ref: str
    license_class: str
    observed_at: dt.datetime
    provenance_id: str


def _country(text: str) -> str:
    return matching(_COUNTRY, "expected an ISO 3166-1 alpha-2 code")(text).upper()


_COUNTRY_SCHEMA = {"type": "string", "pattern": f"^{_COUNTRY.pattern}$"}
PortalCountry = Annotated[
    str,
    Parameter(
        description="Country of the publishing portals, ISO 3166-1 alpha-2, any case.",
        parse=_country,
        schema={**_COUNTRY_SCHEMA, "default": "ZA"},
        example="ZA",
    ),
]
AnyPortalCountry = Annotated[
    str | None,
    Parameter(
        description="Country of the publishing portals, ISO 3166-1 alpha-2, any case. Default: all.",
        parse=_country,
        schema=_COUNTRY_SCHEMA,
        example="ZA",
    ),
]
FromDay = Annotated[
    dt.date | None,
    Parameter(
        description="Earliest day of a release, in UTC, inclusive.",
        parse=calendar_date,
        schema=DATE_SCHEMA,
        example="2024-01-01",
    ),
]
# Of the code list partyRole of OCDS. Portals may use others, which are compared as they are.
_ROLES = (
    "buyer",
    "enquirer",
    "funder",
    "interestedParty",
    "payee",
    "payer",
    "procuringEntity",
    "reviewBody",
    "supplier",
    "tenderer",
)
_ROLES_IN_ANY_CASE = {role.lower(): role for role in _ROLES}


def _role(text: str) -> str:
    role = matching(_WORD, "expected 1 to 200 printable ASCII characters")(text)
    return _ROLES_IN_ANY_CASE.get(role.lower(), role)


Role = Annotated[
    str | None,
    Parameter(
        description="Only parties in this role, as OCDS names it, in any case: buyer, procuringEntity, "
        "supplier, tenderer and others.",
        parse=_role,
        schema={"type": "string", "pattern": f"^{_WORD.pattern}$"},
        example="buyer",
    ),
]
PartyId = Annotated[
    str | None,
    Parameter(
        description="Only this organisation.",
        parse=matching(_SERVICE_ID, "expected letters and digits only"),
        schema={"type": "string", "pattern": f"^{_SERVICE_ID.pattern}$"},
        example="",
    ),
]


class TendersParams(msgspec.Struct, frozen=True, kw_only=True):
    """Which releases are asked for."""

    country: PortalCountry = "ZA"
    since: FromDay = field(default=None, name="from")
    as_of: AsOf = None
    edition: EditionNumber = None
    limit: Limit = None
    cursor: CursorText = None


class TenderPartiesParams(msgspec.Struct, frozen=True, kw_only=True):
    """Which parties are asked for."""

    country: AnyPortalCountry = None
    role: Role = None
    service_id: PartyId = None
    edition: EditionNumber = None
    limit: Limit = None
    cursor: CursorText = None
