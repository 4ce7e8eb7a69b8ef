"""The endpoint declarations of the domain: procurement demand, and any panel by its key."""

from __future__ import annotations

from sankofa.ask.endpoint import Endpoint, Mode
from sankofa.ask.reads import DAY, Reads
from sankofa.signals.panel import Panel
from sankofa.signals.panels import PANELS
from sankofa.signals.procurement_demand import PROCUREMENT_DEMAND
from sankofa.signals.reads import demand, place_in, signal
from sankofa.signals.served import DemandParams, SignalParams

_CLOSED = (
    "A month is shown once it is closed: with `as_of`, by that date. It is computed from what was available "
    "by its last day, so any later `as_of` shows the same. A month in which nothing happened has no row."
)

# Which months are closed changes with the day.
_READS = (Reads(("signal", DAY)),)

DEMAND = Endpoint(
    path="/v1/signals/procurement-demand",
    name="procurement_demand",
    summary="What public bodies ask for, by category and month",
    description=f"{PROCUREMENT_DEMAND.method}\n\n{_CLOSED}",
    params=DemandParams,
    row=PROCUREMENT_DEMAND.row,
    order="month descending, category",
    read=demand,
    reads=_READS,
    position=place_in(PROCUREMENT_DEMAND),
    statuses=(200, 304, 400, 401, 402, 429, 503),
    rows_key="observations",
)


def _endpoint(panel: Panel, modes: tuple[Mode, ...] = (), beside: str = "") -> Endpoint:
    return Endpoint(
        path="/v1/signals/{signal_key}",
        name="signal",
        summary="A panel of procurement signals by month",
        description=f"{beside}**{panel.key}**: {panel.method}",
        params=SignalParams,
        row=panel.row,
        order=f"month descending, {panel.breakdown}, country",
        read=signal,
        reads=_READS,
        position=place_in(panel),
        statuses=(200, 304, 400, 401, 402, 404, 429, 503),
        rows_key="observations",
        modes=modes,
    )


def _mode(panel: Panel) -> Mode:
    return Mode(endpoint=_endpoint(panel), is_meant_by=lambda params: params.signal_key == panel.key)


_first, *_others = PANELS.values()
SIGNAL = _endpoint(_first, modes=tuple(map(_mode, _others)), beside=f"{_CLOSED}\n\n")

# The panel with its own path comes first, because the general path would match it too.
ENDPOINTS = (DEMAND, SIGNAL)
