"""Build a snapshot of a series from one document: numbers as written, and days of release."""

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

# Price indexes of years before a hyperinflation have many leading zeros after the point, then 15 digits.
LIMITS = msgspec.structs.replace(DOCUMENT_LIMITS, digits=66, fraction_digits=40)

_NUMBER = re.compile(
    r"[+-]?(?:[0-9]{1,64}|[0-9]{1,3}(?:,[0-9]{3}){1,20})(?:\.[0-9]{1,64})?(?:[eE][+-]?[0-9]{1,2})?"
)
_ONE_DAY = timedelta(days=1)


def written_number(text: str, limits: Limits) -> Decimal | str:
    """Return the exact value of a number written with a point, or the reason why it is invalid.

    Thousands may be separated by commas, if all of them are. "NaN" and "Infinity" are invalid.
    """
    if not _NUMBER.fullmatch(text):
        return "bad_value"
    value = exact(Decimal(text.replace(",", "")), limits)
    return "value_out_of_range" if value is None else value


def first_seen(fetched_at: datetime, clock: ZoneInfo) -> Release:
    """Return a release dated by our own fetch: the later of its days in UTC and in the publisher's zone."""
    return Release(later_day(fetched_at, clock), "first_seen")


def is_later(day: date, fetched_at: datetime) -> bool:
    """Return whether a day had begun nowhere on Earth when the document was fetched."""
    return day > fetched_at.astimezone(UTC).date() + _ONE_DAY


def published(day: date, fetched_at: datetime) -> Release:
    """Return a release on the publisher's stated day. Raise if that is later than the fetch."""
    if is_later(day, fetched_at):
        raise UnreadableDocument("released_after_fetch", f"{day}, fetched {fetched_at}")
    return Release(day, "publisher")


def named_month(month: Period, fetched_at: datetime, clock: ZoneInfo) -> Release:
    """Return the release of an edition that is named after a month: its last day, or our fetch if earlier."""
    published(month.start, fetched_at)  # it cannot have been fetched before its month
    fetch = first_seen(fetched_at, clock)
    is_earlier = fetch.available_at is not None and fetch.available_at < month.end
    return fetch if is_earlier else Release(month.end, "publisher")


def _shifted(value: Decimal, places: int) -> Decimal:
    """Return the value with its point moved, without rounding by a decimal context."""
    sign, digits, exponent = value.as_tuple()
    return Decimal((sign, digits, int(exponent) + places))


class SeriesBuilder(Once[Period]):
    """Collects the values of one series while its document is read.

    After a rejection the series is not whole any more: the gap is ours, not the publisher's, and must not
    count as a withdrawal.
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
        """Add a value as written, its point moved by `shift` places, or count why it is rejected."""
        value = None if text in missing else written_number(text, limits)
        if isinstance(value, str):
            self.reject(value, f"{period.start} {text}")
        elif is_rate and value is not None and value <= 0:
            self.reject("rate_not_positive", f"{period.start} {text}")
        else:
            self.add(period, _shifted(value, shift) if value is not None and shift else value)

    def reject(self, reason: str, sample: object) -> None:
        """Count one rejected value of the series."""
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
        """Return the snapshot, or None if it is empty and not whole."""
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
    """Yield the snapshots of partial series of one release."""
    return filter(None, (series.snapshot(release) for series in builders))
