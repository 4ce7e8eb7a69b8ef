"""The rows of all other endpoints.

Made by `generate.py` from the service's OpenAPI page: do not edit.
"""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import msgspec


class FundamentalsFact(msgspec.Struct, frozen=True, kw_only=True):
    """One reported value as served: a vintage of a line item for one period."""

    service_id: str
    line_item: str
    concept: str
    value_reported: Decimal
    currency_reported: str | None
    unit: str
    scope: str
    period_start: dt.date | None
    period_end: dt.date
    days_rounded: str | None
    period_type: str | None
    fiscal_year: int | None
    vintage: int
    revision: str | None
    previous_value: Decimal | None
    restated_on: dt.date | None
    decimals: int | None
    available_at: dt.date
    available_at_basis: str
    known_until: dt.date | None
    accepted_at: dt.datetime | None
    form: str | None
    filing_id: str | None
    reported_as: str
    first_filing_held: bool | None
    source_ref: str
    license_class: str
    observed_at: dt.datetime
    extraction_confidence: Decimal | None
    method: str
    provenance_id: str
    fact_id: str


class FormerName(msgspec.Struct, frozen=True, kw_only=True):
    """A name that an organisation no longer has, and the days on which it was the last one known."""

    name: str
    since: dt.date | None
    until: dt.date
    source_ref: str


class Industry(msgspec.Struct, frozen=True, kw_only=True):
    """What an organisation does, by a classification, and the days on which that was the last one known."""

    scheme: str
    code: str
    since: dt.date
    until: dt.date | None


class Organisation(msgspec.Struct, frozen=True, kw_only=True):
    """One organisation, and by what evidence it is known to be one."""

    service_id: str
    legal_name: str | None
    name_as_of: dt.date | None
    former_names: list[FormerName]
    industries: list[Industry]
    jurisdiction: str | None
    lei: str | None
    lei_status: str | None
    status: str
    established_by: list[str]
    rule_version: str
    source_ref: str
    license_class: str
    observed_at: dt.datetime
    provenance_id: str


class NamedOrganisation(msgspec.Struct, frozen=True, kw_only=True):
    """An organisation that a search found, and what about it matched; its place is kept beside the fields."""

    service_id: str
    legal_name: str | None
    jurisdiction: str | None
    lei: str | None
    kind: str
    matched: str
    matched_text: str
    since: dt.date | None
    until: dt.date | None
    source_ref: str
    license_class: str
    observed_at: dt.datetime
    provenance_id: str


class Issuer(msgspec.Struct, frozen=True, kw_only=True):
    """An organisation that had filed accounts by a day, as it was known then."""

    service_id: str
    legal_name: str | None
    name_as_of: dt.date | None
    country: str | None
    industry: str | None
    tickers: list[str]
    former_tickers: list[str]
    first_filed: dt.date
    last_filed: dt.date
    filings: int
    source_ref: str
    license_class: str
    observed_at: dt.datetime
    provenance_id: str


class HeldIdentifier(msgspec.Struct, frozen=True, kw_only=True):
    """One identifier of an organisation that holds today."""

    service_id: str
    id_type: str
    id_value: str
    issuer: str | None
    evidence: str
    available_at: dt.date
    valid_from: dt.date | None
    source_ref: str
    license_class: str
    observed_at: dt.datetime
    provenance_id: str


class IdentifiedOrganisation(msgspec.Struct, frozen=True, kw_only=True):
    """An organisation that an outside identifier belongs to."""

    service_id: str
    legal_name: str | None
    id_type: str
    id_value: str
    issuer: str | None
    evidence: str
    available_at: dt.date
    source_ref: str
    license_class: str
    observed_at: dt.datetime
    provenance_id: str


class PlayedPart(msgspec.Struct, frozen=True, kw_only=True):
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


class AnnualValue(msgspec.Struct, frozen=True, kw_only=True):
    """One year of an indicator, as its publisher states it in the newest document."""

    country_iso2: str | None
    country_iso3: str | None
    aggregate: str | None
    indicator: str
    indicator_name: str | None
    year: int
    value: Decimal
    unit: str | None
    available_at: dt.date | None
    available_at_basis: str | None
    source_ref: str
    license_class: str
    observed_at: dt.datetime
    provenance_id: str
    fact_id: str


