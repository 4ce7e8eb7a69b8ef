"""The questions one can ask about reported facts."""

from __future__ import annotations

from sankofa.ask.endpoint import Answer
from sankofa.core.errors import NotFound
from sankofa.fundamentals.model import FundamentalsFact, FundamentalsParams
from sankofa.storage.queries import named
from sankofa.storage.reading import Reader

_SQL = named(__package__)


async def facts_of_issuer(reader: Reader, asked: FundamentalsParams) -> Answer:
    """Return an issuer's facts as they were knowable on a date, in one edition."""
    edition = await reader.edition(asked.edition)
    as_of = asked.as_of or edition.day
    rows = await reader.fetch(
        _SQL["facts_of_issuer"],
        {
            "service_id": asked.service_id,
            "edition": edition.number,
            "as_of": as_of,
            "period_type": asked.period_type,
            "vintages": asked.vintages,
        },
        edition=edition,
    )
    if not rows:
        raise NotFound
    facts = [FundamentalsFact(*row) for row in rows if row[0] is not None]
    merged = bool(facts) and facts[0].service_id != asked.service_id
    return Answer(
        rows=facts,
        edition=edition,
        as_of=as_of,
        extra={"resolved_from": asked.service_id} if merged else {},
    )
