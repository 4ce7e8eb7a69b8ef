"""Sources of tenders in OCDS: numbered pages of some days, a chain of cursors, files of months and years."""

from __future__ import annotations

from datetime import date
from functools import cache
from typing import ClassVar

from publisher import formats
from publisher.kind import Kind

_PAGE_RELEASES = 4
_DAILY_RELEASES = (0, 1, 3, 6, 9)
_JULY = 7


class Tenders(Kind):
    """A source whose documents hold releases."""

    parser = "ocds"
    renames = (b'"ocid"', b'"process_id"')

    @cache  # noqa: B019 - sources live as long as the process
    def releases(self, day):
        """Return the releases of one day; the first day always fills three pages."""
        rng = self.rng("releases", day)
        count = rng.choice(_DAILY_RELEASES) if day else max(_DAILY_RELEASES)
        return [self._release(rng, day, part) for part in range(count)]

    def _release(self, rng, day, part):
        updates = rng.randrange(3) if day and part % 3 == 2 else None
        source = self.name.rpartition("-")[2]
        return formats.release(rng, source, day * 100 + part, self.date(day), updates=updates)


class Windows(Tenders):
    """Numbered pages of the releases of some days; an empty page is the last."""

    has_pages = True
    path = "releases?page={page}&from={first:%Y-%m-%d}&to={last:%Y-%m-%d}"
    portal: ClassVar = {"window": 7}

    def pages(self, day):
        """Return the pages of one day, [(target, bytes), …]."""
        held, on = self.releases(day), self.date(day)
        parts = [held[start : start + _PAGE_RELEASES] for start in range(0, len(held), _PAGE_RELEASES)]
        return [(self.target(day, part), self.page(day, part, parts[part], on)) for part in range(len(parts))]

    def target(self, day, part):
        on = self.date(day)
        return f"/{self.name}/{self.path.format(page=part + 1, first=on, last=on)}"

    def page(self, _day, _part, releases, on):
        return formats.package(releases, on)

    def empty(self):
        """Return a page without releases."""
        return formats.package([], self.first_day)

    def selected(self, asked, held):
        """Return the documents of a request in order, and the place of the one that is asked for."""
        first, last = date.fromisoformat(asked["from"]), date.fromisoformat(asked["to"])
        return [one for one in held if first <= self.date(one.day) <= last], int(asked["page"]) - 1


class Cursor(Windows):
    """All releases since a day; each page names the cursor of the next one, and an empty page is the last."""

    path = "changes?since={first:%Y-%m-%d}"
    portal: ClassVar = {"carried": ["after"]}

    def target(self, day, part):
        cursor = f"&after={day}.{part - 1}" if part else ""
        return super().target(day, part) + cursor

    def page(self, day, part, releases, on):
        return formats.package(releases, on, following=f"{day}.{part}")

    def selected(self, asked, held):
        since = date.fromisoformat(asked["since"])
        chosen = [one for one in held if since <= self.date(one.day)]
        after = asked.get("after")
        if after is None:
            return chosen, 0
        day, part = map(int, after.split("."))
        return chosen, sum((one.day, one.part) <= (day, part) for one in chosen)


class Months(Tenders):
    """A file for each month, which grows until the month ends; before its first release there is none."""

    path = "{first:%Y-%m}.json"
    portal: ClassVar = {"window": "month", "nothing": [404]}

    def beginning(self, on):
        return on.replace(day=1)

    def files(self, day):
        periods = {}
        for each in range(day + 1):
            if self.releases(each):
                periods.setdefault(self.beginning(self.date(each)), []).append(each)
        return {self.target(first): self._file(days) for first, days in periods.items()}

    def target(self, first):
        return f"/{self.name}/{self.path.format(first=first)}"

    def _file(self, days):
        held = [release for day in days for release in self.releases(day)]
        return formats.package(held, self.date(days[-1]))


class Years(Months):
    """A file for each fiscal year, which begins in July."""

    path = "{first:%Y}.json"
    portal: ClassVar = {"window": "fiscal_year", "nothing": [404]}

    def beginning(self, on):
        return date(on.year - (on.month < _JULY), _JULY, 1)
