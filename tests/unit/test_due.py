"""When a source is due: by the publisher's clock, and not on its holidays."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from sankofa.ingest.due import Due


def moments(due, after, count):
    found = []
    for _ in range(count):
        after = due.after(after)
        found.append(f"{after:%Y-%m-%d %H:%M}")
    return found


def test_the_publisher_s_clock_counts_and_moves_with_the_seasons():
    due = Due(at="0 16 * * *", zone="Europe/Berlin")
    assert moments(due, datetime(2026, 3, 27, 20, tzinfo=UTC), 3) == [
        "2026-03-28 15:00",
        "2026-03-29 14:00",  # the clocks went forward that night
        "2026-03-30 14:00",
    ]


def test_an_hour_that_a_day_does_not_have_is_made_up_for():
    due = Due(at="30 2 * * *", zone="Europe/Berlin")
    found = moments(due, datetime(2026, 3, 28, 12, tzinfo=UTC), 2)
    assert [moment[:10] for moment in found] == ["2026-03-29", "2026-03-30"]


@pytest.mark.parametrize(
    ("holidays", "zone", "eve", "next_day"),
    [
        ("XECB", "Europe/Berlin", datetime(2026, 12, 24, 20, tzinfo=UTC), "2026-12-28"),
        ("ZA", "Africa/Johannesburg", datetime(2026, 4, 26, 20, tzinfo=UTC), "2026-04-28"),  # Freedom Day
        ("", "Africa/Johannesburg", datetime(2026, 4, 26, 20, tzinfo=UTC), "2026-04-27"),
    ],
)
def test_holidays_are_left_out(holidays, zone, eve, next_day):
    due = Due(at="0 16 * * mon-fri", zone=zone, holidays=holidays)
    assert f"{due.after(eve):%Y-%m-%d}" == next_day


def test_a_sixth_field_is_seconds():
    due = Due(at="* * * * * */5")
    start = datetime(2026, 1, 1, tzinfo=UTC)
    assert due.after(start) == start + timedelta(seconds=5)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"at": "every day"}, "`at` is no cron line: every day"),
        ({"at": "0 6 * * *", "zone": "Africa/Nowhere"}, "there is no time zone `Africa/Nowhere`"),
        ({"at": "0 6 * * *", "holidays": "QQ"}, "there are no holidays of `QQ`"),
        ({"at": "0 0 31 2 *"}, "`at` names no moment: 0 0 31 2 *"),
        ({"at": "0 6 * * *", "when": "now"}, "unknown field `when`"),
    ],
)
def test_a_mistake_is_explained(wrong, told):
    with pytest.raises(msgspec.ValidationError, match=told.replace("*", r"\*")):
        msgspec.convert(wrong, Due)
