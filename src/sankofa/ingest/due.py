"""The schedule of a publisher: in its own time zone, without its holidays."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import holidays
import msgspec
from croniter import CroniterBadDateError, croniter

_MOST_HOLIDAYS = 1_000  # consecutive holidays; more indicate a wrong calendar


class Due(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The times at which a source is fetched."""

    at: str  # cron: minute, hour, day, month, weekday; a sixth field is seconds
    zone: str = "UTC"  # the publisher's, such as Africa/Johannesburg
    holidays: str = ""  # whose: a country (ZA), or a financial calendar (XECB)

    def __post_init__(self) -> None:
        """Raise if the schedule is invalid."""
        if not croniter.is_valid(self.at):
            raise ValueError(f"`at` is no cron line: {self.at}")
        try:
            ZoneInfo(self.zone)
        except (ZoneInfoNotFoundError, ValueError) as unknown:
            raise ValueError(f"there is no time zone `{self.zone}`") from unknown
        if self.holidays:
            calendar(self.holidays)
        self.after(datetime.now(UTC))

    def after(self, moment: datetime) -> datetime:
        """Return the next due time after the given time, in UTC."""
        ticks = croniter(self.at, moment.astimezone(ZoneInfo(self.zone)))
        is_holiday = calendar(self.holidays) if self.holidays else _never
        with suppress(CroniterBadDateError):
            for _ in range(_MOST_HOLIDAYS):
                tick: datetime = ticks.get_next(datetime)
                if not is_holiday(tick.date()):
                    return tick.astimezone(UTC)
        raise ValueError(f"`at` names no moment: {self.at}")


@cache
def calendar(name: str) -> Callable[[date], bool]:
    """Return the holiday calendar of a country or of a financial market."""
    for known in (holidays.country_holidays, holidays.financial_holidays):
        try:
            return known(name).__contains__
        except NotImplementedError:
            continue
    raise ValueError(f"there are no holidays of `{name}`: a country such as ZA, or a market such as XECB")


def _never(_: date) -> bool:
    return False
