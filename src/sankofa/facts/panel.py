"""The panel: line items of many issuers and years as they were known on one day, a row for each value."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from datetime import date
from typing import Annotated, Any

import msgspec

from sankofa.ask.cursor import Scalar
from sankofa.ask.endpoint import Found, Page
from sankofa.ask.params import (
    AsOf,
    CursorText,
    EditionNumber,
    Limit,
    Parameter,
    matching,
    one_of,
)
from sankofa.core.errors import BadParameter
from sankofa.entities.issuers import ExchangeName
from sankofa.fundamentals.filters import listed, several, split, year
from sankofa.fundamentals.items import item
from sankofa.fundamentals.served import FundamentalsFact, Vintages
from sankofa.metrics.served import IssuerCountry
from sankofa.storage.queries import named
from sankofa.storage.reading import Reader, Row

LATEST = "latest"
_ALL, _NOWHERE = "", "-"  # the place of all issuers, and of none
_SQL = named(__package__, "panel.sql")
_PLACE = ("service_id", "line_item", "period_end", "period_start", "unit", "scope", "vintage")
_AFTER = tuple(f"after_{name}" for name in _PLACE)
_MOST_ITEMS, _MOST_YEARS, _MOST_IDS = 20, 10, 100
_FEWEST_ISSUERS, _MOST_ISSUERS = 20, 2_000  # at once
_MIC_LETTERS = 4
_MOST_PROBES = 20_000  # line items of issuers that one statement looks up
_FEW_REPORTERS = 1_000  # a line item or type of period that no more issuers ever reported is rare
_UNNAMED = (None, None, None)
_NAME = re.compile(r"[a-z0-9_]{1,80}")
_ID = re.compile(r"[A-Za-z0-9]{1,20}")
_YEAR = re.compile(r"[12][0-9]{3}")


class PanelFact(FundamentalsFact, frozen=True):
    """One reported value of an issuer, with name and country as known on the day."""

    legal_name: str | None
    name_as_of: date | None
    country: str | None


def _standard(text: str) -> str:
    if ":" in text:
        raise ValueError("expected line items; concepts are asked for on /v1/fundamentals")
    return item(text)


def _years(text: str) -> str:
    return LATEST if text == LATEST else listed(year, _MOST_YEARS, "years")(text)


PanelItems = Annotated[
    str,
    Parameter(
        description="The line items, up to 20 with commas between them; /v1/catalog/line-items lists them.",
        parse=listed(_standard, _MOST_ITEMS, "line items"),
        schema={"type": "string", "pattern": several(_NAME)},
        example="revenue,net_income",
    ),
]
PanelYears = Annotated[
    str,
    Parameter(
        description="Fiscal years, up to 10 with commas between them; or latest: of each issuer the last one "
        "for which it had stated any of the line items by then.",
        parse=_years,
        schema={"type": "string", "pattern": f"^(latest|{several(_YEAR)[1:-1]})$", "default": LATEST},
        example="2022,2023",
    ),
]
PanelPeriod = Annotated[
    str,
    Parameter(
        description="The part of the fiscal year, any case.",
        parse=one_of("FY", "H1", "H2", "Q1", "Q2", "Q3", "Q4", "9M", "TTM", fold=True),
        schema={
            "type": "string",
            "pattern": "^([Ff][Yy]|[Hh][12]|[Qq][1-4]|9[Mm]|[Tt][Tt][Mm])$",
            "default": "FY",
        },
        example="FY",
    ),
]
PanelIssuers = Annotated[
    str | None,
    Parameter(
        description="Only these issuers, up to 100 ids with commas between them.",
        parse=listed(matching(_ID, "expected letters and digits only"), _MOST_IDS, "ids"),
        schema={"type": "string", "pattern": several(_ID)},
        example="",
    ),
]


class PanelParams(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of a panel: line items, issuers, fiscal years and the day."""

    line_item: PanelItems
    country: IssuerCountry = None
    exchange: ExchangeName = None
    service_id: PanelIssuers = None
    fiscal_year: PanelYears = LATEST
    period_type: PanelPeriod = "FY"
    vintages: Vintages = "latest"
    as_of: AsOf = None
    edition: EditionNumber = None
    limit: Limit = None
    cursor: CursorText = None

    def __post_init__(self) -> None:
        sent = [name for name in ("country", "exchange", "service_id") if getattr(self, name) is not None]
        if len(sent) > 1:
            raise BadParameter(sent[0], f"expected one of {', '.join(sent)}, not several", tuple(sent[1:]))

    @property
    def place(self) -> str:
        """The place of the issuers. An exchange that is not a MIC has none, even if it is a country code."""
        if self.exchange is not None:
            return self.exchange if len(self.exchange) == _MIC_LETTERS else _NOWHERE
        return self.country or _ALL

    @property
    def is_of_all(self) -> bool:
        """Whether all issuers are requested."""
        return self.place == _ALL and self.service_id is None


