"""Parameters and rows of changes: put and removed rows, and differences between two days."""

from __future__ import annotations

import re
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Literal, get_args

import msgspec

from sankofa.ask.params import (
    LAST_EDITION,
    AnyServiceId,
    CursorText,
    Day,
    EditionNumber,
    Limit,
    Parameter,
    one_of,
    organisation,
    refuse_reversed,
)
from sankofa.core.errors import BadParameter
from sankofa.datasets import SKUS, SoldName, either
from sankofa.fundamentals.dataset import DATASET as FUNDAMENTALS
from sankofa.fundamentals.items import STANDARD, Items
from sankofa.fundamentals.served import DaysRounded, Revision
from sankofa.macro.served import ExactValue

Reason = Literal["added", "restated", "renumbered", "corrected", "merged", "withdrawn"]
REASONS: tuple[Reason, ...] = get_args(Reason)
# The tables of the feed.
TABLES = {sku: dataset.facts.name for sku, dataset in SKUS.items() if dataset.facts}

_NUMBER = re.compile(r"0|[1-9][0-9]{0,9}")


class Change(msgspec.Struct, frozen=True):
    """One row that an edition put or removed; of a removed one, only which it is."""

    edition: int
    change: Literal["remove", "put"]
    reason: Reason
    dataset: Annotated[SoldName, msgspec.Meta(description=f"The dataset of the row: {either(SKUS)}.")]
    row_id: int
    fact_id: str | None
    service_id: str | None
    country_iso3: str | None = None
    measure: str | None = None
    value: ExactValue | None = None
    unit: str | None = None
    scope: str | None = None
    period_start: date | None = None
    period_end: date | None = None
    period_type: str | None = None
    fiscal_year: int | None = None
    reported_as: str | None = None
    vintage: int | None = None
    available_at: date | None = None
    available_at_basis: str | None = None
    known_until: date | None = None
    source_ref: str | None = None
    license_class: str | None = None
    observed_at: datetime | None = None
    extraction_confidence: Decimal | None = None
    method: str | None = None
    provenance_id: str | None = None
    labelled_from: date | None = None
    labelled_until: date | None = None
    revision: Revision | None = None
    decimals: int | None = None
    accepted_at: datetime | None = None
    form: str | None = None
    filing_id: str | None = None
    first_filing_held: bool | None = None
    days_rounded: DaysRounded | None = None
    joint: bool | None = None


class Difference(msgspec.Struct, frozen=True):
    """One value that two days know differently: as it stood on the first, and as it stands on the second."""

    service_id: str
    line_item: str
    change: Literal["added", "restated", "withdrawn"]
    period_start: date | None
    period_end: date
    period_type: str | None
    fiscal_year: int | None
    unit: str
    currency_reported: str | None
    scope: str
    old_value: Decimal | None
    old_vintage: int | None
    old_available_at: date | None
    old_source_ref: str | None
    old_license_class: str | None
    old_observed_at: datetime | None
    old_fact_id: str | None
    new_value: Decimal | None
    new_vintage: int | None
    new_available_at: date | None
    new_source_ref: str | None
    new_license_class: str | None
    new_observed_at: datetime | None
    new_fact_id: str | None
    source_ref: str
    license_class: str
    observed_at: datetime


def _since(text: str) -> int:
    if not _NUMBER.fullmatch(text) or int(text) > LAST_EDITION:
        raise ValueError("expected the number of a published edition, or 0 for all changes there are")
    return int(text)


Since = Annotated[
    int,
    Parameter(
        description="Changes after this edition: the one whose rows you hold, or 0 if you hold none.",
        parse=_since,
        schema={"type": "integer", "minimum": 0, "maximum": LAST_EDITION, "default": 0},
        example="0",
    ),
]
DatasetName = Annotated[
    SoldName | None,
    Parameter(
        description="Only rows of this dataset.",
        parse=one_of(*TABLES),
        schema={"type": "string", "enum": list(TABLES)},
        example=FUNDAMENTALS.name,
    ),
]
ReasonName = Annotated[
    Reason | None,
    Parameter(
        description="Only changes for this reason: to look at, since who follows needs them all.",
        parse=one_of(*REASONS),
        schema={"type": "string", "enum": list(REASONS)},
        example="added",
    ),
]
IssuerId = Annotated[
    str | None,
    organisation(
        f"Only rows of {FUNDAMENTALS.name} that are this id's own. Compared exactly: a merge "
        "removes the old id's rows and puts them for the surviving id."
    ),
]


class ChangesParams(msgspec.Struct, frozen=True, kw_only=True):
    """Parameters of the feed: first edition, last edition, and filters."""

    since: Since = 0
    dataset: DatasetName = None
    reason: ReasonName = None
    service_id: IssuerId = None
    edition: EditionNumber = None
    limit: Limit = None
    cursor: CursorText = None

    def __post_init__(self) -> None:
        if self.service_id is not None and self.dataset not in (None, FUNDAMENTALS.name):
            raise BadParameter(
                "dataset", f"with service_id, expected {FUNDAMENTALS.name}: other rows are no issuer's own"
            )


class DiffParams(msgspec.Struct, frozen=True, kw_only=True):
    """One issuer on two days."""

    service_id: AnyServiceId
    from_as_of: Day
    to_as_of: Day
    items: Items = STANDARD
    edition: EditionNumber = None
    cursor: CursorText = None

    def __post_init__(self) -> None:
        refuse_reversed(self.from_as_of, self.to_as_of, ("from_as_of", "to_as_of"))
