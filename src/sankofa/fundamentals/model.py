"""The words of the domain: filings as sources write them, facts as the service serves them."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Literal, NamedTuple

import msgspec

from sankofa.ask.params import AsOf, CursorText, EditionNumber, Parameter, ServiceId, one_of

CONSOLIDATED = "consolidated"

Basis = Literal["filing", "publisher", "first_seen"]
Revision = Literal["rescaled", "rounded", "reclassified", "corrected", "restated"]


class FiledFact(NamedTuple):
    """One value of one filing, under the source's own concept. `value` None says: reported as nil."""

    concept: str  # taxonomy and tag: "ifrs-full:Revenue"
    period_start: date | None  # None for an instant
    period_end: date
    unit: str  # "USD", "shares", "USD/shares", "pure"
    scope: str
    value: Decimal | None
    decimals: int | None  # stated precision: -3 is "to the thousand"; None where the source gives none


class FiscalDeclaration(NamedTuple):
    """What a filing says about its place in the fiscal year, as the source writes it."""

    fiscal_year: int | None  # as the filer counts
    fiscal_period: str | None  # FY, Q1, Q2, Q3, H1 …
    fiscal_year_end: str | None = None  # month and day: "0930"


class Filing(msgspec.Struct, frozen=True, kw_only=True):
    """One filing as a document holds it; a document may hold only some of its facts."""

    subject: str  # scheme and value, as the source names the filer: "cik:0000320193", "lei:529900…"
    subject_name: str | None
    number: str  # the regulator's filing number, else the repository's, else one made of the document
    form: str | None
    filed: date  # the regulator's local day, or what `basis` says in its place
    accepted_at: datetime | None  # UTC, where the source has it
    report_period: date | None  # the period end the filing states as its own, where the source has it
    facts: list[FiledFact]
    basis: Basis = "filing"  # what evidences the day
    declared: FiscalDeclaration = FiscalDeclaration(None, None)


class FundamentalsFact(msgspec.Struct, frozen=True):
    """One reported value as served: a vintage of a line item for one period."""

    service_id: str
    line_item: str
    value_reported: Decimal
    currency_reported: str | None
    unit: str
    scope: str
    period_start: date | None
    period_end: date
    period_type: str | None
    fiscal_year: int | None
    vintage: int
    revision: Revision | None
    decimals: int | None
    available_at: date
    available_at_basis: str
    accepted_at: datetime | None
    form: str | None
    filing_id: str | None
    reported_as: Literal["own", "comparative"]
    first_filing_held: bool | None
    source_ref: str
    license_class: str
    observed_at: datetime
    extraction_confidence: Decimal | None
    method: str
    provenance_id: str
    fact_id: str


PeriodType = Annotated[
    str | None,
    Parameter(
        description="Only periods of this type, any case.",
        parse=one_of("FY", "H1", "H2", "Q1", "Q2", "Q3", "Q4", "9M", "TTM", fold=True),
        schema={"type": "string", "pattern": "^([Ff][Yy]|[Hh][12]|[Qq][1-4]|9[Mm]|[Tt][Tt][Mm])$"},
        example="FY",
    ),
]
Vintages = Annotated[
    Literal["latest", "as_reported", "all"],
    Parameter(
        description=(
            "latest: the latest vintage knowable by as_of; as_reported: the value as first filed; all: every "
            "vintage knowable by as_of."
        ),
        parse=one_of("latest", "as_reported", "all"),
        schema={"type": "string", "enum": ["latest", "as_reported", "all"], "default": "latest"},
        example="all",
    ),
]


class FundamentalsParams(msgspec.Struct, frozen=True, kw_only=True):
    """What can be asked about one issuer's reported facts."""

    service_id: ServiceId
    as_of: AsOf = None
    period_type: PeriodType = None
    vintages: Vintages = "latest"
    edition: EditionNumber = None
    cursor: CursorText = None
