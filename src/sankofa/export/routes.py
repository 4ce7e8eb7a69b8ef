"""The endpoint declarations of the domain: lists of files, redirects to files, descriptions of datasets."""

from __future__ import annotations

from sankofa.ask.endpoint import WHOLE, Document, Endpoint, Redirection
from sankofa.ask.reads import Reads
from sankofa.export.reads import (
    address_of_panel,
    artifacts,
    describe,
    describe_for_loaders,
    key_of_file,
    open_artifacts,
)
from sankofa.export.served import (
    Artifact,
    DescriptionParams,
    ExportParams,
    FileParams,
    OpenDescriptionParams,
    PanelFileParams,
)

_JSON_LD = "application/ld+json"
_READS = (Reads(("artifact",), key="dataset"),)
_STATUSES = (200, 304, 400, 401, 404, 429, 503)

EXPORT = Endpoint(
    path="/v1/export",
    name="export",
    summary="Files of panels and of whole datasets",
    description=(
        "Files that were written whole and never change, each with its sha256. Panels are open: CC-BY, and "
        "their `url` needs no key. Licensed files hold a table of all editions: rows that the editions "
        "from `first_edition` to `last_edition` put, and closings, which say which rows they removed. Each "
        "table is also listed as two Iceberg tables over these files, of rows and of closings. A "
        "file made from one edition is listed from the next one on."
    ),
    params=ExportParams,
    row=Artifact,
    order="name",
    read=artifacts,
    reads=(Reads(("artifact",)),),
    position=lambda artifact: (artifact.name,),
    statuses=(200, 304, 400, 401, 429, 503),
    most=WHOLE,
    examples={"edition": "2"},  # the demo world is listed there
)
OPEN = Endpoint(
    path="/v1/export/open",
    name="export_open",
    summary="Open Parquet files, without a key",
    description=(
        "The open files of `/v1/export`: panels under CC-BY. No key is needed here; without one, the limits "
        "of a sample key apply to your address. `latest_url` leads to the newest file of the panel for ever."
    ),
    params=ExportParams,
    row=Artifact,
    order="name",
    read=open_artifacts,
    reads=(Reads(("artifact",)),),
    position=lambda artifact: (artifact.name,),
    statuses=(200, 304, 400, 401, 429, 503),
    most=WHOLE,
    is_open=True,
    examples={"edition": "2"},  # the demo world is listed there
)
FILE = Redirection(
    path="/v1/export/files/{name}",
    name="export_file",
    summary="A licensed file",
    description="Leads to a short-lived address of the file. Needs a paid tier, else 402.",
    params=FileParams,
    find=key_of_file,
    statuses=(307, 400, 401, 402, 404, 429, 503),
)

PANEL_FILE = Redirection(
    path="/v1/export/open/{file}",
    name="export_open_file",
    summary="The newest file of an open panel, without a key",
    description="Leads to the file of the panel that the edition lists. No key is needed.",
    params=PanelFileParams,
    find=address_of_panel,
    statuses=(307, 400, 401, 404, 429, 503),
    is_open=True,
)

SCHEMA_ORG = Document(
    path="/v1/datasets/{dataset}/schema.json",
    name="dataset_schema",
    summary="A dataset as schema.org describes datasets, without a key",
    description=(
        "JSON-LD of the type `Dataset`: name, licence, columns, and of an open panel its file. Licensed "
        "tables are described without links to files."
    ),
    params=DescriptionParams,
    media_type=_JSON_LD,
    write=describe,
    reads=_READS,
    statuses=_STATUSES,
    examples={"edition": "2"},  # the files of the demo world are listed there
)
CROISSANT = Document(
    path="/v1/datasets/{dataset}/croissant.json",
    name="dataset_croissant",
    summary="An open panel in Croissant, without a key",
    description=(
        "JSON-LD of Croissant 1.0 (MLCommons): the file with its sha256, and a field for each column. Its "
        "`contentUrl` leads to the same file whatever is exported later."
    ),
    params=OpenDescriptionParams,
    media_type=_JSON_LD,
    write=describe_for_loaders,
    reads=_READS,
    statuses=_STATUSES,
    examples={"edition": "2"},  # the files of the demo world are listed there
)

ENDPOINTS = (EXPORT, OPEN)
REDIRECTIONS = (FILE, PANEL_FILE)
DOCUMENTS = (SCHEMA_ORG, CROISSANT)
