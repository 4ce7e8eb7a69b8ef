"""The statements that put issuers in order by a metric: from either end, in one country or everywhere."""

from __future__ import annotations

from typing import Literal

from sankofa.storage.queries import named

EVERYWHERE = ""  # the place of a span that is of all countries
_VARIANTS: tuple[tuple[str, ...], ...] = ((), ("smallest",), ("anywhere",), ("anywhere", "smallest"))
_RANKED = {variants: named(__package__, "rank.sql", *variants)["ranked"] for variants in _VARIANTS}


def ranking(order: Literal["asc", "desc"], country: str | None) -> str:
    """Return the statement. Without a country, bind EVERYWHERE in its place."""
    variants = (("anywhere",) if country is None else ()) + (("smallest",) if order == "asc" else ())
    return _RANKED[variants]
