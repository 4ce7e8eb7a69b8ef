"""Parameters and rows of the catalogue."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Annotated, Literal, get_args

import msgspec

from sankofa.ask.params import CursorText, EditionNumber, Limit, Parameter, one_of

Kind = Literal[
    "metrics", "line-items", "indicators", "series", "signals", "categories", "exchanges", "sources"
]
KINDS: tuple[Kind, ...] = get_args(Kind)


class CatalogEntry(msgspec.Struct, frozen=True):
    """One thing that can be asked for."""

    key: str
    definition: str | None
    unit: str | None
    formula: str | None
    aliases: list[str]
    coverage: dict[str, int]
    first_date: date | None
    last_date: date | None
    license_class: str | None
    mapped_facts: Annotated[
        Decimal | None,
        msgspec.Meta(
            description="Share of the facts of a source of filings that go by a line item; null for all else."
        ),
    ] = None


KindName = Annotated[
    Kind,
    Parameter(
        description="What is listed.",
        parse=one_of(*KINDS),
        schema={"type": "string", "enum": list(KINDS)},
        example="metrics",
        in_path=True,
    ),
]


class CatalogParams(msgspec.Struct, frozen=True, kw_only=True):
    """The kind of catalogue entries."""

    kind: KindName
    edition: EditionNumber = None
    limit: Limit = None
    cursor: CursorText = None
