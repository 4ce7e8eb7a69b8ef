"""The rows and parameters of reported facts."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Literal

import msgspec

from sankofa.ask.params import AsOf, CursorText, EditionNumber, Parameter, ServiceId, one_of, refuse_reversed
from sankofa.fundamentals.filters import (
    Concepts,
    EndsFrom,
    EndsTo,
    FiscalYears,
    LineItems,
    refuse_long,
)
from sankofa.fundamentals.items import ALL, STANDARD, Items

DaysRounded = Literal["start", "all"]
Revision = Literal["rescaled", "rounded", "reclassified", "corrected", "restated"]


class FundamentalsFact(msgspec.Struct, frozen=True):
    """One reported value as served: a vintage of a line item for one period."""

    service_id: str
    line_item: str
    concept: str
    value_reported: Decimal
    currency_reported: str | None
    unit: str
    scope: str
    period_start: date | None
    period_end: date
    days_rounded: DaysRounded | None
    period_type: str | None
    fiscal_year: int | None
    vintage: int
    revision: Revision | None
    previous_value: Decimal | None
    restated_on: date | None
    decimals: int | None
    available_at: date
    available_at_basis: str
    known_until: date | None
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
    """The parameters of a query for one issuer's reported facts."""

    service_id: ServiceId
    as_of: AsOf = None
    period_type: PeriodType = None
    vintages: Vintages = "latest"
    items: Items = ""
    line_item: LineItems = None
    concept: Concepts = None
    fiscal_year: FiscalYears = None
    first_end: EndsFrom = msgspec.field(default=None, name="from")
    last_end: EndsTo = msgspec.field(default=None, name="to")
    edition: EditionNumber = None
    cursor: CursorText = None

    def __post_init__(self) -> None:
        """Raise BadParameter if the days are reversed, and set the default of `items`."""
        refuse_reversed(self.first_end, self.last_end)
        refuse_long(items=self.items, line_item=self.line_item, concept=self.concept)
        named = self.line_item or self.concept
        msgspec.structs.force_setattr(self, "items", self.items or (ALL if named else STANDARD))
