"""Metrics by replay, independent of the service: what could be known on a day, and whether it still stands.

On a day, an issuer's year for a metric is the last full year that was known by then and of which one of the
metric's inputs had been stated. As known on that day, its value is computed from the values that stood then.
It is exact if, on that day and on every later one that the edition knows of, the values to compute it from
are the very ones that it is computed from in the end.
"""

from __future__ import annotations

from bisect import bisect_right
from datetime import date, timedelta
from fractions import Fraction
from typing import NamedTuple


class Statement(NamedTuple):
    """One value of one filing; None takes it back. A flow has a first day, a stock has none."""

    filed: date
    line: str
    start: date | None
    end: date
    unit: str
    value: int | None


# Above and below the line: a factor, the lines to choose from in order, whether flow or stock, years back.
FLOW, STOCK = "flow", "stock"
NET_INCOME = ("net_income", "net_income_attributable_to_parent")
OWNERS_INCOME = ("net_income_attributable_to_parent", "net_income")
EQUITY = ("equity", "equity_attributable_to_parent")
OWNERS_EQUITY = ("equity_attributable_to_parent", "equity")
FORMULAS = {
    "net_margin": ([(1, NET_INCOME, FLOW, 0)], [(1, ("revenue",), FLOW, 0)]),
    "revenue_growth": (
        [(1, ("revenue",), FLOW, 0), (-1, ("revenue",), FLOW, 1)],
        [(1, ("revenue",), FLOW, 1)],
    ),
    "return_on_equity": (
        [(2, OWNERS_INCOME, FLOW, 0)],
        [(1, OWNERS_EQUITY, STOCK, 0), (1, OWNERS_EQUITY, STOCK, 1)],
    ),
    "net_income_growth": (
        [(1, NET_INCOME, FLOW, 0), (-1, NET_INCOME, FLOW, 1)],
        [(1, NET_INCOME, FLOW, 1)],
    ),
    "asset_growth": (
        [(1, ("total_assets",), STOCK, 0), (-1, ("total_assets",), STOCK, 1)],
        [(1, ("total_assets",), STOCK, 1)],
    ),
    "equity_growth": (
        [(1, EQUITY, STOCK, 0), (-1, EQUITY, STOCK, 1)],
        [(1, EQUITY, STOCK, 1)],
    ),
    "return_on_assets": (
        [(2, NET_INCOME, FLOW, 0)],
        [(1, ("total_assets",), STOCK, 0), (1, ("total_assets",), STOCK, 1)],
    ),
    "asset_turnover": (
        [(2, ("revenue",), FLOW, 0)],
        [(1, ("total_assets",), STOCK, 0), (1, ("total_assets",), STOCK, 1)],
    ),
    "equity_ratio": (
        [(1, EQUITY, STOCK, 0)],
        [(1, ("total_assets",), STOCK, 0)],
    ),
    "current_ratio": (
        [(1, ("current_assets",), STOCK, 0)],
        [(1, ("current_liabilities",), STOCK, 0)],
    ),
}
NOT_FOR_BANKS = {"current_ratio", "asset_turnover"}
SIGNS_OF_A_BANK = {"customer_deposits", "loans_to_customers"}  # both, where no industry is known


class Known(NamedTuple):
    """What was known on a day: values that stand with the number of their vintage, and all ever stated."""

    standing: dict[tuple, tuple[int, int]]
    ever: set[tuple]

    def years(self):
        """Return the full years that something was stated of."""
        return {
            (start, end) for _, start, end, _ in self.ever if start and 350 <= (end - start).days + 1 <= 380
        }


def known(statements, day):
    """Replay the statements up to a day, in the order of their filing."""
    standing, vintages, ever = {}, {}, set()
    for said in statements:
        if said.filed > day:
            continue
        key = (said.line, said.start, said.end, said.unit)
        if said.value is None:
            standing.pop(key, None)
            continue
        ever.add(key)
        if key not in standing or standing[key][0] != said.value:
            vintages[key] = vintages.get(key, 0) + 1
            standing[key] = (said.value, vintages[key])
    return Known(standing, ever)


