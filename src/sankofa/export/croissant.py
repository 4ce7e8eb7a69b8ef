"""Descriptions of open panels in Croissant 1.0, the format of MLCommons: a loader reads the file by them."""

from __future__ import annotations

from typing import Any

from sankofa.export.descriptions import Json, PanelFile, about, page, publisher
from sankofa.signals.panel import Panel

_PARQUET = "application/x-parquet"  # the type by which loaders of Croissant know Parquet
_ROWS = "rows"
# Croissant has no decimal type. The file has decimals; a loader that goes by the description makes floats.
_TYPES = {
    "BIGINT": "sc:Integer",
    "DATE": "sc:Date",
    "INTEGER": "sc:Integer",
    "TIMESTAMP WITH TIME ZONE": "sc:DateTime",
    "VARCHAR": "sc:Text",
}
_DECIMAL = "sc:Float"
# The context that the specification prescribes.
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
} | {
    name: f"cr:{name}"
    for name in (
        *("citeAs", "column", "equivalentProperty", "extract", "field", "fileObject", "fileProperty"),
        *("fileSet", "format", "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path"),
        *("recordSet", "references", "regex", "repeated", "replace", "samplingRate", "separator", "source"),
        *("subField", "transform"),
    )
}


def of_panel(panel: Panel, file: PanelFile, origin: str) -> Json:
    """Return the description of a panel: its file with the checksum, and a field for each column."""
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": panel.title,
        "description": about(panel),
        "url": page(panel, origin),
        "license": file.license_url,
        "creator": publisher(origin),
        "publisher": publisher(origin),
        "version": str(file.edition),
        "datePublished": file.day.isoformat(),
        "temporalCoverage": file.coverage,
        "citeAs": f"Sankofa. {panel.title}. Edition {file.edition}, {file.day}. {page(panel, origin)}",
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": file.name,
                "name": file.name,
                "contentUrl": file.address(panel, origin),
                "contentSize": f"{file.bytes} B",
                "encodingFormat": _PARQUET,
                "sha256": file.sha256,
            }
        ],
        "recordSet": [_rows(panel, file)],
    }


def _rows(panel: Panel, file: PanelFile) -> Json:
    key = ("country", panel.breakdown, "month", "published_in")
    return {
        "@type": "cr:RecordSet",
        "@id": _ROWS,
        "name": _ROWS,
        "description": "The rows of the file, in every version.",
        "key": [{"@id": f"{_ROWS}/{name}"} for name in key],
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{_ROWS}/{column.name}",
                "name": column.name,
                "description": column.description,
                "dataType": _DECIMAL if column.type.startswith("DECIMAL") else _TYPES[column.type],
                "source": {"fileObject": {"@id": file.name}, "extract": {"column": column.name}},
            }
            for column in file.columns
        ],
    }
