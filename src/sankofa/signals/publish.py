"""Publish counted events as edition rows: every panel of the touched cells."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from typing import cast

import msgspec

from sankofa.core.licences import LICENCES, most_restrictive
from sankofa.editions.reconcile import Changes, reconcile
from sankofa.editions.walk import Step
from sankofa.signals.compute import Cell, Counted, Signal, signals
from sankofa.signals.dataset import DATASET, SIGNALS
from sankofa.signals.panel import Member, Panel
from sankofa.signals.panels import PANELS
from sankofa.storage.postgres import Connection, copy_line
from sankofa.storage.queries import named

_SQL = named(__package__, "publish.sql")
_ENCODER = msgspec.json.Encoder(decimal_format="number")

_Counted = tuple[str, date, str | None, str | None, Decimal, bool, int, list[int]]
_Origin = tuple[int, str, str, datetime]


class Signals(Step):
    """The panels of signals."""

    dataset = DATASET

    def __init__(self, panels: Iterable[Panel] = PANELS.values()) -> None:
        self._panels = tuple(panels)
        rules = (*(panel.methodology_ref for panel in self._panels), *LICENCES)
        self._version = hashlib.sha256("|".join(rules).encode()).hexdigest()[:16]

    def versions(self) -> dict[str, str]:
        """Return the version of all methods together, and of the order of licences."""
        return {"signal_panels": self._version}

    def touch_for_rules(self, connection: Connection, before: dict[str, str]) -> None:
        """Touch every cell when a method, or the order of licences, has changed."""
        if before.get("signal_panels") != self._version:
            connection.execute(_SQL["touch_all"])

    def publish(self, connection: Connection, edition: int) -> Changes:
        """Recompute the touched cells."""
        connection.execute(_SQL["by_index"])
        connection.execute(_SQL["events"])
        connection.execute(_SQL["by_plan"])
        connection.execute("ANALYZE event")
        rows = self._rows(connection)
        connection.execute(_SQL["computed"])
        with connection.cursor() as cursor, cursor.copy(_SQL["copy_computed"]) as copy:
            for row in rows:
                copy.write(copy_line(*row))
        connection.execute(_SQL["target"])
        return reconcile(connection, SIGNALS, edition)

    def _rows(self, connection: Connection) -> list[tuple[object, ...]]:
        origins = {origin[0]: origin for origin in cast("list[_Origin]", _all(connection, "origins"))}
        cells = {Cell(*cell) for cell in cast("list[tuple[str, date]]", _all(connection, "cells"))}
        return [
            _row(panel, signal, [origins[origin] for origin in signal.origins])
            for panel in self._panels
            for signal in signals(panel, _counted(connection, panel), cells)
        ]


def _all(connection: Connection, name: str) -> list[tuple[object, ...]]:
    return connection.execute(_SQL[name]).fetchall()


def _counted(connection: Connection, panel: Panel) -> Counted:
    counted: defaultdict[Cell, defaultdict[str | None, list[Member]]]
    counted = defaultdict(lambda: defaultdict(list))
    rows = cast("list[_Counted]", _all(connection, panel.key.replace("-", "_")))
    for country, month, breakdown, party, amount, joint, events, origins in rows:
        member = Member(party, amount, events, origins, joint)
        counted[Cell(country, month)][breakdown].append(member)
    return counted


def _row(panel: Panel, signal: Signal, inputs: list[_Origin]) -> tuple[object, ...]:
    """Return a row with all documents of its inputs, their strictest licence and their latest time."""
    _, documents, licences, moments = zip(*inputs, strict=True)
    return (
        panel.key,
        signal.cell.country,
        signal.cell.month,
        signal.breakdown,
        panel.methodology_ref,
        most_restrictive(licences),
        max(moments),
        _ENCODER.encode(signal.figures).decode(),
        "; ".join(sorted(set(documents))),
    )
