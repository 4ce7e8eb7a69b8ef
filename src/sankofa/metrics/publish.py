"""Publish metrics: derive them from the touched issuers' facts, by the formulas of this build."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from sankofa.core.exact import rounded_text
from sankofa.editions.reconcile import Changes, reconcile
from sankofa.editions.walk import Step
from sankofa.metrics.dataset import ABSENCES, COVERAGE, DATASET, VALUES
from sankofa.metrics.derive import Derived, derive
from sankofa.metrics.formulas import LINE_ITEMS, version
from sankofa.metrics.spans import NEVER
from sankofa.metrics.years import History, Label, Trade, Vintage, Year
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__, "publish.sql")
_ISSUERS_AT_ONCE = 500  # their rows are in memory together


class _Line(NamedTuple):
    """A line of `years`: days of a full year where the line item is empty, else a vintage of a value."""

    service_id: str
    start: str
    end: str
    line_item: str
    unit: str
    is_stock: str
    value: str
    row: str
    since: str
    until: str
    vintage: str


class Metrics(Step):
    """Publishes the metrics of metrics-v1, and the coverage of each issuer that the catalogue reads."""

    dataset = DATASET

    def versions(self) -> dict[str, str]:
        """Return the version of the formulas."""
        return {"metrics": version()}

    def touch_for_rules(self, connection: Connection, before: dict[str, str]) -> None:
        """Touch every issuer when a formula has changed, or there were none before."""
        if before and before.get("metrics") != version():
            connection.execute(_SQL["touch_all"])

    def publish(self, connection: Connection, edition: int) -> Changes:
        """Derive the touched issuers' metrics anew and bring serving to them."""
        connection.execute(_SQL["facts"])
        connection.execute(_SQL["homes"])
        connection.execute(
            "ANALYZE reported (service_id, line_item, period_start, period_end, provenance_id), home"
        )
        connection.execute(_SQL["derived"])
        issuers = [str(row[0]) for row in connection.execute(_SQL["issuers"])]
        for first in range(0, len(issuers), _ISSUERS_AT_ONCE):
            _derive(connection, issuers[first : first + _ISSUERS_AT_ONCE])
        connection.execute(_SQL["target"])
        connection.execute(_SQL["spans"])
        changes = reconcile(connection, VALUES, edition)
        connection.execute(_SQL["target_absences"])
        changes.add(reconcile(connection, ABSENCES, edition))
        connection.execute(_SQL["target_coverage"])
        reconcile(connection, COVERAGE, edition)
        return changes

    def finish(self, connection: Connection) -> None:
        """Insert the spans of years that the chunks found values in."""
        connection.execute(_SQL["keep_spans"])


def _derive(connection: Connection, service_ids: list[str]) -> None:
    """Fill `derived` with the metrics of some issuers."""
    values = {"service_ids": service_ids, "line_items": sorted(LINE_ITEMS)}
    trades: dict[str, list[Trade]] = {}
    for service_id, since, until, sic in connection.execute(_SQL["trades"], {"service_ids": service_ids}):
        trades.setdefault(str(service_id), []).append(Trade(str(since), str(until), str(sic)))
    lines = (_Line(*str(row[0]).split("\t")) for row in connection.execute(_SQL["years"], values).fetchall())
    rows = [row for rows_of_issuer in _issuers(lines, trades) for row in rows_of_issuer]
    with connection.cursor() as cursor, cursor.copy(_SQL["copy_derived"]) as copy:
        copy.write("".join(rows))


def _issuers(lines: Iterable[_Line], trades: dict[str, list[Trade]]) -> Iterator[Iterator[str]]:
    """Yield the metric rows of each issuer; the lines must be sorted by issuer."""
    for service_id, reported in groupby(lines, lambda line: line.service_id):
        known = tuple(trades.get(service_id, ()))
        yield (_row(service_id, derived) for derived in derive(_years(reported), trades=known))


def _years(lines: Iterable[_Line]) -> list[Year]:
    """Return an issuer's full years; the lines of a year come before those of its values."""
    years = dict[tuple[str, str], Year]()
    for (start, end, line_item, unit, is_stock), same in groupby(lines, lambda line: line[1:6]):
        if not line_item:
            years[start, end] = Year(start, end, [_label(line) for line in same])
        else:
            histories = years[start, end].histories
            histories.append(History(line_item, unit, is_stock == "t", _vintages(list(same))))
    return list(years.values())


def _label(line: _Line) -> Label:
    return Label(line.since, line.until, int(line.value) if line.value else None)


def _vintages(lines: list[_Line]) -> list[Vintage]:
    replaced = [*(line.since for line in lines[1:]), NEVER]
    return [
        Vintage(line.since, min(line.until, following), _exactly(line.value), int(line.row))
        for line, following in zip(lines, replaced, strict=True)
    ]


def _exactly(text: str) -> int | Fraction:
    return Fraction(text) if "." in text else int(text)


def _row(service_id: str, derived: Derived) -> str:
    """Return a line of `derived`; nothing in it needs an escape but the backslash of a bytea."""
    fields = ["\\N" if one is None else str(one) for one in derived[:9]]
    exact, inputs = derived.value, "".join([f"{row:012x}" for row in derived.inputs])
    value = "\\N\t\\N\t\\N"
    if exact is not None:
        value = f"{rounded_text(exact)}\t{exact.numerator}\t{exact.denominator}"
    return "\t".join((service_id, *fields, value, f"\\\\x{inputs}\n"))
