"""Descriptions of datasets for search engines (schema.org `Dataset`), made from the declarations.

A described dataset is an open panel or a licensed bulk table. The text comes from the declaration alone, so
that it can name no organisation of the data.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from sankofa.core.dataset import Bulk, Dataset
from sankofa.datasets import DATASETS
from sankofa.export.served import Column
from sankofa.signals.panel import Panel

Json = dict[str, Any]
PARQUET = "application/vnd.apache.parquet"
BULK = {bulk.name: (dataset, bulk) for dataset in DATASETS for bulk in dataset.bulk}
_LICENCES = {"CC-BY-4.0": "https://creativecommons.org/licenses/by/4.0/"}
_VERSIONS = (
    "The file has every version of its rows: those of the newest edition have no `closed_in`. Attribute rows "
    "to the sources in `source_ref`."
)
_PAID = "The files need a key of a paid tier."


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelFile:
    """The file of an open panel that an edition lists. Everything in it is recorded, nothing is estimated."""

    name: str
    edition: int  # that it was made from
    day: date  # on which that edition was published
    license_class: str
    bytes: int
    sha256: str
    columns: tuple[Column, ...]
    months: tuple[date, date]  # the first day of the first and of the last month of its rows
    listed_in: int  # an edition that lists it

    @property
    def license_url(self) -> str:
        """The address of the licence text."""
        return _LICENCES[self.license_class]

    @property
    def coverage(self) -> str:
        """The days that its rows cover, as an interval of ISO 8601."""
        first, last = self.months
        following = (last + timedelta(days=31)).replace(day=1)
        return f"{first}/{following - timedelta(days=1)}"

    def address(self, panel: Panel, origin: str) -> str:
        """Return an address that leads to this very file, whatever is exported later."""
        return f"{latest(panel, origin)}?edition={self.listed_in}"


def latest(panel: Panel, origin: str) -> str:
    """Return the address that leads to the newest file of a panel."""
    return f"{origin}/v1/export/open/{panel.key}.parquet"


def of_panel(panel: Panel, file: PanelFile, origin: str) -> Json:
    """Return the description of an open panel and its file: at the lasting address, and in the edition."""
    known = {
        "version": str(file.edition),
        "datePublished": file.day.isoformat(),
        "temporalCoverage": file.coverage,
    }
    files = [
        _download(latest(panel, origin), f"{panel.key}.parquet"),
        _download(file.address(panel, origin), file.name)
        | {"contentSize": f"{file.bytes} B", "sha256": file.sha256},
    ]
    return _panel(panel, file.license_url, file.columns, origin) | known | {"distribution": files}


def of_declared_panel(panel: Panel, columns: Iterable[Column], license_class: str) -> Json:
    """Return what is declared of an open panel, for the docs. Addresses are relative."""
    described = _panel(panel, _LICENCES[license_class], columns, "")
    return described | {"distribution": [_download(latest(panel, ""), f"{panel.key}.parquet")]}


def of_bulk(dataset: Dataset, bulk: Bulk, origin: str) -> Json:
    """Return the description of a licensed table. It has no links to files, since these need a key."""
    columns = [Column(one.name, one.type, bulk.meaning(one)) for one in bulk.columns]
    described = _described(f"Sankofa {bulk.name}", f"{dataset.about} {bulk.about} {_PAID}", columns, origin)
    return described | {
        "@id": f"{origin}/v1/datasets/{bulk.name}/schema.json",
        "url": f"{origin}/docs/reference/datasets/#{dataset.name.lower()}",
        "license": f"{origin}/docs/license/",
        "isAccessibleForFree": False,
    }


def about(panel: Panel) -> str:
    """Return what a panel is for and how it is made."""
    return f"{panel.purpose} {panel.method} {_VERSIONS}"


def page(panel: Panel, origin: str) -> str:
    """Return the address of the docs of a panel."""
    return f"{origin}/docs/reference/datasets/#{panel.key}"


def publisher(origin: str) -> Json:
    """Return the publisher of every dataset: this service."""
    return {"@type": "Organization", "name": "Sankofa", "url": f"{origin}/"}


def _panel(panel: Panel, license_url: str, columns: Iterable[Column], origin: str) -> Json:
    return _described(panel.title, about(panel), columns, origin) | {
        "@id": f"{origin}/v1/datasets/{panel.key}/schema.json",
        "url": page(panel, origin),
        "license": license_url,
        "isAccessibleForFree": True,
    }


def _described(name: str, text: str, columns: Iterable[Column], origin: str) -> Json:
    return {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": name,
        "description": text,
        "creator": publisher(origin),
        "publisher": publisher(origin),
        "variableMeasured": [
            {
                "@type": "PropertyValue",
                "name": column.name,
                "description": column.description,
                "valueReference": {"@type": "PropertyValue", "name": "type", "value": column.type},
            }
            for column in columns
        ],
    }


def _download(address: str, name: str) -> Json:
    return {"@type": "DataDownload", "name": name, "contentUrl": address, "encodingFormat": PARQUET}
