"""The universe: the organisations that had filed accounts by a day, including those that no longer exist."""

from __future__ import annotations

import re
from datetime import date, datetime
from functools import cache
from typing import Annotated

import msgspec

from sankofa.ask.cursor import Scalar
from sankofa.ask.endpoint import Endpoint, Found, Page
from sankofa.ask.params import AsOf, CursorText, EditionNumber, Limit, Parameter, matching
from sankofa.ask.reads import Reads
from sankofa.entities.served import Country, exchange_code
from sankofa.storage.queries import named
from sankofa.storage.reading import Reader

_SIC = re.compile(r"[0-9]{2,4}")
_ITEM = re.compile(r"[A-Za-z0-9_.:-]{1,200}")


class Issuer(msgspec.Struct, frozen=True):
    """An organisation that had filed accounts by a day, as it was known then."""

    service_id: str
    legal_name: str | None
    name_as_of: date | None
    country: str | None
    industry: str | None
    tickers: list[str]
    former_tickers: list[str]
    first_filed: date
    last_filed: date
    filings: int
    source_ref: str
    license_class: str
    observed_at: datetime
    provenance_id: str


ExchangeName = Annotated[
    str | None,
    Parameter(
        description=(
            "Only organisations with a ticker on this exchange: its MIC or one of its `aliases` in the "
            "catalogue, in any case."
        ),
        parse=exchange_code,
        schema={"type": "string", "pattern": "^[A-Za-z0-9-]{1,10}$"},
        example="",
    ),
]
IndustryCode = Annotated[
    str | None,
    Parameter(
        description=(
            "Only organisations whose code in the Standard Industrial Classification (SIC) begins with "
            "these two to four digits."
        ),
        parse=matching(_SIC, "expected two to four digits of a SIC code"),
        schema={"type": "string", "pattern": f"^{_SIC.pattern}$"},
        example="",
    ),
]
ItemName = Annotated[
    str | None,
    Parameter(
        description=(
            "Only organisations with a value of this line item that was known on the day; the name is that "
            "of the field `line_item` of fundamentals."
        ),
        parse=matching(_ITEM, "expected the name of a line item, such as revenue"),
        schema={"type": "string", "pattern": f"^{_ITEM.pattern}$"},
        example="revenue",
    ),
]


class IssuersParams(msgspec.Struct, frozen=True, kw_only=True):
    """Parameters: filters of issuers, and the day."""

    country: Country = None
    exchange: ExchangeName = None
    industry: IndustryCode = None
    has_item: ItemName = None
    as_of: AsOf = None
    edition: EditionNumber = None
    limit: Limit = None
    cursor: CursorText = None


@cache
def _statement(*filters: str) -> str:
    return named(__package__, "issuers.sql", *filters)["issuers"]


async def issuers(reader: Reader, params: IssuersParams, page: Page) -> Found:
    """Return the organisations that had filed accounts by a day, in the order of their ids."""
    day = page.knowable(params.as_of)
    filters = {
        "country": params.country,
        "exchange": params.exchange,
        "industry": params.industry,
        "item": params.has_item,
    }
    (after,) = page.after or ("",)
    rows = await reader.fetch(
        _statement(*(name for name, value in filters.items() if value is not None)),
        {
            **filters,
            "edition": page.edition.number,
            "day": day,
            "after": after,
            "rows": page.rows + 1,
        },
        edition=page.edition,
    )
    return Found(rows=[Issuer(*row) for row in rows], as_of=day)


def place_of_issuer(row: Issuer) -> tuple[Scalar, ...]:
    """Return the sort key of an issuer."""
    return (row.service_id,)


ISSUERS = Endpoint(
    path="/v1/issuers",
    name="issuers",
    summary="Issuers that had filed accounts by a date",
    description=(
        "The universe as of a day: every established organisation of which a filing with a value was "
        "available by then, and nobody else. Issuers that were delisted, renamed or dissolved since are in "
        "it, under the name and country of the day. `tickers` are those that held on the day as far as was "
        "known then, `former_tickers` those that had ended. `last_filed` and `filings` count what was "
        "available by the day."
    ),
    params=IssuersParams,
    row=Issuer,
    order="service_id",
    read=issuers,
    reads=(
        Reads(
            (
                "issuer",
                "organisation",
                "organisation_name",
                "identifier",
                "identifier_earlier",
                "fundamentals_fact",
            )
        ),
    ),
    position=place_of_issuer,
    statuses=(200, 304, 400, 401, 402, 429, 503),
    weight=3,
)
