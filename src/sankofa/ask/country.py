"""Countries as callers send them: codes of ISO 3166-1, in any case."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from sankofa.core.countries import Country, country, meant


class Code(NamedTuple):
    """A form of code, and how a text in that form is spelt."""

    pattern: str
    expected: str
    spelt: Callable[[Country], str]
    is_translated: bool = False  # a code of the other form is a country too

    def parse(self, text: str) -> str:
        """Return a code in its one spelling. Raise ValueError, with the code of a country that is named."""
        if re.fullmatch(self.pattern, text):
            known = country(text) if self.is_translated else None
            return self.spelt(known) if known else text.upper()
        near = meant(text)
        hint = f"; did you mean {self.spelt(near)}?" if near else ""
        raise ValueError(f"expected {self.expected}{hint}")

    @property
    def schema(self) -> dict[str, str]:
        """The form, for the description of a parameter."""
        return {"type": "string", "pattern": f"^{self.pattern}$"}


ALPHA_2 = Code("[A-Za-z]{2}", "an ISO 3166-1 alpha-2 code, such as KE", lambda known: known.alpha2)
ALPHA_3 = Code("[A-Za-z]{3}", "an ISO 3166-1 alpha-3 code, such as KEN", lambda known: known.alpha3)
# Codes of either form that stand for the same country; other codes, as of aggregates, stay as they are.
AS_ALPHA_2 = Code(
    "[A-Za-z]{2,3}", "an ISO 3166-1 code of 2 or 3 letters, such as KE", lambda known: known.alpha2, True
)
AS_ALPHA_3 = Code(
    "[A-Za-z]{2,3}",
    "ISO 3166-1 codes of 2 or 3 letters, or codes of aggregates such as SSF",
    lambda known: known.alpha3,
    True,
)
