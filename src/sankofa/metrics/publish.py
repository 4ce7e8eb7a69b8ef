"""How metrics become edition rows: what the touched issuers' facts give, by the formulas of this build."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from sankofa.core.exact import rounded
from sankofa.editions.reconcile import Changes, ServingTable, reconcile
from sankofa.metrics.derive import Derived, derive
from sankofa.metrics.formulas import LINE_ITEMS, version
from sankofa.metrics.spans import NEVER
from sankofa.metrics.years import History, Label, Vintage, Year
from sankofa.storage.postgres import Connection, copy_line
from sankofa.storage.queries import named

VALUES = ServingTable(
    name="metric_value",
    columns=(
        "piece_id",
        "period_end",
        "published_at",
        "known_from",
        "known_until",
        "complete_from",
        "exact_from",
        "left_out",
        "served_from",
        "first_year",
        "last_year",
        "fiscal_year",
        "service_id",
        "country",
        "metric",
        "value",
        "numerator",
        "denominator",
        "absence",
        "inputs",
    ),
    identity="piece_id",
    cluster=("service_id", "metric", "period_end", "known_from"),
    changed="CASE WHEN was.left_out IS DISTINCT FROM now.left_out THEN 'restated' ELSE 'corrected' END",
    fresh="CASE WHEN now.known_from > now.published_at THEN 'restated' ELSE 'added' END",
    gone="'withdrawn'",
)
COVERAGE = ServingTable(
    name="issuer_coverage",
    columns=(
        "first_known_at",
        "first_year_at",
        "service_id",
        "country",
        "license_classes",
        "keys",
        "first_dates",
        "last_dates",
    ),
    identity="service_id",
    gone="'withdrawn'",
)
_SQL = named(__package__, "publish.sql")
_ISSUERS_AT_ONCE = 500  # their rows are in memory together


class _Line(NamedTuple):
    """A line of `years`: days of a full year where the line item is empty, else a vintage of a value."""

    service_id: str
    country: str
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


class Metrics:
    """The dataset of metrics-v1, and what the catalogue needs to know of each issuer."""

    name = "metrics"
    tables = (VALUES, COVERAGE)

    def versions(self) -> dict[str, str]:
        """Return the version of the formulas."""
        return {"metrics": version()}

    def install(self, connection: Connection) -> None:
        """Do nothing: the formulas are read in Python."""

    def touch_for_rules(self, connection: Connection, before: dict[str, str]) -> None:
        """Touch every issuer when a formula has changed, or there were none before."""
        if before and before.get("metrics") != version():
            connection.execute(_SQL["touch_all"])

    def publish(self, connection: Connection, edition: int) -> Changes:
        """Derive the touched issuers' metrics anew and bring serving to them."""
        connection.execute(_SQL["facts"])
        connection.execute(_SQL["countries"])
        connection.execute("ANALYZE reported, home")
        connection.execute(_SQL["derived"])
        issuers = [str(row[0]) for row in connection.execute(_SQL["issuers"])]
        for first in range(0, len(issuers), _ISSUERS_AT_ONCE):
            _derive(connection, issuers[first : first + _ISSUERS_AT_ONCE])
        connection.execute(_SQL["target"])
        connection.execute(_SQL["spans"])
        changes = reconcile(connection, VALUES, edition)
        connection.execute(_SQL["target_coverage"])
        reconcile(connection, COVERAGE, edition)
        return changes


def _derive(connection: Connection, service_ids: list[str]) -> None:
    """Fill `derived` with the metrics of some issuers."""
    asked = {"service_ids": service_ids, "line_items": sorted(LINE_ITEMS)}
    with connection.cursor() as cursor:
        with cursor.copy(_SQL["years"], asked) as copy:
            rows = [row for rows_of_issuer in _issuers(_lines(copy)) for row in rows_of_issuer]
        with cursor.copy(_SQL["copy_derived"]) as copy:
            for row in rows:
                copy.write(row)


def _lines(copy: Iterable[bytes | bytearray | memoryview]) -> Iterator[_Line]:
    """Read COPY's text format; nothing in these lines needs an escape."""
    for block in copy:
        for line in bytes(block).decode("ascii").splitlines():
            yield _Line(*line.split("\t"))


def _issuers(lines: Iterable[_Line]) -> Iterator[Iterator[str]]:
    """Derive issuer by issuer; the lines come in their order."""
    for service_id, stated in groupby(lines, lambda line: line.service_id):
        country, years = _years(stated)
        yield (_row(service_id, country, derived) for derived in derive(years))


def _years(lines: Iterable[_Line]) -> tuple[str, list[Year]]:
    """Return an issuer's country and its full years; the lines of a year come before those of its values."""
    country, years = "", dict[tuple[str, str], Year]()
    for (start, end, line_item, unit, is_stock), same in groupby(lines, lambda line: line[2:7]):
        if not line_item:
            labels = list(same)
            country = labels[0].country
            years[start, end] = Year(start, end, [_label(line) for line in labels])
        else:
            histories = years[start, end].histories
            histories.append(History(line_item, unit, is_stock == "t", _vintages(list(same))))
    return country, list(years.values())


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


def _row(service_id: str, country: str, derived: Derived) -> str:
    value = derived.value
    exact = (None,) * 3 if value is None else (f"{rounded(value):f}", value.numerator, value.denominator)
    return copy_line(
        service_id,
        country,
        *derived[:8],
        *exact,
        derived.absence,
        "{" + ",".join(map(str, derived.inputs)) + "}",
    )
