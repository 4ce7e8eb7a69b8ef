"""The words of the domain: releases as portals publish them, reduced to what may ever be used.

These structs are an allow-list (TEN-4). A contact point, an address, a person, a document has no field
here, so nothing behind the parser can serve one by mistake. Parties and free texts are listed once in a
release, and everything else points at them by their place in those lists.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import Literal

import msgspec

Day = date  # a release has a field called date
Place = int  # in the release's list of parties or of texts, from 0

# Why the free text of a release must not be served.
TextFlag = Literal["email", "telephone", "identity_number", "contact_name"]


class Money(msgspec.Struct, frozen=True):
    """An amount that is known, above zero, in a currency that is known."""

    amount: Decimal
    currency: str  # ISO 4217


class Period(msgspec.Struct, frozen=True, kw_only=True):
    """Two instants in UTC; the start is not after the end, and at least one is known."""

    start: datetime | None
    end: datetime | None


class Identifier(msgspec.Struct, frozen=True):
    """A number under which a register knows a party; the scheme is the portal's word, unproven."""

    scheme: str | None
    value: str


class Party(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody named in a release, an organisation or a person: nothing here says which.

    It has a name or an identifier. `local_id` means something inside its release only.
    """

    local_id: str | None
    name: str | None
    identifiers: tuple[Identifier, ...]
    roles: tuple[str, ...]  # OCDS codes, sorted: stated, or shown by who points here
    scale: str | None  # as the portal states it; "selfEmployed" is a person
    country: str | None  # ISO 3166-1 alpha-2


class Classification(msgspec.Struct, frozen=True, kw_only=True):
    """What is bought, in somebody's code list."""

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
    main_category: str | None  # the portal's own word
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
    """What was decided."""

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
    ] = ()  # without descriptions; they tell a category and are not served


class Contract(msgspec.Struct, frozen=True, kw_only=True):
    """What was signed."""

    id: str | None
    award_id: str | None
    title: Place | None
    description: Place | None
    status: str | None
    value: Money | None
    date_signed: datetime | None
    period: Period | None


class Body(msgspec.Struct, frozen=True, kw_only=True):
    """What a release says, apart from who and what it is."""

    tags: tuple[str, ...]  # OCDS codes
    initiation_type: str
    language: str | None
    buyer: Place | None
    tender: Tender | None
    budget: Money | None
    awards: tuple[Award, ...]
    contracts: tuple[Contract, ...]


class Release(Body, frozen=True, kw_only=True):
    """One release as one document holds it. What it says is its identity; where it stood is not."""

    ocid: str
    id: str
    date: datetime | None  # UTC; None where the publisher's is missing or cannot be true
    day: Day | None  # the later of that instant's day as written and in UTC (ENV-15)
    parties: tuple[Party, ...]
    texts: tuple[str, ...]  # titles, descriptions: what somebody wrote freely, each once
    text_flags: tuple[TextFlag, ...]  # sorted; not empty: the free text must not be served

    def ids(self) -> Iterator[str]:
        """Yield every id that the release is served with; portals make some from names."""
        yield self.ocid
        yield self.id
        parts = (self.tender, *self.awards, *self.contracts)
        yield from (part.id for part in parts if part is not None and part.id is not None)
        yield from (contract.award_id for contract in self.contracts if contract.award_id is not None)
