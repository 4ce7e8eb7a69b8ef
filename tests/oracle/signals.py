"""The panels of signals, worked out event by event: lists are filtered and counted, nothing is grouped.

Independent of the service: it has its own arithmetic and its own rounding.
"""

from __future__ import annotations

import math
from datetime import date
from decimal import ROUND_HALF_EVEN, Context, Decimal
from statistics import median
from typing import NamedTuple

_EXACT = Context(prec=400)  # ties end within these digits, and nothing else comes so near to one


class Event(NamedTuple):
    """Something that happened in a process, in the month it first became known."""

    name: str
    kind: str  # tendered, valued, awarded or won
    country: str
    month: date
    category: str | None = None
    party: str | None = None
    currency: str | None = None
    value: Decimal | None = None
    tenderers: int | None = None
    days: int | None = None
    joint: bool | None = None
    document: str = "a"


def panel(key, events):
    """Return the rows of a panel: country, category or currency, month, figures, documents."""
    kind, by, figures = _PANELS[key]
    counted = [event for event in events if event.kind == kind and _counts(key, event)]
    rows = []
    for place in {(event.country, getattr(event, by), event.month) for event in counted}:
        country, group, month = place
        if group is not None:
            found, inputs = figures(
                [event for event in counted if (event.country, getattr(event, by), event.month) == place],
                [event for event in counted if event.country == country],
                month,
            )
            rows.append((*place, found, sorted({event.document for event in inputs})))
    return sorted(rows, key=lambda row: (-row[2].toordinal(), row[1], row[0]))


def divided(above, below):
    """Return a quotient of decimals at ten places, half-even."""
    exact = _EXACT.divide(Decimal(above), Decimal(below))
    return exact.quantize(Decimal("1e-10"), ROUND_HALF_EVEN, _EXACT)


def _counts(key, event):
    if key == "award-lead-time":
        return event.days is not None
    return key != "single-bidder-share" or event.tenderers is not None


def _herfindahl(sizes):
    return divided(sum(_EXACT.multiply(size, size) for size in sizes), sum(sizes) ** 2) if sizes else None


def _sizes(events, measure):
    parties = {event.party for event in events if event.party}
    return [Decimal(sum(measure(event) for event in events if event.party == party)) for party in parties]


def _months_before(month):
    for back in (1, 2, 3):
        number = month.year * 12 + month.month - 1 - back
        yield date(number // 12, number % 12 + 1, 1)


def _demand(events, of_country, month):
    category = events[0].category
    same_month = [event for event in of_country if event.month == month]
    before = [
        [event for event in of_country if event.category == category and event.month == earlier]
        for earlier in _months_before(month)
    ]
    known = [event for events_before in before for event in events_before] if all(before) else []
    figures = {
        "releases": len(events),
        "category_share": divided(len(events), len(same_month)),
        "buyer_concentration": _herfindahl(_sizes(events, lambda _: 1)),
        "momentum": divided(3 * len(events) - len(known), len(known)) if known else None,
    }
    return figures, [*same_month, *known]


def _suppliers(events, _of_country, _month):
    figures = {
        "awards": len(events),
        "joint_awards": [event.joint for event in events].count(True),
        "awards_in_concentration": sum(event.party is not None for event in events),
        "suppliers": len({event.party for event in events if event.party}),
        "total_value": sum(event.value for event in events),
        "concentration_by_value": _herfindahl(_sizes(events, lambda event: event.value)),
        "concentration_by_count": _herfindahl(_sizes(events, lambda _: 1)),
    }
    return figures, events


def _lead_time(events, _of_country, _month):
    days = sorted(event.days for event in events)
    nearest = days[math.ceil(len(days) * 9 / 10) - 1]
    return {"awards": len(days), "median_days": Decimal(median(days)), "p90_days": nearest}, events


def _single_bidders(events, _of_country, _month):
    single = sum(event.tenderers == 1 for event in events)
    figures = {
        "awards": len(events),
        "single_bidder": single,
        "single_bidder_share": divided(single, len(events)),
    }
    return figures, events


def _values(events, _of_country, _month):
    values = [event.value for event in events]
    return {"tenders": len(values), "total_value": sum(values), "median_value": median(values)}, events


_PANELS = {
    "procurement-demand": ("tendered", "category", _demand),
    "supplier-concentration": ("won", "currency", _suppliers),
    "award-lead-time": ("awarded", "category", _lead_time),
    "single-bidder-share": ("awarded", "category", _single_bidders),
    "tender-value": ("valued", "currency", _values),
}
