"""What one document states of a series: numbers as written, days of release, and the snapshot they make."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import msgspec

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import LIMITS as DOCUMENT_LIMITS
from sankofa.ingest.bytes.bounds import Limits, Rejections, exact
from sankofa.ingest.days import later_day
from sankofa.ingest.once import Once
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
    return Release(later_day(fetched_at, clock), "first_seen")


def is_later(day: date, fetched_at: datetime) -> bool:
    """Tell whether a day had begun nowhere on Earth when the document was fetched."""
    return day > fetched_at.astimezone(UTC).date() + _ONE_DAY


def published(day: date, fetched_at: datetime) -> Release:
    """Return the release on the day that the publisher gives, unless the document is older than that."""
    if is_later(day, fetched_at):
        raise UnreadableDocument("released_after_fetch", f"{day}, fetched {fetched_at}")
    return Release(day, "publisher")


def _shifted(value: Decimal, places: int) -> Decimal:
    """Move the point, which no context can round."""
    sign, digits, exponent = value.as_tuple()
    return Decimal((sign, digits, int(exponent) + places))


class SeriesBuilder(Once[Period]):
    """The values of one series while its document is being read.

    After a rejection the series is no longer whole: the gap is ours, not the publisher's, and must not pass
    for a withdrawal.
    """

    __slots__ = ("_is_damaged", "_rejections", "head")

    def __init__(self, head: SeriesHead, rejections: Rejections) -> None:
        super().__init__()
        self.head = head
        self._rejections = rejections
        self._is_damaged = False

    def take(
        self,
        period: Period,
        text: str,
        limits: Limits,
        missing: Collection[str],
        *,
        is_rate: bool = False,
        shift: int = 0,
    ) -> None:
        """Add a value as it is written, its point moved by `shift` places, or count why there is none."""
        value = None if text in missing else written_number(text, limits)
        if isinstance(value, str):
            self.reject(value, f"{period.start} {text}")
        elif is_rate and value is not None and value <= 0:
            self.reject("rate_not_positive", f"{period.start} {text}")
        else:
            self.add(period, _shifted(value, shift) if value is not None and shift else value)

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
        for period, rows in sorted(self.drop_conflicts()):
            self._rejections.add("duplicate_conflict", f"{self.head.key} {period.start}", rows)
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


def _in_time(item: tuple[Period, Decimal | None]) -> Period:
    return item[0]


def snapshots(builders: Iterable[SeriesBuilder], release: Release) -> Iterator[Snapshot]:
    """Yield what is left of some series that are not whole, all of one release."""
    return filter(None, (series.snapshot(release) for series in builders))
