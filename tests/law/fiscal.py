"""Invented filers with fiscal calendars that change: what each files, and when, as company facts.

Years end on the last of a month or on its last Saturday (52 or 53 weeks). Some filers change the end of their
year and file for a short or a long transition period. Interim reports may have columns for the last twelve
months. Filings are amended, revised, rounded, withdrawn and late; comparatives reach back before the first
filing. Every row carries `fy` and `fp` of its filing, as the regulator writes them, and sometimes none or
wrong ones.
"""

from __future__ import annotations

import calendar
import json
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date, timedelta

DAY = timedelta(days=1)
FLOWS = ("Revenues", "ProfitLoss", "OperatingIncomeLoss", "NetCashProvidedByUsedInOperatingActivities")
STOCKS = ("Assets", "Liabilities", "StockholdersEquity", "AssetsCurrent", "LiabilitiesCurrent")
RHYTHMS = {"quarterly": (3, 6, 9, 12), "half-yearly": (6, 12), "annual": (12,)}


@dataclass
class Filing:
    """One filing with its rows: concept, first day or None, last day, value or None for nil."""

    form: str
    filed: date
    fiscal_year: int | None
    fiscal_period: str | None
    rows: list[tuple[str, date | None, date, int | None]] = field(default_factory=list)


@dataclass
class Year:
    """A fiscal year: its first day, its last, and the ends of its interim periods by month."""

    start: date
    end: date
    number: int
    ends: dict[int, date]


