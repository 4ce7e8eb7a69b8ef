"""The reference page on datasets, made from their declarations, with descriptions for search engines."""

import json
from collections.abc import Iterable

from dev.stack import ROOT
from sankofa.core.dataset import Bulk, Dataset, ServingTable
from sankofa.core.licences import OPEN_LICENCE
from sankofa.datasets import DATASETS
from sankofa.export import descriptions
from sankofa.export.meanings import of_panel
from sankofa.export.panels import columns
from sankofa.export.served import Column
from sankofa.signals.panel import Panel
from sankofa.signals.panels import PANELS

PAGE = ROOT / "docs" / "reference" / "datasets.md"

_PAGE = """\
# Datasets

Each dataset is declared once, in `dataset.py` of its domain
([0037](../adr/0037-a-dataset-is-declared-once.md)). This page is made from the declarations by
`.venv/bin/python -m dev datasets`. The two columns under "known" hold the first day on which a row was known
and the first day on which it no longer was; null means that no such day is known. A later vintage ends the
one before it as well. Each file has the meanings of its columns in its own metadata too, as JSON under the
key `columns`. Programs find them in [descriptions](../export.md#descriptions) by schema.org and Croissant.
{datasets}
## Open panels

Each is one file that [needs no key](../export.md#open-panels).
{panels}
<script type="application/ld+json">
{descriptions}
</script>
"""
_DATASET = """
## {name}

{about} {rests}

| table | key | identity | known from, until | takedowns that remove rows |
|---|---|---|---|---|
{tables}
"""
_PANEL = """
### {key}

{title}. The newest file: `/v1/export/open/{key}.parquet`.

| column | type | meaning |
|---|---|---|
{columns}
"""
_BULK = """
Bulk table `{name}` ([files](../export.md), sorted by {order}). {about}

| column | type | meaning |
|---|---|---|
{columns}
"""


def datasets_page(datasets: Iterable[Dataset] = DATASETS) -> str:
    """Return the page."""
    return _PAGE.format(
        datasets="".join(map(_dataset, datasets)),
        panels="".join(map(_panel, PANELS.values())),
        descriptions=_descriptions(),
    )


def _descriptions() -> str:
    """Return the descriptions of all datasets as JSON-LD, for a script element: `<` is escaped."""
    panels = [
        descriptions.of_declared_panel(
            panel, [Column(name, kind, of_panel(panel)[name]) for name, kind in columns(panel)], OPEN_LICENCE
        )
        for panel in PANELS.values()
    ]
    tables = [descriptions.of_bulk(*declared, "") for declared in descriptions.BULK.values()]
    lines = ",\n".join(json.dumps(each, ensure_ascii=False) for each in (*panels, *tables))
    return f"[\n{lines}\n]".replace("<", "\\u003c")


def _dataset(dataset: Dataset) -> str:
    held = _code(f"ledger.{held.table}" for held in dataset.held)
    text = _DATASET.format(
        name=dataset.name,
        about=dataset.about,
        rests=f"Editions take in rows of {held}." if held else "It is computed from other datasets.",
        tables="\n".join(map(_table, dataset.tables)),
    )
    return text + "".join(map(_bulk, dataset.bulk))


def _table(table: ServingTable) -> str:
    known, takedowns = _code(table.known) or "-", ", ".join(table.taken_down) or "-"
    identity = ", ".join(f"`{column}`" for column in table.identity)
    return f"| `{table.name}` | `{table.key}` | {identity} | {known} | {takedowns} |"


def _bulk(bulk: Bulk) -> str:
    rows = (f"| `{one.name}` | {one.type} | {bulk.meaning(one)} |" for one in bulk.columns)
    return _BULK.format(
        name=bulk.name, about=bulk.about, order=_code(bulk.order.split(", ")), columns="\n".join(rows)
    )


def _panel(panel: Panel) -> str:
    meanings = of_panel(panel)
    rows = (f"| `{name}` | {kind} | {meanings[name]} |" for name, kind in columns(panel))
    return _PANEL.format(key=panel.key, title=panel.title, columns="\n".join(rows))


def _code(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
