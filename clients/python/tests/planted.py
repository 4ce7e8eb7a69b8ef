"""A table with look-ahead planted in it: how many rows of which kind, and how early, is known beforehand."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal


@dataclass
class Planted:
    """Rows, and what a checker must say of each."""

    rows: list = field(default_factory=list)
    verdicts: list = field(default_factory=list)
    days: list = field(default_factory=list)
    restated: int = 0

    @property
    def counts(self):
        return Counter(self.verdicts)

    def add(self, verdict, days=None, **row):
        self.rows.append(row)
        self.verdicts.append(verdict)
        self.days.append(days)


def groups(service, issuers):
    """Return all vintages as REST tells them, by what they are vintages of."""
    found = defaultdict(list)
    for issuer in issuers:
        for fact in service.facts(issuer, vintages="all"):
            named = ("line_item", "period_end", "period_type", "unit")
            found[issuer, *(fact[name] for name in named)].append(
                (date.fromisoformat(fact["available_at"]), Decimal(fact["value_reported"]))
            )
    return {place: sorted(vintages) for place, vintages in found.items() if place[3] is not None}


def planted(service, issuers, seed):
    """Plant rows at random; REST alone says what is true of them."""
    rng = random.Random(seed)
    table = Planted()
    for (issuer, line_item, end, period_type, unit), vintages in groups(service, issuers).items():
        row = {"service_id": issuer, "line_item": line_item, "period": end, "period_type": period_type}
        row["unit"] = unit
        day, value = rng.choice(vintages)
        first = min(when for when, said in vintages if said == value)
        match rng.choice(["known", "known", "leak", "leak", "invented", "elsewhere", "empty"]):
            case "known":
                day += timedelta(days=rng.choice([0, 0, 1, 30, 500]))
                table.add("as_known", value=value, known_on=day, **row)
                standing = [said for when, said in vintages if when <= day][-1]
                table.restated += standing != value
            case "leak":
                early = rng.randrange(1, 700)
                table.add("known_later", early, value=value, known_on=first - timedelta(days=early), **row)
            case "invented":
                table.add("never_reported", value=max(said for _, said in vintages) + 1, known_on=day, **row)
            case "elsewhere":
                other = rng.choice([{"service_id": "DC0000000000000"}, {"line_item": "goodwill_of_nobody"}])
                table.add("not_held", value=value, known_on=day, **{**row, **other})
            case "empty":
                table.add("empty", value=None, known_on=day, **row)
    return table