class Filer:
    """One filer, drawn from a generator of random numbers."""

    def __init__(self, rng, last_day):
        self.rng, self.last_day = rng, last_day
        self.is_weekly = rng.random() < 0.3
        self.month = rng.choice((12, 12, 12, 3, 6, 9, 1))
        self.rhythm = rng.choices(list(RHYTHMS), (6, 2, 1))[0]
        self.has_trailing = self.rhythm == "quarterly" and rng.random() < 0.3
        self.flows = rng.sample(FLOWS, rng.randint(2, 3))
        self.stocks = rng.sample(STOCKS, rng.randint(1, 3))
        self.shown = {}
        self.first_held = rng.random() < 0.7
        self.offset = rng.choice((0, 0, 0, 1)) if self.month < 6 else 0

    def filings(self, first, years):
        """Return the filings of some years, in the order in which they were filed."""
        changes = self.rng.choice((None, None, self.rng.randint(2, max(2, years - 2))))
        found, start, past = [], self._end(first - 1, self.month) + DAY, []
        for number in range(years):
            if number == changes:
                year = self._transition(start)
                found.append(self._annual(year, past, is_transition=True))
            else:
                year = self._year(start)
                found += [self._interim(year, months, past) for months in RHYTHMS[self.rhythm][:-1]]
                found.append(self._annual(year, past))
            past.append(year)
            start = year.end + DAY
        if not self.first_held:
            found = found[len(RHYTHMS[self.rhythm]) :]
        found += [one for filing in found for one in self._afterwards(filing)]
        return sorted((one for one in found if one.filed <= self.last_day), key=lambda one: one.filed)

    def _end(self, year, month):
        last = date(year, month, calendar.monthrange(year, month)[1])
        return last - DAY * ((last.weekday() - 5) % 7) if self.is_weekly else last

    def _after(self, day, months):
        """Return the end of a period that begins on a day: by months, or by weeks."""
        if self.is_weekly and months < 12:
            return day + timedelta(weeks=13 * months // 3) - DAY
        index = day.year * 12 + day.month - 1 + months - (day.day < 15 and not self.is_weekly)
        year, month = divmod(index, 12)
        if self.is_weekly:  # the year ends on the last Saturday that is about twelve months away
            near = day + timedelta(days=364)
            return min(
                (self._end(near.year + step, self.month) for step in (-1, 0, 1)),
                key=lambda end: abs(end - near),
            )
        return self._end(year, month + 1)

    def _year(self, start):
        end = self._after(start, 12)
        ends = {months: self._after(start, months) for months in RHYTHMS[self.rhythm][:-1]} | {12: end}
        return Year(start, end, end.year + self.offset, ends)

    def _transition(self, start):
        """Return the period up to another end of the year: shorter than a year, or longer."""
        months = self.rng.choice((2, 3, 4, 6, 9, 14, 15))
        self.is_weekly = False
        index = start.year * 12 + start.month - 2 + months + (start.day > 15)
        year, month = divmod(index, 12)
        self.month = month + 1
        end = self._end(year, self.month)
        return Year(start, end, end.year, {12: end})

    def _annual(self, year, past, *, is_transition=False):
        rng = self.rng
        form = (
            "20-F"
            if self.rhythm != "quarterly"
            else "10-KT"
            if is_transition and rng.random() < 0.7
            else "10-K"
        )
        filing = Filing(form, year.end + DAY * rng.choice((45, 60, 75, 90, 240)), year.number, "FY")
        self._state(filing, year.start, year.end)
        for earlier in past[-rng.choice((1, 1, 2, 4)) :]:  # late comparatives: up to four years back
            self._state(filing, earlier.start, earlier.end)
        if self.rhythm == "quarterly" and rng.random() < 0.3 and not is_transition:
            self._state(filing, year.ends[9] + DAY, year.end, with_stocks=False)
        return self._labelled(filing)

    def _interim(self, year, months, past):
        form, name = ("10-Q", f"Q{months // 3}") if self.rhythm == "quarterly" else ("6-K", "H1")
        end = year.ends[months]
        filing = Filing(form, end + DAY * self.rng.choice((30, 40, 45, 45, 130)), year.number, name)
        self._state(filing, year.start, end)
        if months > 3 and self.rhythm == "quarterly":
            self._state(filing, year.ends[months - 3] + DAY, end, with_stocks=False)
        if past and len(past[-1].ends) > 1:
            self._state(filing, past[-1].start, past[-1].ends[months], with_stocks=False)
        if self.has_trailing:
            self._state(filing, end - timedelta(days=364), end, with_stocks=False)
        return self._labelled(filing)

    def _labelled(self, filing):
        """Return a filing whose labels may be missing or wrong, as the regulator's sometimes are."""
        if self.rng.random() < 0.08:
            filing.fiscal_year = filing.fiscal_period = None
        elif self.rng.random() < 0.05:
            filing.fiscal_period = self.rng.choice(("FY", "Q1", "Q2"))
        return filing

    def _state(self, filing, start, end, *, with_stocks=True):
        for concept in self.flows:
            self._row(filing, concept, start, end)
        for concept in self.stocks if with_stocks else ():
            self._row(filing, concept, None, end)

    def _row(self, filing, concept, start, end):
        """Repeat what was stated of a period, or state something new; now and then change it."""
        key, rng = (concept, start, end), self.rng
        value = self.shown.setdefault(key, rng.randrange(10**6, 10**9))
        if value is not None and rng.random() < 0.04:
            value = rng.choice(
                (value + rng.randrange(1, 10**5), round(value, -3), round(value, -5), value * 1000, None)
            )
            self.shown[key] = value
        filing.rows.append((*key, value))

    def _afterwards(self, filing):
        """Yield amendments of a filing, and a later filing that comes back to its periods."""
        if self.rng.random() < 0.12 and filing.form in ("10-K", "10-Q", "20-F"):
            later = Filing(
                f"{filing.form}/A",
                filing.filed + DAY * self.rng.randint(10, 120),
                filing.fiscal_year,
                filing.fiscal_period,
            )
            for concept, start, end, value in filing.rows:
                changed = value and value + self.rng.choice((0, 0, self.rng.randrange(1, 10**5)))
                later.rows.append((concept, start, end, changed))
            yield later


def companyfacts(cik, name, filings):
    """Return the document of one filer; filings are numbered in the order in which they were filed."""
    facts = defaultdict(lambda: {"label": None, "description": None, "units": {"USD": []}})
    for place, filing in enumerate(filings, 1):
        number = f"{cik:010d}-{filing.filed:%y}-{place:06d}"
        about = {"accn": number, "fy": filing.fiscal_year, "fp": filing.fiscal_period}
        about |= {"form": filing.form, "filed": str(filing.filed)}
        rows = {(concept, start, end): value for concept, start, end, value in filing.rows}
        for (concept, start, end), value in rows.items():
            period = {"start": str(start), "end": str(end)} if start else {"end": str(end)}
            facts[concept]["units"]["USD"].append(period | {"val": value} | about)
    return json.dumps({"cik": cik, "entityName": name, "facts": {"us-gaap": facts}}).encode()
