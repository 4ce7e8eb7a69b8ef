"""The parameter `items`: the standard line items of an issuer, all facts, or some by name.

A fact without a line item is named after its concept, which has a colon in it.
"""

from __future__ import annotations

import difflib
import re
from functools import cache
from typing import Annotated

from sankofa.ask.params import Parameter
from sankofa.fundamentals.line_items import line_items

STANDARD, ALL = "standard", "all"
CONCEPT = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,255}:[A-Za-z0-9_][A-Za-z0-9_.-]{0,255}")
ITEM = re.compile(rf"[a-z0-9_]{{1,80}}|{CONCEPT.pattern}")
_MOST_NAMES = 20


def item(text: str) -> str:
    """Parse the name of a line item or a concept. An unknown line item is an error, not an empty answer."""
    if not ITEM.fullmatch(text):
        raise ValueError("expected a line item such as revenue, or a concept such as us-gaap:CommercialPaper")
    if ":" not in text and text not in _names():
        nearest = difflib.get_close_matches(text, _names(), n=1)
        hint = f"did you mean {nearest[0]}?" if nearest else "/v1/catalog/line-items lists them"
        raise ValueError(f"no line item is called {text}; {hint}")
    return text


def _items(text: str) -> str:
    if text in {STANDARD, ALL}:
        return text
    names = sorted({item(name) for name in text.split(",")})
    if len(names) > _MOST_NAMES:
        raise ValueError(f"expected at most {_MOST_NAMES} names")
    return ",".join(names)


@cache
def _names() -> tuple[str, ...]:
    return tuple(known.name for known in line_items())


Items = Annotated[
    str,
    Parameter(
        description=(
            "standard: the line items of /v1/catalog/line-items; all: also what filings state under other "
            "concepts; or up to 20 names of line items or concepts, with commas between them. Default: "
            "standard; all where `line_item` or `concept` is sent."
        ),
        parse=_items,
        schema={"type": "string", "default": STANDARD},
        example="revenue,us-gaap:CommercialPaper",
    ),
]
