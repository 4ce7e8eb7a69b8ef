"""The endpoint declarations of the domain: lists of files, and redirects to licensed and open ones."""

from __future__ import annotations

from sankofa.ask.endpoint import WHOLE, Endpoint, Redirection
from sankofa.ask.reads import Reads
from sankofa.export.reads import address_of_panel, artifacts, key_of_file, open_artifacts
from sankofa.export.served import Artifact, ExportParams, FileParams, PanelFileParams

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

ENDPOINTS = (EXPORT, OPEN)
REDIRECTIONS = (FILE, PANEL_FILE)
