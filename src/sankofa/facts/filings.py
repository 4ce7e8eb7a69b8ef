"""Filings of issuers, the newest first."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Annotated

import msgspec

from sankofa.ask.cursor import Scalar
from sankofa.ask.endpoint import Found, Page
from sankofa.ask.params import (
    DATE_SCHEMA,
    AsOf,
    CursorText,
    EditionNumber,
    Limit,
    Parameter,
    calendar_date,
    matching,
    organisation,
    refuse_reversed,
)
from sankofa.metrics.served import IssuerCountry
from sankofa.storage.queries import named
from sankofa.storage.reading import Reader

_FORM = re.compile(r"[ -~]{1,40}")
_VARIANTS: tuple[str | None, ...] = (None, "of_country", "of_form", "of_issuer")
_SQL = {
    variant: named(__package__, "filings.sql", *([variant] if variant else []))["filings"]
    for variant in _VARIANTS
}


class Filing(msgspec.Struct, frozen=True):
    """One filing of one issuer."""

    service_id: str
    legal_name: str | None
    name_as_of: date | None
    country: str | None
    filing_id: str
    form: str | None
    accepted_at: datetime | None
    available_at: date
    available_at_basis: str
    facts: int
    changed_values: int
    source_url: str | None
    source_ref: str
    license_class: str
    observed_at: datetime
    provenance_id: str


Since = Annotated[
    date | None,
    Parameter(
        description="Only filings that became public on this day or later.",
        parse=calendar_date,
        schema=DATE_SCHEMA,
        example="2023-01-01",
    ),
]
Until = Annotated[
    date | None,
    Parameter(
        description="Only filings that became public on this day or earlier.",
        parse=calendar_date,
        schema=DATE_SCHEMA,
        example="2023-12-31",
    ),
]
Form = Annotated[
    str | None,
    Parameter(
        description="Only this form type, such as 10-K or 20-F. Compared exactly.",
        parse=matching(_FORM, "expected 1 to 40 characters of ASCII"),
        schema={"type": "string", "pattern": f"^{_FORM.pattern}$"},
        example="20-F",
    ),
]
FilingCountry = Annotated[
    str | None,
    Parameter(
        description="Only filings of issuers of this jurisdiction, as known on the day of the filing: "
        "ISO 3166-1 alpha-2 or alpha-3, any case.",
        parse=IssuerCountry.__metadata__[0].parse,
        schema=IssuerCountry.__metadata__[0].schema,
        example="KE",
    ),
]
Filer = Annotated[str | None, organisation("Only filings of this issuer.")]


class FilingsParams(msgspec.Struct, frozen=True, kw_only=True):
    """The filters of filings: by days, form, country or issuer."""

    since: Since = None
    until: Until = None
    form: Form = None
    country: FilingCountry = None
    service_id: Filer = None
    as_of: AsOf = None
    edition: EditionNumber = None
    limit: Limit = None
    cursor: CursorText = None

    def __post_init__(self) -> None:
        refuse_reversed(self.since, self.until, ("since", "until"))

    @property
    def variant(self) -> str | None:
        """The variant of the statement for these filters: the one that skips the fewest rows."""
        return (
            "of_issuer"
            if self.service_id
            else "of_country"
            if self.country
            else "of_form"
            if self.form
            else None
        )


def place_of_filing(filing: Filing) -> tuple[Scalar, ...]:
    """Return a filing's place in the order."""
    return filing.available_at.isoformat(), filing.filing_id, filing.service_id


async def filings(reader: Reader, params: FilingsParams, page: Page) -> Found:
    """Return the filings that match the filters and were available on a day, the newest first."""
    day = page.knowable(params.as_of)
    until, filing_id, service_id = page.after or (params.until or date.max, "", "")
    rows = await reader.fetch(
        _SQL[params.variant],
        {
            "edition": page.edition.number,
            "day": day,
            "since": params.since or date.min,
            "until": until,
            "after_filing_id": filing_id,
            "after_service_id": service_id,
            "form": params.form,
            "country": params.country,
            "service_id": params.service_id,
            "rows": page.rows + 1,
        },
        edition=page.edition,
    )
    return Found(rows=[Filing(*row) for row in rows], as_of=day)
