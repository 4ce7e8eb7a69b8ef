"""The recorded files, for the exporter and the publisher."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, cast

from sankofa.export.ranges import File, newest, ranges
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__, "publish.sql")
_FIELDS = (
    *(
        "name",
        "artifact_id",
        "first",
        "last",
        "part",
        "parts",
        "after",
        "until",
        "rows",
        "standing",
        "is_live",
    ),
    *("object_key", "license_class", "columns"),
)
_NEWEST = ("panel", "rows_table", "closings_table")  # kinds of which only the newest file is listed
_ALL = ("rows_manifest", "closings_manifest")


def files(connection: Connection, subject: str, kind: str) -> list[File]:
    """Return the files of one kind of a dataset or panel."""
    return _recorded(connection, subject, kind)[subject, kind]


def to_list(connection: Connection) -> Iterator[str]:
    """Yield the names of all files that the next edition lists."""
    for (_, kind), recorded in _recorded(connection).items():
        yield from (file.name for file in _to_list(kind, recorded))


def _to_list(kind: str, recorded: list[File]) -> Iterator[File]:
    if kind in _NEWEST:
        last = newest(recorded)
        yield from (last,) if last else ()
    elif kind in _ALL:
        yield from (file for file in recorded if file.is_usable)
    else:
        for held in ranges(recorded):
            yield from held.usable


def _recorded(
    connection: Connection, subject: str | None = None, kind: str | None = None
) -> dict[tuple[str, str], list[File]]:
    found = defaultdict(list)
    rows = connection.execute(_SQL["files"], {"subject": subject, "kind": kind})
    for *values, about, which in cast("list[tuple[Any, ...]]", rows.fetchall()):
        found[about, which].append(File(**dict(zip(_FIELDS, values, strict=True))))
    return found
