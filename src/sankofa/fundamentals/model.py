"""The words of the domain: filings as sources write them."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Literal, NamedTuple

import msgspec

CONSOLIDATED = "consolidated"

Basis = Literal["filing", "publisher", "first_seen"]


class FiledFact(NamedTuple):
    """One value of one filing, under the source's own concept. `value` None means: reported as nil."""

    concept: str  # taxonomy and tag: "ifrs-full:Revenue"
    period_start: date | None  # None for an instant
    period_end: date
    unit: str  # "USD", "shares", "USD/shares", "pure"
    scope: str
    value: Decimal | None
    decimals: int | None  # stated precision: -3 is "to the thousand"; None where the source gives none


class FiscalDeclaration(NamedTuple):
    """The place of a filing in the fiscal year, as the source writes it."""

    fiscal_year: int | None  # as the filer counts
    fiscal_period: str | None  # FY, Q1, Q2, Q3, H1 …
    fiscal_year_end: str | None = None  # month and day: "0930"


class Filing(msgspec.Struct, frozen=True, kw_only=True):
    """One filing as a document holds it; a document may hold only some of its facts."""

    subject: str  # scheme and value, as the source names the filer: "cik:0000320193", "lei:529900…"
    subject_name: str | None
    subject_home: str | None = None  # ISO 3166-1 alpha-2 or 3166-2, where the source has it
    subject_industry: str | None = None  # its Standard Industrial Classification, where the source has it
    number: str  # the regulator's filing number, else the repository's, else one made of the document
    form: str | None
    filed: date  # the regulator's local day, or the day that `basis` names in its place
    accepted_at: datetime | None  # UTC, where the source has it
    report_period: date | None  # the end of the filing's own period, where the source has it
    facts: list[FiledFact]
    is_rounded: bool = False  # the source rounds the days of all periods to the ends of months
    true_end: date | None = None  # the day that rounds to `report_period`, where the source has it
    basis: Basis = "filing"  # what evidences the day
    declared: FiscalDeclaration = FiscalDeclaration(None, None)
