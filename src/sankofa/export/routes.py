"""The endpoint declarations of the domain: the list of files, and the way to a licensed one."""

from __future__ import annotations

from sankofa.ask.endpoint import WHOLE, Endpoint, Redirection
from sankofa.ask.reads import Reads
from sankofa.export.reads import artifacts, key_of_file
from sankofa.export.served import Artifact, ExportParams, FileParams

EXPORT = Endpoint(
    path="/v1/export",
    name="export",
    summary="Parquet files of panels and of whole datasets",
    description=(
        "Files that were written whole and never change, each with its sha256. Panels are open: CC-BY, and "
        "their `url` needs no key. Licensed files hold a dataset of all editions: rows that the editions "
        "from `first_edition` to `last_edition` put, and closings, which say which rows they removed. A "
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
FILE = Redirection(
    path="/v1/export/files/{name}",
    name="export_file",
    summary="A licensed file",
    description="Leads to a short-lived address of the file. Needs a paid tier, else 402.",
    params=FileParams,
    find=key_of_file,
    statuses=(307, 400, 401, 402, 404, 429, 503),
)

ENDPOINTS = (EXPORT,)
REDIRECTIONS = (FILE,)
