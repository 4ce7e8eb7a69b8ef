"""The working days after the world was fetched: what its sources publish on each of them.

`make live` plays these days. An issuer files on each: it reports a quarter and restates its last year. Kenya
publishes what became of its tenders, and the rates of the day are added.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from demo import companyfacts, macro_rates, tenders_ke
from demo.documents import Document
from demo.world import FETCHED_AT, World, later_day

_SATURDAY = 6


class Day(NamedTuple):
    """A day, and the documents that are new on it, by source."""

    day: date
    issuer: int  # who files
    documents: dict[str, Document]


def days(world: World, after: date) -> Iterator[Day]:
    """Yield the working days after one, without end; issuers file in turn."""
    before = FETCHED_AT.date()
    turn = number = 0
    while True:
        number += 1
        day = later_day(number)
        if day.isoweekday() >= _SATURDAY:
            continue
        if day > after:
            yield _day(world, day, before, turn % world.issuers, number)
        before, turn = day, turn + 1


def _day(world: World, day: date, before: date, issuer: int, number: int) -> Day:
    documents = {
        companyfacts.SOURCE: companyfacts.later_filing(world, issuer, number),
        macro_rates.SOURCE: macro_rates.later_table(world, day),
    }
    tenders = tenders_ke.later_package(world, before + timedelta(days=1), day)
    if tenders:
        documents[tenders_ke.SOURCE] = tenders
    return Day(day, issuer, documents)
