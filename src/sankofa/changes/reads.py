"""Queries on changes: the feed of put and removed rows, and the differences between two days."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from sankofa.ask.cursor import Scalar
from sankofa.ask.endpoint import Found, Page
from sankofa.changes.served import (
    REASONS,
    TABLES,
    Change,
    ChangesParams,
    Difference,
    DiffParams,
)
from sankofa.core.countries import country
from sankofa.core.errors import BadParameter, NotFound
from sankofa.core.licences import most_restrictive
from sankofa.fundamentals.dataset import DATASET as FUNDAMENTALS
from sankofa.storage.queries import named
from sankofa.storage.reading import Reader, Row


def statements(tables: Mapping[str, str]) -> dict[str, str]:
    """Return the statements of the domain, for a feed of these tables by dataset."""
    return named(__package__, put=[(f"serving.{table}", f"'{sku}'") for sku, table in tables.items()])


SQL = statements(TABLES)
_BEFORE_ALL, _AFTER_ALL = 0, 2**63 - 1  # row ids count from 1
_OF_A_REMOVED_ROW = Change.__struct_fields__.index("service_id") + 1
_COUNTRY = Change.__struct_fields__.index("country_iso3")
_PLACE = ("line_item", "period_end", "period_type", "period_start", "unit", "scope")

_Place = tuple[int, bool, str, int]  # edition, whether put, dataset, row: the order of the feed


def place_of_change(change: Change) -> tuple[Scalar, ...]:
    """Return the sort key of a change; within an edition, removed rows come before put rows."""
    return change.edition, change.change == "put", change.dataset, change.row_id


async def changes(reader: Reader, params: ChangesParams, page: Page) -> Found:
    """Return the rows that the editions after `since` put and removed, oldest edition first."""
    await _confirm(reader, params.since, page)
    after = cast("_Place", page.after or (params.since, True, max(TABLES), _AFTER_ALL))
    filters = {
        "reasons": [params.reason] if params.reason else list(REASONS),
        "edition": page.edition.number,
        "after_edition": after[0],
        "rows": page.rows + 1,
    }
    if params.service_id:
        own = {
            "dataset": FUNDAMENTALS.name,
            "service_id": params.service_id,
            "after_is_put": after[1],
            "after_row_id": after[3],
        }
        rows = await reader.fetch(SQL["changes_of_issuer"], filters | own, edition=page.edition)
    else:
        datasets = [params.dataset] if params.dataset else sorted(TABLES)
        places = {
            "datasets": datasets,
            "tables": [TABLES[dataset] for dataset in datasets],
            "after_removed": [_row_after(after, dataset, is_put=False) for dataset in datasets],
            "after_put": [_row_after(after, dataset, is_put=True) for dataset in datasets],
        }
        rows = await reader.fetch(SQL["changes_of_all"], filters | places, edition=page.edition)
    return Found(rows=[_change(row) for row in rows])


async def _confirm(reader: Reader, since: int, page: Page) -> None:
    """Raise BadParameter if `since` is not an edition of this service: its rows could not be compared."""
    if since > page.edition.number:
        raise BadParameter("since", "expected no later than the edition that answers")
    if since:
        try:
            await reader.edition(since)
        except BadParameter as error:
            raise BadParameter("since", error.detail) from None


def _row_after(after: _Place, dataset: str, *, is_put: bool) -> int:
    """Return the row id after which a kind of change of a dataset continues, within the cursor's edition."""
    _, put, of_dataset, row_id = after
    if (is_put, dataset) == (put, of_dataset):
        return row_id
    return _BEFORE_ALL if (is_put, dataset) > (put, of_dataset) else _AFTER_ALL


def _change(row: Row) -> Change:
    if row[1] == "remove":
        return Change(*row[:_OF_A_REMOVED_ROW])
    values = list(row)
    known = country(values[_COUNTRY]) if values[_COUNTRY] else None
    values[_COUNTRY] = known.alpha3 if known else values[_COUNTRY]
    return Change(*values)


def place_of_difference(found: Difference) -> tuple[Scalar, ...]:
    """Return the sort key of a difference; nulls sort first, as in the query."""
    return (
        found.line_item,
        found.period_end.isoformat(),
        found.period_type or "",
        found.period_start.isoformat() if found.period_start else "-infinity",
        found.unit,
        found.scope,
    )


async def differences(reader: Reader, params: DiffParams, page: Page) -> Found:
    """Return the values of an issuer that differ between two days."""
    to_as_of = page.knowable(params.to_as_of)
    after = page.after or (None,) * len(_PLACE)
    rows = await reader.fetch(
        SQL["differences"],
        {
            "service_id": params.service_id,
            "edition": page.edition.number,
            "from_as_of": page.knowable(params.from_as_of),
            "to_as_of": to_as_of,
            "items": params.items.split(","),
            "rows": page.rows + 1,
            **{f"after_{name}": value for name, value in zip(_PLACE, after, strict=True)},
        },
        edition=page.edition,
    )
    if not rows:
        raise NotFound
    found = [_difference(row) for row in rows if row[1] is not None]
    merged = bool(found) and found[0].service_id != params.service_id
    return Found(rows=found, as_of=to_as_of, extra={"resolved_from": params.service_id} if merged else {})


def _difference(row: Row) -> Difference:
    """Return a difference with the sources and licences of both values."""
    fields = dict(zip(Difference.__struct_fields__, row, strict=False))
    sources, licences, observed = (
        {fields[f"{side}_{name}"] for side in ("old", "new")} - {None}
        for name in ("source_ref", "license_class", "observed_at")
    )
    return Difference(*(*row, "; ".join(sorted(sources)), most_restrictive(licences), max(observed)))
