"""Rows of tenders: the allow-list of served fields (TEN-4), in the shape of OCDS 1.1.

Unknown values are left out, as OCDS requires; our own additional fields are always present.
"""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import msgspec
from msgspec import UNSET, UnsetType, field


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
    process_title: str | None
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


class TimelineRelease(msgspec.Struct, frozen=True, kw_only=True):
    """One release of a process, as it was known."""

    id: str
    date: dt.datetime
    tag: list[str]
    withheld_parties: int
    text_withheld: bool
    vintage: int
    available_at: dt.date
    available_at_basis: str
    source_ref: str
    provenance_id: str
    fact_id: str


class ServedProcess(msgspec.Struct, frozen=True, kw_only=True):
    """A contracting process: what its releases say together, and the releases."""

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
    releases: int
    is_complete: bool
    timeline: list[TimelineRelease]
    available_at: dt.date
    available_at_basis: str
    source_ref: str
    license_class: str
    observed_at: dt.datetime
    provenance_id: str


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
