"""Parameters of signals: one panel, by country, category or currency, and month."""

from __future__ import annotations

import datetime as dt
import re
from typing import Annotated

import msgspec

from sankofa.ask.params import (
    DATE_SCHEMA,
    AsOf,
    CursorText,
    EditionNumber,
    Limit,
    Parameter,
    calendar_date,
    matching,
    refuse_reversed,
)
from sankofa.core.errors import BadParameter
from sankofa.signals.panels import PANELS
from sankofa.tenders.params import AnyPortalCountry, PortalCountry

_KEY = re.compile(r"[a-z0-9-]+")
_CURRENCY = re.compile(r"[A-Za-z]{3}")
_CATEGORY = re.compile(r"[^\x00-\x1f\x7f]{1,200}")


_key = matching(_KEY, "expected lower-case letters, digits and hyphens only")
_category = matching(_CATEGORY, "expected 1 to 200 characters, none of them a control character")


def _currency(text: str) -> str:
    return matching(_CURRENCY, "expected an ISO 4217 code of 3 letters")(text).upper()


def _month(text: str) -> dt.date:
    return calendar_date(text).replace(day=1)


SignalKey = Annotated[
    str,
    Parameter(
        description=f"Key of a panel: {', '.join(PANELS)}.",
        parse=_key,
        schema={"type": "string", "pattern": f"^{_KEY.pattern}$"},
        example="supplier-concentration",
        in_path=True,
    ),
]
Category = Annotated[
    str | None,
    Parameter(
        description="One category, the portal's own word or goods, works, services; in panels by category. "
        "Compared exactly.",
        parse=_category,
        schema={"type": "string", "minLength": 1, "maxLength": 200},
        example="",
    ),
]
Currency = Annotated[
    str | None,
    Parameter(
        description="One currency, ISO 4217, any case; in panels by currency.",
        parse=_currency,
        schema={"type": "string", "pattern": f"^{_CURRENCY.pattern}$"},
        example="",
    ),
]
From = Annotated[
    dt.date | None,
    Parameter(
        description="The earliest month; a date means its month.",
        parse=_month,
        schema=DATE_SCHEMA,
        example="2020-01-01",
    ),
]
To = Annotated[
    dt.date | None,
    Parameter(
        description="The latest month; a date means its month.",
        parse=_month,
        schema=DATE_SCHEMA,
        example="2024-12-31",
    ),
]


class DemandParams(msgspec.Struct, frozen=True, kw_only=True):
    """Parameters of procurement demand."""

    country: PortalCountry = "ZA"
    category: Category = None
    as_of: AsOf = None
    begins: From = msgspec.field(default=None, name="from")
    ends: To = msgspec.field(default=None, name="to")
    edition: EditionNumber = None
    limit: Limit = None
    cursor: CursorText = None

    def __post_init__(self) -> None:
        refuse_reversed(self.begins, self.ends)

    @property
    def breakdown(self) -> str | None:
        """The requested category."""
        return self.category


class SignalParams(msgspec.Struct, frozen=True, kw_only=True):
    """Parameters of any panel; each is by category or by currency."""

    signal_key: SignalKey
    country: AnyPortalCountry = None
    category: Category = None
    currency: Currency = None
    as_of: AsOf = None
    begins: From = msgspec.field(default=None, name="from")
    ends: To = msgspec.field(default=None, name="to")
    edition: EditionNumber = None
    limit: Limit = None
    cursor: CursorText = None

    def __post_init__(self) -> None:
        refuse_reversed(self.begins, self.ends)
        panel = PANELS.get(self.signal_key)
        other = {"category": "currency", "currency": "category"}[panel.breakdown] if panel else ""
        if panel and getattr(self, other) is not None:
            raise BadParameter(other, f"the panel {panel.key} is by {panel.breakdown} and has no {other}")

    @property
    def breakdown(self) -> str | None:
        """The requested category or currency."""
        return self.category or self.currency
