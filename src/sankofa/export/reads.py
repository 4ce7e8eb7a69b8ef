"""Queries on exports: the list of files, and the location of one."""

from __future__ import annotations

import msgspec

from sankofa.ask.endpoint import Found, Page
from sankofa.core.errors import NotFound
from sankofa.core.licences import OPEN_LICENCES
from sankofa.datasets import BULK, SKUS
from sankofa.export import croissant, descriptions
from sankofa.export.descriptions import PanelFile
from sankofa.export.meanings import CLOSED, of_bulk, of_panel
from sankofa.export.served import (
    Artifact,
    Column,
    DescriptionParams,
    ExportParams,
    FileParams,
    OpenDescriptionParams,
    PanelFileParams,
)
from sankofa.signals.panel import Panel
from sankofa.signals.panels import PANELS
from sankofa.storage.edition import Edition
from sankofa.storage.queries import named
from sankofa.storage.reading import Reader, Row

_SQL = named(__package__)


async def artifacts(reader: Reader, _params: ExportParams, page: Page) -> Found:
    """Return the files that an edition lists, by name."""
    return await _listed(reader, page, kinds=["panel", "rows", "rows_table", "closings", "closings_table"])


async def open_artifacts(reader: Reader, _params: ExportParams, page: Page) -> Found:
    """Return the listed files of an edition that need no key, by name."""
    return await _listed(reader, page, kinds=["panel"])


async def _listed(reader: Reader, page: Page, *, kinds: list[str]) -> Found:
    values = {
        "kinds": kinds,
        "edition": page.edition.number,
        "after": page.after[0] if page.after else "",
        "rows": page.rows + 1,
    }
    rows = await reader.fetch(_SQL["artifacts"], values, edition=page.edition)
    return Found(rows=[_artifact(row) for row in rows])


def _artifact(row: Row) -> Artifact:
    name, subject, kind, edition, first, last, license_class, rows, size, sha256, columns, url = row
    panel = PANELS.get(subject) if kind == "panel" else None
    if kind == "panel":
        meanings = of_panel(panel) if panel else {}
    else:
        meanings = of_bulk(subject) if kind in {"rows", "rows_table"} else CLOSED
    return Artifact(
        name=name,
        sku=_sku(subject),
        table=None if kind == "panel" else subject,
        panel=panel.title if panel else None,
        signal_key=subject if kind == "panel" else None,
        kind=kind,
        edition=edition,
        first_edition=first,
        last_edition=last,
        license_class=license_class,
        rows=rows,
        bytes=size,
        sha256=sha256,
        schema=[Column(one["name"], one["type"], meanings.get(one["name"], "")) for one in columns],
        access="open" if kind == "panel" else "licensed",
        url=url,
        latest_url=f"/v1/export/open/{subject}.parquet" if kind == "panel" else None,
    )


def _sku(table: str) -> str | None:
    """Return the sold dataset of a table; None if it belongs to none."""
    dataset = BULK.get(table)
    return dataset.name if dataset and dataset.name in SKUS else None


async def key_of_file(reader: Reader, params: FileParams, edition: Edition) -> str:
    """Return the object key of a licensed file. Raise NotFound if the edition does not list it."""
    sought = {"name": params.name, "edition": edition.number}
    rows = await reader.fetch(_SQL["key_of_file"], sought, edition=edition)
    if not rows:
        raise NotFound
    return str(rows[0][0])


async def address_of_panel(reader: Reader, params: PanelFileParams, edition: Edition) -> str:
    """Return the URL of a panel's file. Raise NotFound if the edition lists none."""
    sought = {"panel": params.file.removesuffix(".parquet"), "edition": edition.number}
    rows = await reader.fetch(_SQL["address_of_panel"], sought, edition=edition)
    if not rows:
        raise NotFound
    return str(rows[0][0])


async def describe(reader: Reader, params: DescriptionParams, edition: Edition, origin: str) -> bytes:
    """Return the schema.org description of a dataset. Raise NotFound if it has none."""
    if declared := descriptions.BULK.get(params.dataset):
        return msgspec.json.encode(descriptions.of_bulk(*declared, origin))
    panel, file = await _file_of_panel(reader, params.dataset, edition)
    return msgspec.json.encode(descriptions.of_panel(panel, file, origin))


async def describe_for_loaders(
    reader: Reader, params: OpenDescriptionParams, edition: Edition, origin: str
) -> bytes:
    """Return the Croissant description of an open panel. Raise NotFound without a listed file."""
    panel, file = await _file_of_panel(reader, params.dataset, edition)
    return msgspec.json.encode(croissant.of_panel(panel, file, origin))


async def _file_of_panel(reader: Reader, key: str, edition: Edition) -> tuple[Panel, PanelFile]:
    panel = PANELS.get(key)
    sought = {"panel": key, "edition": edition.number}
    rows = await reader.fetch(_SQL["file_of_panel"], sought, edition=edition) if panel else []
    if not (panel and rows):
        raise NotFound
    ((name, made_from, day, license_class, size, sha256, columns),) = rows
    held = {"panel": key, "edition": made_from, "licences": list(OPEN_LICENCES)}
    ((first, last),) = await reader.fetch(_SQL["months_of_panel"], held, edition=edition)
    meanings = of_panel(panel)
    return panel, PanelFile(
        name=name,
        edition=made_from,
        day=day,
        license_class=license_class,
        bytes=size,
        sha256=sha256,
        columns=tuple(Column(one["name"], one["type"], meanings.get(one["name"], "")) for one in columns),
        months=(first, last),
        listed_in=edition.number,
    )