class SeriesValue(msgspec.Struct, frozen=True, kw_only=True):
    """One observation of a series: a vintage that was known."""

    series: str
    series_type: str
    frequency: str
    country_iso2: str | None
    country_iso3: str | None
    aggregate: str | None
    date: dt.date
    value: Decimal
    unit: str | None
    vintage: int
    available_at: dt.date
    available_at_basis: str
    known_until: dt.date | None
    source_ref: str
    license_class: str
    observed_at: dt.datetime
    provenance_id: str
    fact_id: str


class SharedFact(msgspec.Struct, frozen=True, kw_only=True):
    """One value of one organisation or country, in its latest vintage."""

    fact_id: str
    entity_id: str
    entity_name: str | None
    name_as_of: dt.date | None
    country_iso3: str | None
    dataset: str
    measure: str
    value: Decimal
    unit: str | None
    period_end: dt.date
    period_type: str | None
    available_at: dt.date | None
    available_at_basis: str | None
    vintage: int
    provenance_id: str
    source_ref: str
    license_class: str
    extraction_confidence: Decimal | None
    observed_at: dt.datetime
    method: str
    joint: bool | None


class PanelFact(msgspec.Struct, frozen=True, kw_only=True):
    """One reported value of an issuer, with name and country as known on the day."""

    service_id: str
    line_item: str
    concept: str
    value_reported: Decimal
    currency_reported: str | None
    unit: str
    scope: str
    period_start: dt.date | None
    period_end: dt.date
    days_rounded: str | None
    period_type: str | None
    fiscal_year: int | None
    vintage: int
    revision: str | None
    previous_value: Decimal | None
    restated_on: dt.date | None
    decimals: int | None
    available_at: dt.date
    available_at_basis: str
    known_until: dt.date | None
    accepted_at: dt.datetime | None
    form: str | None
    filing_id: str | None
    reported_as: str
    first_filing_held: bool | None
    source_ref: str
    license_class: str
    observed_at: dt.datetime
    extraction_confidence: Decimal | None
    method: str
    provenance_id: str
    fact_id: str
    legal_name: str | None
    name_as_of: dt.date | None
    country: str | None


class Filing(msgspec.Struct, frozen=True, kw_only=True):
    """One filing of one issuer."""

    service_id: str
    legal_name: str | None
    name_as_of: dt.date | None
    country: str | None
    filing_id: str
    form: str | None
    accepted_at: dt.datetime | None
    available_at: dt.date
    available_at_basis: str
    facts: int
    changed_values: int
    source_url: str | None
    source_ref: str
    license_class: str
    observed_at: dt.datetime
    provenance_id: str


class FactVersion(msgspec.Struct, frozen=True, kw_only=True):
    """A vintage of the value that a fact is of."""

    service_id: str
    line_item: str
    concept: str
    value_reported: Decimal
    currency_reported: str | None
    unit: str
    scope: str
    period_start: dt.date | None
    period_end: dt.date
    days_rounded: str | None
    period_type: str | None
    fiscal_year: int | None
    vintage: int
    revision: str | None
    previous_value: Decimal | None
    restated_on: dt.date | None
    decimals: int | None
    available_at: dt.date
    available_at_basis: str
    known_until: dt.date | None
    accepted_at: dt.datetime | None
    form: str | None
    filing_id: str | None
    reported_as: str
    first_filing_held: bool | None
    source_ref: str
    license_class: str
    observed_at: dt.datetime
    extraction_confidence: Decimal | None
    method: str
    provenance_id: str
    fact_id: str
    source_url: str | None
    map_version: str
    used_by: list[str]


class RankedValue(msgspec.Struct, frozen=True, kw_only=True):
    """The same among all issuers; its exact place in the order is kept beside the fields, for the cursor."""

    rank: int
    service_id: str
    legal_name: str | None
    name_as_of: dt.date | None
    country: str | None
    metric: str
    value: Decimal
    fiscal_year: int | None
    period_end: dt.date
    period_age_days: int
    as_of: dt.date
    published_at: dt.date
    exact_from: dt.date | None
    revised_later: bool
    inputs: list[str]
    methodology_ref: str
    source_ref: str
    license_class: str
    observed_at: dt.datetime


class MetricValue(msgspec.Struct, frozen=True, kw_only=True):
    """A metric of an issuer for a full year that was published by `as_of`."""

    service_id: str
    legal_name: str | None
    name_as_of: dt.date | None
    country: str | None
    metric: str
    value: Decimal
    fiscal_year: int | None
    period_end: dt.date
    period_age_days: int
    as_of: dt.date
    published_at: dt.date
    exact_from: dt.date | None
    revised_later: bool
    inputs: list[str]
    methodology_ref: str
    source_ref: str
    license_class: str
    observed_at: dt.datetime
