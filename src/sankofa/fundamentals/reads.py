"""The read of reported facts."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from sankofa.ask.cursor import Scalar
from sankofa.ask.endpoint import Found, Page
from sankofa.core.errors import NotFound, StoreUnavailable
from sankofa.fundamentals.filters import split
from sankofa.fundamentals.served import FundamentalsFact, FundamentalsParams
from sankofa.storage.edition import Edition
from sankofa.storage.kept_rows import Key
from sankofa.storage.queries import named
from sankofa.storage.reading import Reader, Row

_SQL = named(__package__)
_NAMES = named(__package__, "queries.sql", "named")  # of rows that may be kept
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
    values = {
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
    }
    kept, cleared = reader.kept.about(params.service_id), reader.kept.cleared
    rows = await reader.fetch((_NAMES if kept else _SQL)["facts_of_issuer"], values, edition=page.edition)
    if not rows:
        raise NotFound
    if kept:
        keys = [_key(*row) for row in rows if row[0] is not None]
        read = await _lacking(reader, [key for key in keys if key not in kept], page.edition)
        facts = [read[key] if key in read else kept[key] for key in keys]
    else:
        read = _by_key(rows)
        facts = list(read.values())
    reader.kept.keep(params.service_id, read, cleared)
    merged = bool(facts) and facts[0].service_id != params.service_id
    return Found(rows=facts, as_of=as_of, extra={"resolved_from": params.service_id} if merged else {})


async def _lacking(reader: Reader, keys: list[Key], edition: Edition) -> dict[Key, FundamentalsFact]:
    """Read the facts that an answer has and this process does not keep."""
    if not keys:
        return {}
    values = {
        "row_ids": [row_id for row_id, _, _ in keys],
        "known_untils": [known_until for _, known_until, _ in keys],
        "edition": edition.number,
    }
    read = _by_key(await reader.fetch(_SQL["facts_by_row"], values, edition=edition))
    if len(read) < len(keys):
        raise StoreUnavailable("datastore", "a fact of the answer was taken down just now")
    return read


def _by_key(rows: list[Row]) -> dict[Key, FundamentalsFact]:
    """Return the facts of rows; that of a known issuer without facts is of nulls."""
    facts = ((row_id, FundamentalsFact(*served)) for row_id, *served in rows if row_id is not None)
    return {_key(row_id, fact.known_until, fact.previous_value): fact for row_id, fact in facts}


def _key(row_id: int, known_until: date | None, previous_value: Decimal | None) -> Key:
    """Return what a served fact follows from. Decimals that are equal may differ in digits, texts do not."""
    return row_id, known_until, None if previous_value is None else str(previous_value)
