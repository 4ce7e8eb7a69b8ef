"""The statements that put issuers in order by a metric: from either end, in one country or everywhere."""

from __future__ import annotations

from typing import Literal

from sankofa.storage.queries import named

EVERYWHERE = ""  # the place of a span that is of all countries
_IN_COUNTRY = named(__package__, "rank.sql")
# Two statements rather than one that asks "if a country is given": only so is each planned for its index.
_ANYWHERE = {
    end: statement.replace("live.country = span.country", "TRUE").replace(
        "held.country = %(country)s", "TRUE"
    )
    for end, statement in _IN_COUNTRY.items()
}


def ranking(order: Literal["asc", "desc"], country: str | None) -> str:
    """Return the statement; where no country is meant, it is told EVERYWHERE."""
    statements = _ANYWHERE if country is None else _IN_COUNTRY
    return statements["largest" if order == "desc" else "smallest"]
