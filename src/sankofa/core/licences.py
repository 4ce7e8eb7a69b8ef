"""Licence classes: in which order they bind, and what each asks of whoever passes the data on.

What is derived from several sources is under the strictest of their licences. Keys are sold, and rows of many
sources stand in one answer: data that asks for more than to be attributed is kept and never served.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Licence(NamedTuple):
    """What a licence asks for, beside what all do."""

    attribution: bool = False
    share_alike: bool = False  # what is made of it must be under the same licence
    non_commercial: bool = False
    no_extra_charge: bool = False  # it may be passed on, but not be sold
    is_granted: bool = True  # somebody has granted something

    @property
    def obstacle(self) -> str:
        """Why data under it cannot be served here; empty if it can."""
        if self.share_alike:
            return "what is derived from it would have to be under the same licence"
        if self.non_commercial or self.no_extra_charge:
            return "it may not be sold, and keys are"
        return "" if self.is_granted else "nobody has granted anything"


_ATTRIBUTED = Licence(attribution=True)
_NOTHING = Licence(is_granted=False)
# From what anybody may do anything with to what nobody has verified.
LICENCES = {
    "public-domain": Licence(),
    "CC0-1.0": Licence(),
    "ODC-PDDL-1.0": Licence(),
    "synthetic": Licence(),
    "MIT": _ATTRIBUTED,
    "ODC-By-1.0": _ATTRIBUTED,
    "CC-BY-3.0": _ATTRIBUTED,
    "CC-BY-4.0": _ATTRIBUTED,
    "attribution": _ATTRIBUTED,
    "operator": Licence(),  # the operator's own agreement with the publisher
    "CC-BY-SA-4.0": Licence(attribution=True, share_alike=True),
    "ODbL-1.0": Licence(attribution=True, share_alike=True),
    "no-extra-charge": Licence(attribution=True, no_extra_charge=True),
    "CC-BY-NC-4.0": Licence(attribution=True, non_commercial=True),
    "CC-BY-NC-SA-4.0": Licence(attribution=True, share_alike=True, non_commercial=True),
    "FRED-terms": _NOTHING,  # they leave it to the owner of each series
    "none-stated": _NOTHING,
    "unverified": _NOTHING,
}


def most_restrictive(classes: Iterable[str]) -> str:
    """Return the strictest of some licence classes; one that is not listed is stricter than all that are."""
    order = list(LICENCES)
    return max(classes, key=lambda name: (order.index(name) if name in order else len(order), name))