def place_of_cell(fact: PanelFact) -> tuple[Scalar, ...]:
    """Return a value's place in the order."""
    return (
        fact.service_id,
        fact.line_item,
        fact.period_end.isoformat(),
        fact.period_start.isoformat() if fact.period_start else "-infinity",
        fact.unit,
        fact.scope,
        fact.vintage,
    )


async def panel(reader: Reader, params: PanelParams, page: Page) -> Found:
    """Return line items of issuers as known on a day: some issuers at a time, until the page is full."""
    line_items = params.line_item.split(",")
    bound: dict[str, Any] = {
        "edition": page.edition.number,
        "day": page.knowable(params.as_of),
        "period_type": params.period_type,
        "vintages": params.vintages,
        "line_items": line_items,
        "keys": [f"line-items/{name}" for name in line_items],
        "place": params.place,
        **dict(zip(_AFTER, page.after or (None,) * len(_AFTER), strict=True)),
    }
    facts: list[Row] = []
    async for service_ids in _issuers(reader, params, page, bound):
        bound["rows"] = page.rows + 1 - len(facts)
        facts += await _facts(reader, params, page, bound | {"service_ids": service_ids})
        bound |= dict.fromkeys(_AFTER)
        if len(facts) > page.rows:
            break
    holders = {"service_ids": list({row[0] for row in facts})}
    names = {
        service_id: named
        for service_id, *named in await reader.fetch(_SQL["names"], bound | holders, edition=page.edition)
    }
    return Found(
        rows=[PanelFact(*row, *names.get(row[0], _UNNAMED)) for row in facts],
        as_of=page.knowable(params.as_of),
    )


async def _issuers(
    reader: Reader, params: PanelParams, page: Page, bound: dict[str, Any]
) -> AsyncIterator[list[str]]:
    """Yield the issuers of a panel in the order of their ids: some at a time, and more each time."""
    items, years = len(bound["line_items"]), len(params.fiscal_year.split(","))
    most = max(1, min(_MOST_ISSUERS, _MOST_PROBES // items))
    size = min(most, max(_FEWEST_ISSUERS, page.rows // (items * years) + 1))
    statement = _SQL[await _way(reader, params, page, bound)]
    some = {"service_ids": split(params.service_id), "first": bound["after_service_id"] or "", "done": ""}
    while True:
        values = bound | some | {"issuers": size}
        found = [row[0] for row in await reader.fetch(statement, values, edition=page.edition)]
        yield found
        if len(found) < size:
            return
        some |= {"first": found[-1], "done": found[-1]}
        size = min(most, size * 2)


async def _way(reader: Reader, params: PanelParams, page: Page, bound: dict[str, Any]) -> str:
    """Return the name of the statement that finds the issuers.

    Among all issuers, those that report a rare line item, or for a rare type of period, are found by it: most
    others would be read in vain.
    """
    if params.service_id:
        return "issuers_by_id"
    if params.is_of_all:
        ((reporters,),) = await reader.fetch(_SQL["reporters"], bound, edition=page.edition)
        if reporters <= _FEW_REPORTERS:
            return "issuers_with_items"
    return "issuers_of_place"


async def _facts(reader: Reader, params: PanelParams, page: Page, bound: dict[str, Any]) -> list[Row]:
    """Return the facts of some issuers."""
    years: dict[str, tuple[int, int]]
    if params.fiscal_year == LATEST:
        last = await reader.fetch(_SQL["last_years"], bound, edition=page.edition)
        years, chosen = {service_id: (year, year) for service_id, year in last}, None
    else:
        chosen = sorted(map(int, params.fiscal_year.split(",")))
        years = dict.fromkeys(bound["service_ids"], (chosen[0], chosen[-1]))
    if not years:
        return []
    spans = {
        "service_ids": list(years),
        "first_years": [first for first, _ in years.values()],
        "last_years": [last for _, last in years.values()],
        "fiscal_years": chosen,
    }
    return await reader.fetch(_SQL["cells"], bound | spans, edition=page.edition)
