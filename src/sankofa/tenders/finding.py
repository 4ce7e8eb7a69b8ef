"""Choose the statement for a request for releases, and its values: traits, and months to walk."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple

from sankofa.ask.cursor import Scalar
from sankofa.storage.queries import named
from sankofa.tenders.marks import ANYTHING, month_of, process_mark, trait, value_traits, words
from sankofa.tenders.params import TendersParams

_VARIANTS: tuple[tuple[str, ...], ...] = ((), ("marked",), ("worded",), ("of_process",))
_STATEMENTS = {variants: named(__package__, "releases.sql", *variants)["releases"] for variants in _VARIANTS}
_FIRST_MONTH = 1
_AHEAD = timedelta(days=2)  # a release may be dated this long after the day on which it became known


def statement_for(params: TendersParams) -> str:
    """Return the statement that is planned for these parameters."""
    if params.ocid is not None:
        return _STATEMENTS["of_process",]
    if params.q is not None:
        return _STATEMENTS["worded",]
    return _STATEMENTS["marked",] if params.is_filtered or params.country is None else _STATEMENTS[()]


class Sought(NamedTuple):
    """The parameters of a request, with all ids of its organisations."""

    params: TendersParams
    buyers: Sequence[str] | None
    suppliers: Sequence[str] | None

    def bound(self, day: date, after: tuple[Scalar, ...] | None) -> dict[str, Any]:
        """Return the values of the statements, except days and positions."""
        params, every = self.params, self._every()
        return {
            "country": params.country,
            "ocid": params.ocid,
            "process": process_mark(params.ocid) if params.ocid else None,
            "every": every,
            "buyers": [trait("buyer", one) for one in self.buyers or ()] or every[:1],
            "suppliers": [trait("supplier", one) for one in self.suppliers or ()] or every[:1],
            "amounts": self._values() or every[:1],
            "currency": params.currency,
            "lowest": params.min_value,
            "highest": params.max_value,
            "first_month": month_of(_begin(params.since)) if params.since else _FIRST_MONTH,
            "last_month": self._last_month(day, after),
        }

    def _every(self) -> list[int]:
        """Return the traits that a content must have; there is always at least one."""
        params = self.params
        named_traits = (("country", params.country), ("category", params.category), ("status", params.status))
        found = [trait(kind, what) for kind, what in named_traits if what is not None]
        found += [trait("word", word) for word in words([params.q or ""])]
        return found or [ANYTHING]

    def _values(self) -> list[int]:
        params = self.params
        return value_traits(params.currency, params.min_value, params.max_value) if params.currency else []

    def _last_month(self, day: date, after: tuple[Scalar, ...] | None) -> int:
        days = [day + _AHEAD, self.params.until or date.max]
        if after:
            days.append(datetime.fromisoformat(str(after[0])).astimezone(UTC).date())
        return month_of(_begin(min(days)))


def _begin(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
