"""Rows as a model gets them: what a value is, since when, and from where. `full` asks for the rest.

A row of REST says with every value how it was read and checked. Whoever pays for each word needs that for one
value in a hundred, and asks for it then.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from msgspec import structs

from sankofa.ask.params import Parameter

# Left out wherever a row has them: each repeats another field, or says how the value was obtained.
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
    """Return what every answer shows of a row."""
    found = ((label, getattr(row, name)) for label, name in _kept(type(row)))
    return {label: value for label, value in found if value is not msgspec.UNSET}


@cache
def _kept(row: type[msgspec.Struct]) -> list[tuple[str, str]]:
    return [(one.encode_name, one.name) for one in structs.fields(row) if one.encode_name not in LEFT_OUT]
