"""Iceberg tables over the recorded files of a dataset: one of its rows, one of its closings.

A table is metadata alone and derived from the files: an export adds a snapshot and a tag for what it wrote.
Where a takedown removed the table with its files, the next export makes it anew from the files that remain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sankofa.core.licences import most_restrictive
from sankofa.export.lake import CLOSINGS, EXPORTED, LakeTable
from sankofa.export.meanings import CLOSED, of_bulk
from sankofa.export.ranges import newest, ranges
from sankofa.export.recorded import files
from sankofa.storage.iceberg import Batch
from sankofa.storage.parquet import Columns
from sankofa.storage.postgres import Connection

KINDS = ("rows", "closings")
WHOLE = {"first": 1, "part": 0, "parts": 1, "after": 0, "until": 2**63 - 1}  # a table holds every row id


@dataclass(frozen=True, slots=True, kw_only=True)
class DueTable:
    """A table that lacks files which were recorded."""

    lake: LakeTable
    kind: str
    columns: Columns
    meanings: Mapping[str, str]
    batches: list[Batch]
    onto: str | None  # metadata to continue from; None if the table is made anew
    rows: int
    license_class: str


def due_tables(connection: Connection) -> Iterator[DueTable]:
    """Yield the tables whose files are not all in their newest metadata."""
    for lake in EXPORTED.values():
        for kind in KINDS:
            yield from _due(connection, lake, kind)


def _due(connection: Connection, lake: LakeTable, kind: str) -> Iterator[DueTable]:
    columns, meanings = (lake.columns, of_bulk(lake.name)) if kind == "rows" else (CLOSINGS, CLOSED)
    held = [one for one in ranges(files(connection, lake.name, kind)) if one.usable]
    known = newest(files(connection, lake.name, f"{kind}_table"))
    is_continued = known is not None and tuple((c["name"], c["type"]) for c in known.columns) == columns
    since = known.last if known and is_continued else 0
    batches = [Batch(one.last, [file.object_key for file in one.usable]) for one in held if one.last > since]
    if batches:
        usable = [file for one in held for file in one.usable]
        yield DueTable(
            lake=lake,
            kind=kind,
            columns=columns,
            meanings=meanings,
            batches=batches,
            onto=known.object_key if known and is_continued else None,
            rows=sum(file.rows for file in usable),
            license_class=most_restrictive(file.license_class for file in usable),
        )
