"""A figure of quality: a decimal, or the word UNMEASURED in its place."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal

import msgspec

# A reader of JSON cannot check a number or a word; types for people say more than those for the decoder.
if TYPE_CHECKING:
    Measured = Decimal | Literal["UNMEASURED"]
else:
    Measured = Any
_FIELD = "value"


class WithMeasured(msgspec.Struct, frozen=True, kw_only=True):
    """A row whose `value` may be a word; a whole number becomes a decimal as any other."""

    def __post_init__(self) -> None:
        value = getattr(self, _FIELD)
        if isinstance(value, int):
            msgspec.structs.force_setattr(self, _FIELD, Decimal(value))
