"""Filters of reported facts: by line item, concept, fiscal year and end of the period."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Annotated

from sankofa.ask.params import DATE_SCHEMA, Parameter, calendar_date, matching
from sankofa.core.errors import BadParameter
from sankofa.fundamentals.items import CONCEPT, ITEM, item

_MOST_NAMES = 20
_MOST_YEARS = 30
_LONGEST = 1_500  # a cursor repeats them
_YEAR = re.compile(r"[12][0-9]{3}")

concept = matching(CONCEPT, "expected a concept such as us-gaap:CommercialPaper")
year = matching(_YEAR, "expected a year of four digits")


def listed(one: Callable[[str], str], most: int, what: str) -> Callable[[str], str]:
    """Return a parser of a list with commas. It returns the values in one spelling: sorted, each once."""

    def parse(text: str) -> str:
        values = sorted({one(part) for part in text.split(",")})
        if len(values) > most:
            raise ValueError(f"expected at most {most} {what}")
        return ",".join(values)

    return parse


def split(text: str | None) -> list[str] | None:
    """Return the values of a parsed list; None if the parameter was not sent."""
    return text.split(",") if text else None


def refuse_long(**names: str | None) -> None:
    """Raise BadParameter if the names are too long for a cursor."""
    sent = [name for name, text in names.items() if text]
    if sum(len(names[name] or "") for name in sent) > _LONGEST:
        raise BadParameter(
            sent[0], f"expected names of at most {_LONGEST} characters together", tuple(sent[1:])
        )


def several(pattern: re.Pattern[str]) -> str:
    """Return the pattern of a list with commas."""
    return f"^({pattern.pattern})(,({pattern.pattern}))*$"


LineItems = Annotated[
    str | None,
    Parameter(
        description="Only these line items, up to 20 with commas between them; a concept where the service "
        "has no name.",
        parse=listed(item, _MOST_NAMES, "names"),
        schema={"type": "string", "pattern": several(ITEM)},
        example="revenue,net_income",
    ),
]
Concepts = Annotated[
    str | None,
    Parameter(
        description="Only values that filings state under these concepts, up to 20 with commas between them.",
        parse=listed(concept, _MOST_NAMES, "concepts"),
        schema={"type": "string", "pattern": several(CONCEPT)},
        example="ifrs-full:Revenue",
    ),
]
FiscalYears = Annotated[
    str | None,
    Parameter(
        description="Only periods of these fiscal years, up to 30 with commas between them.",
        parse=listed(year, _MOST_YEARS, "years"),
        schema={"type": "string", "pattern": several(_YEAR)},
        example="2022,2023",
    ),
]
EndsFrom = Annotated[
    date | None,
    Parameter(
        description="Only periods that end on this day or later.",
        parse=calendar_date,
        schema=DATE_SCHEMA,
        example="2022-01-01",
    ),
]
EndsTo = Annotated[
    date | None,
    Parameter(
        description="Only periods that end on this day or earlier.",
        parse=calendar_date,
        schema=DATE_SCHEMA,
        example="2023-12-31",
    ),
]
