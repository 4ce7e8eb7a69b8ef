"""The rows that tell of the data.

Made by `generate.py` from the service's OpenAPI page: do not edit.
"""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import msgspec

from sankofa_client._measured import Measured, WithMeasured


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """One stored row of a fact, with the hashes that lead to the root of the edition that sealed it."""

    table: str
    columns: list[str]
    row: str
    path: list[str]
    line: str
    line_path: list[str]
    edition: int
    root: str
    signature: str | None
    public_key: str | None


class CatalogEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that can be asked for."""

    key: str
    definition: str | None
    unit: str | None
    formula: str | None
    aliases: list[str]
    coverage: dict[str, Any]
    first_date: dt.date | None
    last_date: dt.date | None
    license_class: str | None
    mapped_facts: Decimal | None = None


class QualityMetric(WithMeasured, frozen=True, kw_only=True):
    """One number that was measured of a dataset, or was not."""

    sku: str
    measure: str
    value: Measured
    floor: Decimal | None
    status: str
    unit: str
    measured_at: dt.datetime | None
    methodology_ref: str
    source_ref: str | None
    license_class: str | None
    observed_at: dt.datetime | None


class Takedown(msgspec.Struct, frozen=True, kw_only=True):
    """That something was taken down while an edition was current; never what."""

    takedown: int
    taken_down_at: dt.datetime
    rows_removed: int


class PublishedEdition(msgspec.Struct, frozen=True, kw_only=True):
    """One publish of everything servable."""

    edition: int
    mark: str
    published_at: dt.datetime
    digest: str | None
    signature: str | None
    public_key: str | None
    datasets: dict[str, Any]
    takedowns: list[Takedown]


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One row that an edition put or removed; of a removed one, only which it is."""

    edition: int
    change: str
    reason: str
    dataset: str
    row_id: int
    fact_id: str | None
    service_id: str | None
    country_iso3: str | None = None
    measure: str | None = None
    value: Decimal | None = None
    unit: str | None = None
    scope: str | None = None
    period_start: dt.date | None = None
    period_end: dt.date | None = None
    period_type: str | None = None
    fiscal_year: int | None = None
    reported_as: str | None = None
    vintage: int | None = None
    available_at: dt.date | None = None
    available_at_basis: str | None = None
    known_until: dt.date | None = None
    source_ref: str | None = None
    license_class: str | None = None
    observed_at: dt.datetime | None = None
    extraction_confidence: Decimal | None = None
    method: str | None = None
    provenance_id: str | None = None
    labelled_from: dt.date | None = None
    labelled_until: dt.date | None = None
    revision: str | None = None
    decimals: int | None = None
    accepted_at: dt.datetime | None = None
    form: str | None = None
    filing_id: str | None = None
    first_filing_held: bool | None = None
    days_rounded: str | None = None
    joint: bool | None = None


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """One value that two days know differently: as it stood on the first, and as it stands on the second."""

    service_id: str
    line_item: str
    change: str
    period_start: dt.date | None
    period_end: dt.date
    period_type: str | None
    fiscal_year: int | None
    unit: str
    currency_reported: str | None
    scope: str
    old_value: Decimal | None
    old_vintage: int | None
    old_available_at: dt.date | None
    old_source_ref: str | None
    old_license_class: str | None
    old_observed_at: dt.datetime | None
    old_fact_id: str | None
    new_value: Decimal | None
    new_vintage: int | None
    new_available_at: dt.date | None
    new_source_ref: str | None
    new_license_class: str | None
    new_observed_at: dt.datetime | None
    new_fact_id: str | None
    source_ref: str
    license_class: str
    observed_at: dt.datetime


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """A column of a file."""

    name: str
    type: str
    description: str


class Artifact(msgspec.Struct, frozen=True, kw_only=True):
    """One file, whole and never changed: Parquet, or the metadata of an Iceberg table over such files."""

    name: str
    sku: str | None
    table: str | None
    panel: str | None
    signal_key: str | None
    kind: str
    edition: int
    first_edition: int
    last_edition: int
    license_class: str
    rows: int
    bytes: int
    sha256: str
    schema: list[Column]
    access: str
    url: str
    latest_url: str | None
