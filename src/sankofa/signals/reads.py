"""The query of signals: the rows of a panel, in closed months."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import msgspec

from sankofa.ask.cursor import Scalar
from sankofa.ask.endpoint import Found, Page
from sankofa.core.errors import NotFound
from sankofa.signals.panel import Panel
from sankofa.signals.panels import PANELS
from sankofa.signals.procurement_demand import PROCUREMENT_DEMAND
from sankofa.signals.served import DemandParams, SignalParams
from sankofa.storage.queries import named
from sankofa.storage.reading import Reader, Row

_SQL = named(__package__)


def place_in(panel: Panel) -> Callable[[Any], tuple[Scalar, ...]]:
    """Return the function that returns the sort key of a panel's row."""
    return lambda row: (row.month.isoformat(), getattr(row, panel.breakdown), row.country)


def open_from(as_of: date | None, edition_day: date) -> date:
    """Return the first month that is not closed.

    A month is closed if it ended by `as_of`, and before the day of the edition: on its last day, the
    edition cannot have had all of it.
    """
    last = min(as_of or date.max, edition_day - timedelta(days=1))
    return (last + timedelta(days=1)).replace(day=1)


async def demand(reader: Reader, params: DemandParams, page: Page) -> Found:
    """Return procurement demand in one country."""
    return await _observations(reader, PROCUREMENT_DEMAND, params, page)


async def signal(reader: Reader, params: SignalParams, page: Page) -> Found:
    """Return the rows of a panel. Raise NotFound if there is no such panel."""
    if params.signal_key not in PANELS:
        raise NotFound
    return await _observations(reader, PANELS[params.signal_key], params, page)


async def _observations(
    reader: Reader, panel: Panel, params: DemandParams | SignalParams, page: Page
) -> Found:
    until, breakdown, country = page.after or (params.ends or date.max, "", "")
    rows = await reader.fetch(
        _SQL["observations_of_country" if params.country else "observations_of_all"],
        {
            "edition": page.edition.number,
            "rows": page.rows + 1,
            "panel": panel.key,
            "country": params.country,
            "breakdown": params.breakdown,
            "since": params.begins or date.min,
            "until": until,
            "open_from": open_from(params.as_of, page.edition.day),
            "after_breakdown": breakdown,
            "after_country": country,
        },
        edition=page.edition,
    )
    return Found(rows=[_observation(panel, row) for row in rows], as_of=page.knowable(params.as_of))


def _observation(panel: Panel, row: Row) -> msgspec.Struct:
    country, breakdown, month, figures, *origin = row
    exact = msgspec.json.decode(figures, type=panel.figures)
    return panel.row(country, breakdown, month, *msgspec.structs.astuple(exact), *origin)
