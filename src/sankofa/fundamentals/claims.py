"""Check a claimed figure against what the issuer reported.

A claim matches only exactly, digit for digit: a rounded figure is not the reported one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Annotated, Literal

import msgspec

from sankofa.ask.endpoint import WHOLE, Endpoint, Found, Page
from sankofa.ask.params import AsOf, EditionNumber, Parameter, ServiceId, calendar_date, matching
from sankofa.ask.reads import Reads
from sankofa.core.errors import BadParameter
from sankofa.fundamentals.items import ITEM, item
from sankofa.fundamentals.reads import facts_of_issuer, place_of_fact
from sankofa.fundamentals.served import FundamentalsFact, FundamentalsParams, PeriodType
from sankofa.storage.reading import Reader

Verdict = Literal["matches", "matched_earlier_vintage", "contradicted", "not_held"]

VERDICTS: dict[Verdict, str] = {
    "matches": "the figure is the one known on as_of",
    "matched_earlier_vintage": "it was reported, and restated or withdrawn by as_of",
    "contradicted": "another figure was reported",
    "not_held": "we hold no such figure, which says nothing about the claim",
}
_MOST_FACTS = 20
_UNIT = re.compile(r"[A-Za-z][A-Za-z/]{0,19}")
_YEAR = re.compile(r"[12][0-9]{3}")
_VALUE = re.compile(r"-?[0-9]{1,38}(?:\.[0-9]{1,12})?")


def _year(text: str) -> int:
    return int(matching(_YEAR, "expected a year of four digits")(text))


def _value(text: str) -> Decimal:
    return Decimal(matching(_VALUE, "expected a decimal number in full units, such as -1234.5")(text))


LineItem = Annotated[
    str,
    Parameter(
        description="The line item or concept, as get_fundamentals names it.",
        parse=item,
        schema={"type": "string", "pattern": f"^{ITEM.pattern}$"},
        example="revenue",
    ),
]
ClaimedValue = Annotated[
    Decimal,
    Parameter(
        description="The claimed figure in full units (not thousands), as text.",
        parse=_value,
        schema={"type": "string"},
        example="1234.5",
    ),
]
FiscalYear = Annotated[
    int | None,
    Parameter(
        description="The issuer's fiscal year. This or period_end is required.",
        parse=_year,
        schema={"type": "integer"},
        example="2022",
    ),
]
PeriodEnd = Annotated[
    date | None,
    Parameter(
        description="Last day of the period.",
        parse=calendar_date,
        schema={"type": "string", "format": "date"},
        example="2022-12-31",
    ),
]
Unit = Annotated[
    str | None,
    Parameter(
        description="Only values in this unit, such as KES.",
        parse=matching(_UNIT, "expected a unit such as KES, USD or shares"),
        schema={"type": "string"},
        example="KES",
    ),
]


class VerifyParams(msgspec.Struct, frozen=True, kw_only=True):
    """A claim: the issuer, the line item, the period and the value."""

    service_id: ServiceId
    line_item: LineItem
    value: ClaimedValue
    fiscal_year: FiscalYear = None
    period_end: PeriodEnd = None
    period_type: PeriodType = None
    unit: Unit = None
    as_of: AsOf = None
    edition: EditionNumber = None

    def __post_init__(self) -> None:
        """Raise BadParameter if the claim has no period."""
        if self.fiscal_year is None and self.period_end is None:
            raise BadParameter("fiscal_year", "required, unless period_end is sent", ("period_end",))

    def is_about(self, fact: FundamentalsFact) -> bool:
        """Return whether a fact has the period and unit of the claim."""
        return (
            self.fiscal_year in {None, fact.fiscal_year}
            and self.period_end in {None, fact.period_end}
            and self.unit in {None, fact.unit}
        )


async def verify(reader: Reader, params: VerifyParams, page: Page) -> Found:
    """Return the verdict on a claim, and the facts that decide it."""
    known = await _facts(reader, params, page, "latest")
    history = await _facts(reader, params, page, "all")
    verdict, facts = judge(params.value, known, history)
    extra: dict[str, str] = {"verdict": verdict}
    if facts and facts[0].service_id != params.service_id:
        extra["resolved_from"] = params.service_id
    return Found(rows=facts, as_of=page.knowable(params.as_of), extra=extra)


def judge(
    value: Decimal, known: Sequence[FundamentalsFact], history: Sequence[FundamentalsFact]
) -> tuple[Verdict, list[FundamentalsFact]]:
    """Compare a value with the facts known on a day and with every vintage up to then; return the verdict."""
    same = [fact for fact in known if fact.value_reported == value]
    if same:
        return "matches", same
    earlier = [fact for fact in history if fact.value_reported == value]
    if earlier:
        keys = {_key(fact) for fact in earlier}
        return "matched_earlier_vintage", [*earlier, *(fact for fact in known if _key(fact) in keys)]
    if known:
        return "contradicted", list(known)
    # Every vintage was withdrawn; each was different from the claim.
    return ("contradicted", list(history)) if history else ("not_held", [])


async def _facts(
    reader: Reader, params: VerifyParams, page: Page, vintages: Literal["latest", "all"]
) -> list[FundamentalsFact]:
    query = FundamentalsParams(
        service_id=params.service_id,
        as_of=params.as_of,
        period_type=params.period_type,
        vintages=vintages,
        items=params.line_item,
    )
    found: list[FundamentalsFact] = []
    after = None
    while True:
        part = Page(edition=page.edition, rows=WHOLE, after=after, is_paid=page.is_paid)
        rows = (await facts_of_issuer(reader, query, part)).rows
        facts = [row for row in rows[:WHOLE] if isinstance(row, FundamentalsFact)]
        found += filter(params.is_about, facts)
        if len(rows) <= WHOLE:
            return found
        after = place_of_fact(facts[-1])


def _key(fact: FundamentalsFact) -> tuple[object, ...]:
    return fact.period_start, fact.period_end, fact.unit, fact.scope


VERIFY = Endpoint(
    path="",  # available as a tool only
    name="verify_figure",
    summary="Whether a figure is what an issuer reported",
    description=" ".join(f"{verdict}: {meaning}." for verdict, meaning in VERDICTS.items()),
    params=VerifyParams,
    row=FundamentalsFact,
    order="the facts that match, then those that are known instead, each as in fundamentals",
    read=verify,
    reads=(Reads(("issued_id", "fundamentals_fact"), key="service_id"),),
    position=place_of_fact,
    statuses=(200, 400, 401, 404, 429, 503),
    most=_MOST_FACTS,
    envelope={
        "verdict": {
            "type": "string",
            "enum": list(VERDICTS),
            "description": "What the facts say about the figure.",
        },
        "resolved_from": {
            "type": "string",
            "description": "The id that was asked for, where it was merged into the id of the rows.",
        },
    },
    always=("verdict",),
)
