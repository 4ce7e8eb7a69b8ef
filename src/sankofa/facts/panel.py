"""The panel: line items of many issuers and years as they were known on one day, a row for each value."""

from __future__ import annotations

import re
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
    bound: dict[str, Any] = {
        "edition": page.edition.number,
        "day": page.knowable(params.as_of),
        "period_type": params.period_type,
        "vintages": params.vintages,
        "line_items": params.line_item.split(","),
        "place": params.place,
    }
    after = page.after
    first, done = str(after[0]) if after else "", ""
    items, years = len(bound["line_items"]), len(params.fiscal_year.split(","))
    most = max(1, min(_MOST_ISSUERS, _MOST_PROBES // items))
    size = min(most, max(_FEWEST_ISSUERS, page.rows // (items * years) + 1))
    facts: list[PanelFact] = []
    while True:
        some = {"service_ids": split(params.service_id), "first": first, "done": done, "issuers": size}
        who = _SQL["issuers_by_id" if params.service_id else "issuers_of_place"]
        issuers = await reader.fetch(who, bound | some, edition=page.edition)
        bound["rows"] = page.rows + 1 - len(facts)
        bound |= dict(zip(_AFTER, after or (None,) * len(_AFTER), strict=True))
        facts += await _facts(reader, params, page, bound, issuers)
        if len(facts) > page.rows or len(issuers) < size:
            return Found(rows=facts, as_of=page.knowable(params.as_of))
        first = done = issuers[-1][0]
        after, size = None, min(most, size * 2)


async def _facts(
    reader: Reader,
    params: PanelParams,
    page: Page,
    bound: dict[str, Any],
    issuers: list[Row],
) -> list[PanelFact]:
    """Return the facts of some issuers, each with the name that the issuer had on the day."""
    named_as = {service_id: others for service_id, *others in issuers}
    years: dict[str, tuple[int, int]]
    if params.fiscal_year == LATEST:
        ids = bound | {"service_ids": list(named_as)}
        last = await reader.fetch(_SQL["last_years"], ids, edition=page.edition)
        years, chosen = {service_id: (year, year) for service_id, year in last}, None
    else:
        chosen = sorted(map(int, params.fiscal_year.split(",")))
        years = dict.fromkeys(named_as, (chosen[0], chosen[-1]))
    if not years:
        return []
    spans = {
        "service_ids": list(years),
        "first_years": [first for first, _ in years.values()],
        "last_years": [last for _, last in years.values()],
        "fiscal_years": chosen,
    }
    found = await reader.fetch(_SQL["cells"], bound | spans, edition=page.edition)
    return [PanelFact(*row, *named_as[row[0]]) for row in found]
