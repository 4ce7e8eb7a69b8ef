"""Releases of portals, reduced to an allow-list of fields.

These structs are an allow-list (TEN-4). Contact points, addresses, persons and documents have no field here,
so no code after the parser can serve one by mistake. Parties and free texts are listed once in a release,
and everything else refers to them by their index.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import Literal

import msgspec

Day = date  # a release has a field called date
Place = int  # index in the release's list of parties or of texts, from 0

# Reasons why the free text of a release must not be served.
TextFlag = Literal["email", "telephone", "identity_number", "contact_name"]


class Money(msgspec.Struct, frozen=True):
    """A positive amount in a known currency."""

    amount: Decimal
    currency: str  # ISO 4217


class Period(msgspec.Struct, frozen=True, kw_only=True):
    """Two instants in UTC; the start is not after the end, and at least one is known."""

    start: datetime | None
    end: datetime | None


class Identifier(msgspec.Struct, frozen=True):
    """A register number of a party; the scheme is the portal's unverified statement."""

    scheme: str | None
    value: str


class Party(msgspec.Struct, frozen=True, kw_only=True):
    """A party of a release: an organisation or a person, not yet determined.

    It has a name or an identifier. `local_id` is unique only within its release.
    """

    local_id: str | None
    name: str | None
    identifiers: tuple[Identifier, ...]
    roles: tuple[str, ...]  # OCDS codes, sorted: stated, or derived from references
    scale: str | None  # as the portal states it; "selfEmployed" is a person
    country: str | None  # ISO 3166-1 alpha-2


class Classification(msgspec.Struct, frozen=True, kw_only=True):
    """A classification of the purchase in a code list."""

    scheme: str | None
    id: str | None
    description: Place | None


class Tender(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked for."""

    id: str | None
    title: Place | None
    description: Place | None
    status: str | None  # OCDS code
    value: Money | None
    min_value: Money | None
    procurement_method: str | None  # OCDS code
    procurement_method_details: Place | None
    main_category: str | None  # the portal's own text
    additional_categories: tuple[str, ...]
    portal_category: str | None  # South Africa's finer category, beside the OCDS one
    tender_period: Period | None
    enquiry_period: Period | None
    award_period: Period | None
    contract_period: Period | None
    number_of_tenderers: int | None
    classifications: tuple[Classification, ...]
    tenderers: tuple[Place, ...]
    procuring_entity: Place | None


class Award(msgspec.Struct, frozen=True, kw_only=True):
    """The award decision."""

    id: str | None
    title: Place | None
    description: Place | None
    status: str | None
    date: datetime | None
    value: Money | None
    suppliers: tuple[Place, ...]
    contract_period: Period | None
    classifications: tuple[
        Classification, ...
    ] = ()  # without descriptions; used for the category and not served


class Contract(msgspec.Struct, frozen=True, kw_only=True):
    """The signed contract."""

    id: str | None
    award_id: str | None
    title: Place | None
    description: Place | None
    status: str | None
    value: Money | None
    date_signed: datetime | None
    period: Period | None


class Body(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a release, without its identity."""

    tags: tuple[str, ...]  # OCDS codes
    initiation_type: str
    language: str | None
    buyer: Place | None
    tender: Tender | None
    budget: Money | None
    awards: tuple[Award, ...]
    contracts: tuple[Contract, ...]


class Release(Body, frozen=True, kw_only=True):
    """One release in one document. Its content is its identity; its location is not."""

    ocid: str
    id: str
    date: datetime | None  # UTC; None if the publisher's is missing or impossible
    day: Day | None  # the later of that instant's day as written and in UTC (ENV-15)
    parties: tuple[Party, ...]
    texts: tuple[str, ...]  # titles and descriptions: free text, without duplicates
    text_flags: tuple[TextFlag, ...]  # sorted; not empty: the free text must not be served

    def ids(self) -> Iterator[str]:
        """Yield every id that the release is served with; portals make some from names."""
        yield self.ocid
        yield self.id
        parts = (self.tender, *self.awards, *self.contracts)
        yield from (part.id for part in parts if part is not None and part.id is not None)
        yield from (contract.award_id for contract in self.contracts if contract.award_id is not None)
