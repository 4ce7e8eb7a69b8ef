"""What the package declares about its feeds: when each source is asked, and what a run must bring."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from dev.own_sources import silence
from sankofa.ingest.expects import Brought
from sankofa.ingest.sources import read, sources

KNOWN = sources()
DUE = {name: one.due for name, one in KNOWN.items() if one.due}


# They bring what other sources bring: an operator chooses.
INSTEAD = {"sec-companyfacts-archive", "sec-submissions-archive"}


def test_served_sources_with_a_portal_are_due_and_closed_ones_are_not():
    fetched = {name for name, one in KNOWN.items() if one.portal and one.redistributable}
    assert set(DUE) == fetched - INSTEAD


@pytest.mark.parametrize(
    ("name", "after", "expected"),
    [
        # Good Friday and Easter Monday are no TARGET days; summer time begins on 29 March.
        ("ecb", "2026-04-02T17:00:00", "2026-04-07T14:30:00"),
        ("ecb", "2026-01-05T12:00:00", "2026-01-05T15:30:00"),
        # Thanksgiving.
        ("sec-companyfacts", "2026-11-26T12:00:00", "2026-11-28T04:30:00"),
        ("za-etenders", "2026-01-05T12:00:00", "2026-01-06T00:15:00"),
    ],
)
def test_a_source_is_due_by_its_publisher_s_clock_and_calendar(name, after, expected):
    moment, following = (datetime.fromisoformat(text).replace(tzinfo=UTC) for text in (after, expected))
    assert DUE[name].after(moment) == following


def test_a_table_that_has_become_short_or_old_is_told():
    today = datetime(2026, 1, 20, tzinfo=UTC).date()
    expects = KNOWN["ecb"].expects
    usual = Brought(documents=1, rows=1_000, keys=30, newest=today)
    assert expects.shortfalls(usual, usual, today) == []
    short = Brought(documents=1, rows=940, keys=30, newest=today)
    assert "rows: 940, in the good run before: 1,000" in expects.shortfalls(short, usual, today)[0]
    old = Brought(documents=1, rows=1_000, keys=30, newest=datetime(2026, 1, 9, tzinfo=UTC).date())
    assert "2026-01-09" in expects.shortfalls(old, usual, today)[0]


def test_registers_of_organisations_expect_no_newest_period():
    """Their documents have none, so every run would be held."""
    for name in (
        "gleif",
        "gleif-isins",
        "sec-submissions",
        "sec-submissions-archive",
        "sec-tickers",
        "sec-exchange-tickers",
    ):
        assert KNOWN[name].expects.newest_days is None, name


def test_an_operator_s_file_can_stop_a_source_from_being_due(tmp_path):
    silence(tmp_path)
    known, mistakes = read(str(tmp_path))
    assert mistakes == []
    assert [name for name, one in known.items() if one.due] == []
    assert known["ecb"].portal == KNOWN["ecb"].portal
