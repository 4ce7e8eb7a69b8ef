"""What one document says of a series: each value once, and none on which it contradicts itself."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import msgspec

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bounds import LIMITS as DOCUMENT_LIMITS
from sankofa.ingest.bounds import Limits, Rejections, exact
from sankofa.macro.model import Observation, Period, Release, SeriesHead, Snapshot

# Price indexes of years before a hyperinflation begin with many zeros, and then have 15 digits.
LIMITS = msgspec.structs.replace(DOCUMENT_LIMITS, digits=66, fraction_digits=40)

_NUMBER = re.compile(
    r"[+-]?(?:[0-9]{1,64}|[0-9]{1,3}(?:,[0-9]{3}){1,20})(?:\.[0-9]{1,64})?(?:[eE][+-]?[0-9]{1,2})?"
)
_ONE_DAY = timedelta(days=1)


def written_number(text: str, limits: Limits) -> Decimal | str:
    """Return the exact value of a number written with a point, or why there is none.

    Thousands may be set off by commas, if all of them are. "NaN" and "Infinity" are no numbers.
    """
    if not _NUMBER.fullmatch(text):
        return "bad_value"
    value = exact(Decimal(text.replace(",", "")), limits)
    return "value_out_of_range" if value is None else value


def first_seen(fetched_at: datetime, clock: ZoneInfo) -> Release:
    """Return the release of which nothing is known but our own fetch: the later of the two days it was."""
    return Release(max(fetched_at.astimezone(UTC).date(), fetched_at.astimezone(clock).date()), "first_seen")


def is_later(day: date, fetched_at: datetime) -> bool:
    """Tell whether a day had begun nowhere on Earth when the document was fetched."""
    return day > fetched_at.astimezone(UTC).date() + _ONE_DAY


def published(day: date, fetched_at: datetime) -> Release:
    """Return the release on the day that the publisher gives, unless the document is older than that."""
    if is_later(day, fetched_at):
        raise UnreadableDocument("released_after_fetch", f"{day}, fetched {fetched_at}")
    return Release(day, "publisher")


class StatedSeries:
    """The values of one series while its document is being read.

    A value that comes twice is kept once. Where two rows give one period different values, both are
    rejected. After a rejection the series is no longer whole: the gap is ours, not the publisher's, and
    must not pass for a withdrawal.
    """

    __slots__ = ("_conflicts", "_is_damaged", "_rejections", "_repeats", "_values", "head")

    def __init__(self, head: SeriesHead, rejections: Rejections) -> None:
        self.head = head
        self._rejections = rejections
        self._is_damaged = False
        self._values: dict[Period, Decimal | None] = {}
        self._repeats: Counter[Period] = Counter()
        self._conflicts: set[Period] = set()

    def add(self, period: Period, value: Decimal | None) -> None:
        """Take one value; None is the one that says: missing."""
        known = len(self._values)
        held = self._values.setdefault(period, value)
        if len(self._values) == known:
            self._repeats[period] += 1
            if held != value:
                self._conflicts.add(period)

    def reject(self, reason: str, sample: object) -> None:
        """Count one value of the series that cannot be taken."""
        self._rejections.add(reason, f"{self.head.key} {sample}")
        self._is_damaged = True

    def snapshot(
        self,
        release: Release,
        *,
        is_whole: bool = False,
        covers: str | None = None,
        is_released_daily: bool = False,
    ) -> Snapshot | None:
        """Return what is left, or None where that says nothing."""
        for period in sorted(self._conflicts):
            del self._values[period]
            sample = f"{self.head.key} {period.start}"
            self._rejections.add("duplicate_conflict", sample, 1 + self._repeats[period])
            self._is_damaged = True
        is_whole = is_whole and not self._is_damaged
        observations = [
            Observation(*period, value)
            for period, value in sorted(self._values.items(), key=_in_time)
            if value is not None or not is_whole
        ]
        if not observations and not is_whole:
            return None
        return Snapshot(
            head=self.head,
            available_at=release.available_at,
            available_at_basis=release.basis,
            is_whole=is_whole,
            observations=observations,
            covers=covers,
            is_released_daily=is_released_daily,
        )


def _in_time(stated: tuple[Period, Decimal | None]) -> Period:
    return stated[0]
