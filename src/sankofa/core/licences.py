"""Licence classes: their order of strictness, and what each demands from a redistributor.

Data derived from several sources has the strictest of their licences. Keys are sold, and one answer mixes
rows of many sources: data whose licence demands more than attribution is stored and never served.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Licence(NamedTuple):
    """The demands of a licence beyond attribution."""

    attribution: bool = False
    share_alike: bool = False  # derived data must be under the same licence
    non_commercial: bool = False
    no_extra_charge: bool = False  # it may be passed on, but not be sold
    is_granted: bool = True  # somebody has granted something

    @property
    def obstacle(self) -> str:
        """The reason why data under it cannot be served; empty if it can."""
        if self.share_alike:
            return "what is derived from it would have to be under the same licence"
        if self.non_commercial or self.no_extra_charge:
            return "it may not be sold, and keys are"
        return "" if self.is_granted else "nobody has granted anything"


_ATTRIBUTED = Licence(attribution=True)
_NOTHING = Licence(is_granted=False)
# From no restriction at all to not verified.
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
    "FRED-terms": _NOTHING,  # the owner of each series decides
    "none-stated": _NOTHING,
    "unverified": _NOTHING,
}

OPEN_LICENCE = "CC-BY-4.0"  # of the files that need no key
# Rows under this or a less strict licence can be redistributed, with the source named in each row.
OPEN_LICENCES = tuple(LICENCES)[: list(LICENCES).index(OPEN_LICENCE) + 1]


def most_restrictive(classes: Iterable[str]) -> str:
    """Return the strictest of the given licence classes. An unlisted class counts as the strictest."""
    order = list(LICENCES)
    return max(classes, key=lambda name: (order.index(name) if name in order else len(order), name))
