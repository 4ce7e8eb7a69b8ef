"""The invented world: what each source offers on each day, declared without asking any parser."""

from __future__ import annotations

import hashlib
from datetime import date
from functools import cache
from typing import NamedTuple

from publisher.tables import Indicators, Rates, Tickers
from publisher.tenders import Cursor, Months, Windows, Years

FIRST_DAY = date(2024, 1, 1)
KINDS = (Windows, Cursor, Months, Years, Rates, Indicators, Tickers)


class Document(NamedTuple):
    """One document, which is a page or one version of a file."""

    source: str
    day: int  # the first day on which it is offered, counted from 0
    part: int  # its place among the new documents of that day
    target: str  # path and query at which it is found alone
    content: bytes

    @property
    def sha256(self):
        return hashlib.sha256(self.content).hexdigest()


class World:
    """Sources of all kinds in turn. Equal arguments give equal bytes."""

    def __init__(self, seed, sources=40, days=60, first_day=FIRST_DAY):
        self.seed, self.days, self.first_day = seed, days, first_day
        self.sources = {}
        for number in range(sources):
            kind = KINDS[number % len(KINDS)]
            name = f"made-{kind.__name__.lower()}-{number:02}"
            self.sources[name] = kind(name, seed, first_day)

    def of_kind(self, kind):
        """Return the first source of a kind."""
        return next(source for source in self.sources.values() if type(source) is kind)

    @cache  # noqa: B019 - a world lives as long as the process
    def new_on(self, name, day):
        """Return the documents of a source that are offered on a day and were not before."""
        source = self.sources[name]
        if source.has_pages:
            found = source.pages(day)
        else:
            before = source.files(day - 1) if day else {}
            found = [
                (target, content)
                for target, content in source.files(day).items()
                if before.get(target) != content
            ]
        return [Document(name, day, part, *one) for part, one in enumerate(found)]

    def offered(self, name, until):
        """Return every document that a source offered from the first day to another."""
        return [one for day in range(until + 1) for one in self.new_on(name, day)]

    def current(self, name, day):
        """Return the documents that can be fetched on a day: all pages, or the last version of each file."""
        every = self.offered(name, day)
        if self.sources[name].has_pages:
            return every
        return list({one.target: one for one in every}.values())
