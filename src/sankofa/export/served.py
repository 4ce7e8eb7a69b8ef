"""Parameters and rows of exports: files and their columns."""

from __future__ import annotations

import re
from typing import Annotated, Literal

import msgspec

from sankofa.ask.params import CursorText, EditionNumber, Parameter
from sankofa.datasets import BULK, SKUS, either
from sankofa.signals.panels import PANELS

_NAME = re.compile(r"[a-z0-9][a-z0-9.-]{0,199}")
_DATASET = re.compile(r"[a-z][a-z0-9-]{0,99}")
_PANEL_FILE = re.compile(r"[a-z][a-z0-9-]{0,99}\.parquet")


BulkSku = Annotated[
    str | None,
    msgspec.Meta(
        description=f"The dataset of a bulk file: {either(sorted(SKUS))}; null for panels and for tables "
        "of organisations, metrics and signals.",
    ),
]
BulkTable = Annotated[
    str | None,
    msgspec.Meta(description=f"The table of a bulk file: {either(sorted(BULK))}; null for panels."),
]


class Column(msgspec.Struct, frozen=True):
    """A column of a file."""

    name: str
    type: str
    description: str


class Artifact(msgspec.Struct, frozen=True):
    """One file, whole and never changed: Parquet, or the metadata of an Iceberg table over such files."""

    name: str
    sku: BulkSku
    table: BulkTable
    panel: str | None
    signal_key: str | None
    kind: Literal["panel", "rows", "rows_table", "closings", "closings_table"]
    edition: int
    first_edition: int
    last_edition: int
    license_class: str
    rows: int
    bytes: int
    sha256: str
    schema: list[Column]
    access: Literal["open", "licensed"]
    url: str
    latest_url: str | None


# A malformed name is answered like an unknown one.
FileName = Annotated[
    str,
    Parameter(
        description="Name of a licensed file, as `/v1/export` lists it.",
        parse=lambda text: text if _NAME.fullmatch(text) else "",
        schema={"type": "string", "pattern": f"^{_NAME.pattern}$"},
        example="fundamentals-rows-e000001-000001-p0000-t0-00000000.parquet",
        in_path=True,
    ),
]


PanelFileName = Annotated[
    str,
    Parameter(
        description="`signal_key` of an open panel and `.parquet`.",
        parse=lambda text: text if _PANEL_FILE.fullmatch(text) else "",
        schema={"type": "string", "pattern": f"^{_PANEL_FILE.pattern}$"},
        example="procurement-demand.parquet",
        in_path=True,
    ),
]

DatasetKey = Annotated[
    str,
    Parameter(
        description=f"`signal_key` of an open panel ({either(PANELS)}) or bulk `table` "
        f"({either(sorted(BULK))}).",
        parse=lambda text: text if _DATASET.fullmatch(text) else "",
        schema={"type": "string", "pattern": f"^{_DATASET.pattern}$"},
        example="procurement-demand",
        in_path=True,
    ),
]
OpenDatasetKey = Annotated[
    str,
    Parameter(
        description=f"`signal_key` of an open panel: {either(PANELS)}.",
        parse=lambda text: text if _DATASET.fullmatch(text) else "",
        schema={"type": "string", "pattern": f"^{_DATASET.pattern}$"},
        example="procurement-demand",
        in_path=True,
    ),
]


class ExportParams(msgspec.Struct, frozen=True, kw_only=True):
    """Parameters of the list of files."""

    edition: EditionNumber = None
    cursor: CursorText = None


class FileParams(msgspec.Struct, frozen=True, kw_only=True):
    """Parameter: one listed file."""

    name: FileName
    edition: EditionNumber = None


class PanelFileParams(msgspec.Struct, frozen=True, kw_only=True):
    """Parameter: the listed file of a panel."""

    file: PanelFileName
    edition: EditionNumber = None


class DescriptionParams(msgspec.Struct, frozen=True, kw_only=True):
    """Parameter: a described dataset."""

    dataset: DatasetKey
    edition: EditionNumber = None


class OpenDescriptionParams(msgspec.Struct, frozen=True, kw_only=True):
    """Parameter: a described open panel."""

    dataset: OpenDatasetKey
    edition: EditionNumber = None
