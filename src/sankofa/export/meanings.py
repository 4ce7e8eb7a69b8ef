"""The meanings of file columns, for the list of files, the files themselves and the datasets page."""

from __future__ import annotations

from functools import cache

from sankofa.ask.glossary import FIELDS
from sankofa.datasets import DATASETS
from sankofa.signals.panel import Panel

CLOSED = {
    "row_id": "The row that ended.",
    "published_in": "First edition that held it.",
    "closed_in": "First edition that does not.",
    "reason": "Why that edition removed it: restated, renumbered, corrected, merged or withdrawn.",
}
_EDITIONS = {
    "published_in": "First edition that shows the row.",
    "closed_in": "First edition that does not; null while none.",
}
_BULK = {
    bulk.name: {column.name: bulk.meaning(column) for column in bulk.columns}
    for dataset in DATASETS
    for bulk in dataset.bulk
}


def of_bulk(table: str) -> dict[str, str]:
    """Return the meanings of the columns of a table's rows, by name."""
    return _BULK.get(table, {})


@cache
def of_panel(panel: Panel) -> dict[str, str]:
    """Return the meanings of the columns of a panel's file, by name."""
    own = panel.row.__name__
    rows = {name: FIELDS.get(f"{own}.{name}") or FIELDS[name] for name in panel.row.__struct_fields__}
    return rows | _EDITIONS
