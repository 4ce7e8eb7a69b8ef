"""Short rows for agents: a value, its dates and its source. `full` requests all fields.

A row of REST has many fields about how the value was read and checked. A caller that pays by the token rarely
needs them.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from msgspec import structs

from sankofa.ask.params import Parameter

# Left out of every row: each repeats another field, or describes how the value was obtained.
LEFT_OUT = frozenset(
    {
        "accepted_at",
        "available_at_basis",
        "concept",  # the end of `source_ref`
        "currency_reported",  # the beginning of `unit`
        "days_rounded",
        "decimals",
        "extraction_confidence",
        "filing_id",
        "first_filing_held",
        "initiationType",
        "language",
        "method",
        "methodology_ref",
        "observed_at",
        "provenance_id",
        "rule_version",
    }
)


def _true_or_false(text: str) -> bool:
    if text not in {"true", "false"}:
        raise ValueError("expected true or false")
    return text == "true"


FULL = Parameter(
    description="true: rows with every field.",
    parse=_true_or_false,
    schema={"type": "boolean"},
    example="true",
)


def shorten(row: msgspec.Struct) -> dict[str, Any]:
    """Return the fields of a row that every answer has."""
    found = ((label, getattr(row, name)) for label, name in _kept(type(row)))
    return {label: value for label, value in found if value is not msgspec.UNSET}


@cache
def _kept(row: type[msgspec.Struct]) -> list[tuple[str, str]]:
    return [(one.encode_name, one.name) for one in structs.fields(row) if one.encode_name not in LEFT_OUT]
