"""The recorded files, for the exporter and the publisher."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import cast

from sankofa.export.tiling import File, tiling
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__, "publish.sql")
_Row = tuple[str, int, int, int, int, int, int, int, int, str, bool, str, str]


def files(connection: Connection, subject: str, kind: str) -> list[File]:
    """Return the files of one kind of a dataset or panel."""
    return _all(connection, subject, kind)[subject, kind]


def to_list(connection: Connection) -> Iterator[str]:
    """Yield the names of all files that the next edition lists."""
    for (_, kind), recorded in _all(connection).items():
        if kind == "panel":
            newest = newest_panel(recorded)
            yield from (newest.name,) if newest else ()
        else:
            for held in tiling(recorded):
                yield from (file.name for file in held.files if file.is_usable)


def newest_panel(recorded: list[File]) -> File | None:
    """Return the newest file of a panel that may be listed."""
    return max((file for file in recorded if file.is_usable), key=lambda file: file.artifact_id, default=None)


def _all(
    connection: Connection, subject: str | None = None, kind: str | None = None
) -> dict[tuple[str, str], list[File]]:
    found = defaultdict(list)
    rows = connection.execute(_SQL["files"], {"subject": subject, "kind": kind})
    for name, artifact_id, first, last, part, parts, after, until, held, standing, is_live, *about in cast(
        "list[_Row]", rows.fetchall()
    ):
        found[about[0], about[1]].append(
            File(
                name=name,
                artifact_id=artifact_id,
                first=first,
                last=last,
                part=part,
                parts=parts,
                after=after,
                until=until,
                rows=held,
                standing=standing,
                is_live=is_live,
            )
        )
    return found
