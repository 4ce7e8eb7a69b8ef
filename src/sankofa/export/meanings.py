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
_BULK = {
    dataset.name: {column.name: dataset.meaning(column) for column in dataset.bulk.columns}
    for dataset in DATASETS
    if dataset.bulk
}


def of_bulk(sku: str) -> dict[str, str]:
    """Return the meanings of the columns of a dataset's files of rows, by name."""
    return _BULK.get(sku, {})


@cache
def of_panel(panel: Panel) -> dict[str, str]:
    """Return the meanings of the columns of a panel's file, by name: those of its rows in the API."""
    own = panel.row.__name__
    return {name: FIELDS.get(f"{own}.{name}") or FIELDS[name] for name in panel.row.__struct_fields__}