class Issuer:
    """All that an issuer filed, as far as one edition holds it."""

    def __init__(self, statements):
        self.statements = sorted(statements, key=lambda said: said.filed)
        self.days = sorted({said.filed for said in self.statements})
        self.by_day = {day: known(self.statements, day) for day in self.days}

        self._chosen = {}

    def on(self, day):
        """Return what was known on a day."""
        place = bisect_right(self.days, day)
        return self.by_day[self.days[place - 1]] if place else Known({}, set())

    def as_known(self, metric, day):
        """Return the year's last day, the value known on a day, and whether it was revised later, if any."""
        return self._of_year(metric, day, self.last_year(metric, self.on(day)))

    def exact(self, metric, day):
        """Return the last day of the year and the value of a metric on a day if it was not revised later."""
        known = self.as_known(metric, day)
        return known[:2] if known and not known[2] else None

    def history(self, metric, day, years):
        """Return the same of each of the last years that was published by a day, the newest first."""
        ends = sorted(set(self.published(metric, self.on(day))), reverse=True)
        near = [end for end in ends if (ends[0] - end).days < 365.25 * (years - 0.5)]
        return [known for end in near if (known := self._of_year(metric, day, end))]

    def _of_year(self, metric, day, end):
        found = None if end is None else self._choice(metric, day, end)
        value = None if found is None else computed(metric, found)
        if value is None:
            return None
        later = [self.days[-1], *(then for then in self.days if then > day)]
        return end, value, any(self._choice(metric, then, end) != found for then in later)

    def _choice(self, metric, day, end):
        """Return what a metric of a year is computed from on a day; it changes only on days of filings."""
        place = metric, bisect_right(self.days, day), end
        if place not in self._chosen:
            self._chosen[place] = chosen(metric, self.on(day), end)
        return self._chosen[place]

    def last_year(self, metric, then):
        """Return the last day of the last year that is published for a metric."""
        return max(self.published(metric, then), default=None)

    def published(self, metric, then):
        """Return the last days of the years that are published for a metric."""
        years = then.years()
        return [
            end
            for above_or_below in FORMULAS[metric]
            for _, lines, kind, back in above_or_below
            if back == 0
            for line, start, end, _ in then.ever
            if line in lines and (start is None) == (kind == STOCK)
            if any(end == last and start in (None, first) for first, last in years)
        ]


def chosen(metric, then, end):
    """Return the values that a metric of a year is computed from, each with the number of its vintage."""
    signs = {key[0] for key in then.standing if key[2] == end} & SIGNS_OF_A_BANK
    if metric in NOT_FOR_BANKS and signs == SIGNS_OF_A_BANK:
        return None
    years = sorted(then.years())
    needs_prior = any(back for side in FORMULAS[metric] for *_, back in side)
    for this in years:
        if this[1] != end:
            continue
        priors = [
            year
            for year in years
            if year[1] == this[0] - timedelta(days=1) and abs(length(year) - length(this)) <= 7
        ]
        if needs_prior and not priors:
            continue
        for prior in priors or [None]:
            for unit in sorted({key[3] for key in then.standing if key[2] == end}):
                found = in_unit(metric, then, (this, prior), unit)
                if found is not None:
                    return found
    return None


def length(year):
    return (year[1] - year[0]).days + 1


def in_unit(metric, then, years, unit):
    """Return the inputs in one currency; the same line is taken in every year that needs it."""
    wanted = {}
    for side in FORMULAS[metric]:
        for _, lines, kind, back in side:
            wanted.setdefault((lines, kind), set()).add(back)
    found = {}
    for (lines, kind), backs in wanted.items():
        for line in lines:
            keys = {
                back: (line, years[back][0] if kind == FLOW else None, years[back][1], unit) for back in backs
            }
            if all(key in then.standing for key in keys.values()):
                found |= {(lines, kind, back): (key, then.standing[key]) for back, key in keys.items()}
                break
        else:
            return None
    return found


def computed(metric, found):
    """Return the exact value, if what is below the line is above zero."""
    above, below = (
        sum(factor * found[lines, kind, back][1][0] for factor, lines, kind, back in side)
        for side in FORMULAS[metric]
    )
    return Fraction(above, below) if below > 0 else None
