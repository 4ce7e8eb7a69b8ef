"""Parameters and rows of quality."""

from __future__ import annotations

import re
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any

import msgspec

from sankofa.ask.params import CursorText, EditionNumber, Parameter
from sankofa.datasets import SKUS, either
from sankofa.quality.measures import UNMEASURED, Status

_SKU = re.compile(r"[A-Za-z0-9_-]+")

# A decimal or the word: msgspec cannot check this union, so it is declared for formats and OpenAPI.
Measured = Annotated[Any, msgspec.Meta(extra={"number_or": UNMEASURED})]


def _sku(text: str) -> str:
    """Return the name in capitals; a malformed name becomes one that no dataset has, so that it gives 404."""
    return text.upper() if _SKU.fullmatch(text) else ""


SkuName = Annotated[
    str,
    Parameter(
        description=f"A dataset, in any case: {', '.join(SKUS)}.",
        parse=_sku,
        schema={"type": "string", "pattern": f"^{_SKU.pattern}$"},
        example=next(iter(SKUS)),
        in_path=True,
    ),
]


class QualityParams(msgspec.Struct, frozen=True, kw_only=True):
    """One dataset."""

    sku: SkuName
    edition: EditionNumber = None
    cursor: CursorText = None


class QualityMetric(msgspec.Struct, frozen=True):
    """One number that was measured of a dataset, or was not."""

    sku: Annotated[str, msgspec.Meta(description=f"The dataset: {either(SKUS)}.")]
    measure: str
    value: Measured
    floor: Decimal | None
    status: Status
    unit: str
    measured_at: datetime | None
    methodology_ref: str
    source_ref: str | None
    license_class: str | None
    observed_at: datetime | None
