"""The days that `make live` plays: working days, the same in every run, that parsers read whole."""

from __future__ import annotations

from datetime import date
from io import BytesIO
from itertools import islice

from demo import companyfacts
from demo.days import days
from demo.world import FETCHED_AT, World
from sankofa.ingest.bytes.bounds import Rejections, is_repair
from sankofa.ingest.parsers import PARSERS
from sankofa.ingest.sources import source

WORLD = World()
BEGIN = FETCHED_AT.date()


def test_days_are_working_days_and_a_later_run_goes_on_with_the_same():
    played = list(islice(days(WORLD, BEGIN), 30))
    assert played[0].day == date(2026, 1, 6)
    assert all(one.day.isoweekday() < 6 for one in played)
    assert list(islice(days(WORLD, played[9].day), 20)) == played[10:]


def test_issuers_file_in_turn_and_tenders_arrive_on_most_days():
    played = list(islice(days(WORLD, BEGIN), 30))
    assert [one.issuer for one in played] == [place % WORLD.issuers for place in range(30)]
    assert sum("demo-tenders-ke" in one.documents for one in played) > 20


def test_parsers_leave_nothing_out():
    for one in islice(days(WORLD, BEGIN), 10):
        for name, document in one.documents.items():
            rejected = Rejections()
            parse = PARSERS[source(name).parser].parse
            dated = {} if name == companyfacts.SOURCE else {"fetched_at": document.fetched_at}
            found = list(parse(BytesIO(document.content), rejected, **dated))
            assert found, document.name
            assert [reason for reason in rejected.counts if not is_repair(reason)] == [], document.name
