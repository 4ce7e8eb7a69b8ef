"""Records of sources about organisations."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal, NamedTuple

import msgspec

IdType = Literal["lei", "ticker", "registry", "aggregator", "isin", "figi"]
Status = Literal["active", "inactive", "unknown"]


class Identifier(NamedTuple):
    """One identifier that a source claims for an organisation."""

    id_type: IdType
    issuer: str  # the registry or exchange it is unique in; empty where the type is unique worldwide
    value: str  # as the source writes it
    valid_from: date | None = None
    valid_to: date | None = None  # the day it was retired; None while it holds


class OrganisationRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The record of one organisation in one document: a vintage."""

    subject: str  # scheme and value, as the source names it: "lei:529900…", "ticker:XNAI:SCOM"
    legal_name: str
    jurisdiction: str | None  # ISO 3166-1 alpha-2 or 3166-2
    status: Status
    identifiers: tuple[Identifier, ...]
    # Other statements of the source that the check uses, as word:value: "lei_record:GENERAL",
    # "legal_form:8888", "listed:XNAI", "role:buyer", "scale:selfEmployed".
    marks: tuple[str, ...]
    duplicate_of: str | None  # the subject that survives, where the source states a duplicate
    stated_at: datetime  # UTC: the source's own time of this vintage, else when it was fetched
    available_at: date
    available_at_basis: Literal["filing", "publisher", "first_seen"]
    # A release only mentions a party: it replaces no other mention and has no time of its own.
    is_mention: bool = False
