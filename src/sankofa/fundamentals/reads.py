"""The read of reported facts."""

from __future__ import annotations

from sankofa.ask.cursor import Scalar
from sankofa.ask.endpoint import Found, Page
from sankofa.core.errors import NotFound
from sankofa.fundamentals.filters import split
from sankofa.fundamentals.served import FundamentalsFact, FundamentalsParams
from sankofa.storage.queries import named
from sankofa.storage.reading import Reader

_SQL = named(__package__)
_PLACE = ("period_end", "line_item", "period_type", "period_start", "unit", "scope", "vintage")


def place_of_fact(fact: FundamentalsFact) -> tuple[Scalar, ...]:
    """Return a fact's place in the order; what is not known sorts first, as it does in the table."""
    return (
        fact.period_end.isoformat(),
        fact.line_item,
        fact.period_type or "",
        fact.period_start.isoformat() if fact.period_start else "-infinity",
        fact.unit,
        fact.scope,
        fact.vintage,
    )


async def facts_of_issuer(reader: Reader, params: FundamentalsParams, page: Page) -> Found:
    """Return an issuer's facts as they were knowable on a date, in one edition."""
    as_of = page.knowable(params.as_of)
    after = page.after or (None,) * len(_PLACE)
    rows = await reader.fetch(
        _SQL["facts_of_issuer"],
        {
            "service_id": params.service_id,
            "edition": page.edition.number,
            "as_of": as_of,
            "period_type": params.period_type,
            "items": params.items.split(","),
            "line_items": split(params.line_item),
            "concepts": split(params.concept),
            "fiscal_years": split(params.fiscal_year),
            "first_end": params.first_end,
            "last_end": params.last_end,
            "vintages": params.vintages,
            "rows": page.rows + 1,
            **{f"after_{name}": value for name, value in zip(_PLACE, after, strict=True)},
        },
        edition=page.edition,
    )
    if not rows:
        raise NotFound
    facts = [FundamentalsFact(*row) for row in rows if row[0] is not None]
    merged = bool(facts) and facts[0].service_id != params.service_id
    return Found(rows=facts, as_of=as_of, extra={"resolved_from": params.service_id} if merged else {})
