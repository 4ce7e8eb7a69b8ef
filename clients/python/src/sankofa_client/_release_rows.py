"""Releases of tenders, as OCDS nests them.

Made by `generate.py` from the service's OpenAPI page: do not edit.
"""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import msgspec


class ReleaseParty(msgspec.Struct, frozen=True, kw_only=True):
    """An established organisation that plays a part."""

    id: str
    name: str | None
    service_id: str
    roles: list[str]
    name_as_of: dt.date | None


class PartyReference(msgspec.Struct, frozen=True, kw_only=True):
    """An established organisation that somebody points at; `parties` lists it."""

    id: str
    name: str | None
    service_id: str


class Value(msgspec.Struct, frozen=True, kw_only=True):
    """An amount of money."""

    amount: Decimal
    currency: str


class Budget(msgspec.Struct, frozen=True, kw_only=True):
    """What is set aside."""

    amount: Value


class Planning(msgspec.Struct, frozen=True, kw_only=True):
    """What was planned."""

    budget: Budget


class Classified(msgspec.Struct, frozen=True, kw_only=True):
    """What is bought, in somebody's code list."""

    scheme: str | None = None
    id: str | None = None
    description: str | None = None


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of thing that is bought."""

    id: str
    classification: Classified


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """A period of time, as far as it is known."""

    startDate: dt.datetime | None = None
    endDate: dt.datetime | None = None


class ReleaseTender(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked for."""

    id: str
    title: str | None = None
    description: str | None = None
    status: str | None = None
    procuringEntity: PartyReference | None = None
    items: list[Item] | None = None
    value: Value | None = None
    minValue: Value | None = None
    procurementMethod: str | None = None
    procurementMethodDetails: str | None = None
    mainProcurementCategory: str | None = None
    additionalProcurementCategories: list[str] | None = None
    category: str | None = None
    tenderPeriod: Span | None = None
    enquiryPeriod: Span | None = None
    awardPeriod: Span | None = None
    contractPeriod: Span | None = None
    numberOfTenderers: int | None = None
    tenderers: list[PartyReference] | None = None


class ReleaseAward(msgspec.Struct, frozen=True, kw_only=True):
    """What was decided."""

    id: str
    title: str | None = None
    description: str | None = None
    status: str | None = None
    date: dt.datetime | None = None
    value: Value | None = None
    suppliers: list[PartyReference] | None = None
    contractPeriod: Span | None = None
    joint: bool


class ReleaseContract(msgspec.Struct, frozen=True, kw_only=True):
    """What was signed."""

    id: str
    awardID: str
    title: str | None = None
    description: str | None = None
    status: str | None = None
    period: Span | None = None
    value: Value | None = None
    dateSigned: dt.datetime | None = None


class ServedRelease(msgspec.Struct, frozen=True, kw_only=True):
    """One release, in the content that was known."""

    ocid: str
    id: str
    date: dt.datetime
    tag: list[str]
    initiationType: str
    language: str | None
    parties: list[ReleaseParty]
    buyer: PartyReference | None = None
    planning: Planning | None = None
    tender: ReleaseTender | None = None
    awards: list[ReleaseAward] | None = None
    contracts: list[ReleaseContract] | None = None
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
    initiationType: str
    language: str | None
    parties: list[ReleaseParty]
    buyer: PartyReference | None = None
    planning: Planning | None = None
    tender: ReleaseTender | None = None
    awards: list[ReleaseAward] | None = None
    contracts: list[ReleaseContract] | None = None
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
