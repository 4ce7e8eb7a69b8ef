"""Plan an export: the rows that editions put since the last one, and files removed by takedowns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sankofa.export.lake import LakeTable, Source
from sankofa.export.ranges import File, last_edition, ranges, windows
from sankofa.export.recorded import files
from sankofa.storage.postgres import Connection, sql


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A file to be written: rows or closings of some editions, by the row ids of their facts."""

    lake: LakeTable
    kind: str
    first: int
    last: int
    part: int = 0
    parts: int = 1
    after: int = 0
    until: int = 0


def pieces(connection: Connection, lake: LakeTable, edition: int) -> Iterator[Piece]:
    """Yield the missing files of a dataset: parts that were taken down or never finished, and new rows."""
    recorded = files(connection, lake.name, "rows")
    held = ranges(recorded)
    for one in held:
        if one.is_whole:
            yield from (_again(lake, file) for file in one.files if not file.is_usable)
        else:
            yield from _parts(connection, lake, recorded, one.first, one.last)
    since = last_edition(held)
    if since < edition:
        yield from _parts(connection, lake, recorded, since + 1, edition)
    closed = last_edition(ranges(files(connection, lake.name, "closings")))
    if closed < edition:
        yield Piece(lake=lake, kind="closings", first=closed + 1, last=edition)


def _again(lake: LakeTable, file: File) -> Piece:
    return Piece(
        lake=lake,
        kind="rows",
        first=file.first,
        last=file.last,
        part=file.part,
        parts=file.parts,
        after=file.after,
        until=file.until,
    )


def _parts(
    connection: Connection, lake: LakeTable, recorded: list[File], first: int, last: int
) -> Iterator[Piece]:
    """Yield the missing parts of a range; a killed export leaves some."""
    before = last_row(connection, lake.facts.table, first - 1)
    bounds = windows(before, last_row(connection, lake.facts.table, last))
    there = {
        (file.part, file.parts, file.after, file.until)
        for one in ranges(recorded)
        if (one.first, one.last) == (first, last)
        for file in one.files
        if file.is_usable
    }
    for part, (after, until) in enumerate(bounds):
        if (part, len(bounds), after, until) not in there:
            yield Piece(
                lake=lake,
                kind="rows",
                first=first,
                last=last,
                part=part,
                parts=len(bounds),
                after=after,
                until=until,
            )


def last_row(connection: Connection, table: str, edition: int) -> int:
    """Return the highest row id of all editions up to the given one.

    Row ids follow publish order, so this is a binary search.
    """
    probe = sql.SQL("SELECT row_id, published_in FROM {} WHERE row_id > %s ORDER BY row_id LIMIT 1").format(
        sql.Identifier("serving", table)
    )
    newest = sql.SQL("SELECT coalesce(max(row_id), 0) FROM {}").format(sql.Identifier("serving", table))
    low, high = 0, int(str((connection.execute(newest).fetchone() or (0,))[0]))
    while low < high:
        middle = (low + high) // 2
        row = connection.execute(probe, [middle]).fetchone()
        if row is None or int(str(row[1])) > edition:
            high = middle
        else:
            low = int(str(row[0]))
    return low


def chunks(
    connection: Connection, piece: Piece, source: Source, closings_until: str
) -> Iterator[dict[str, object]]:
    """Yield the values of a source's statements, one after the other."""
    tables = {each.table for each in (piece.lake.facts, *piece.lake.joined)}
    before = {f"{table}_before": last_row(connection, table, piece.first - 1) for table in tables}
    bounds = {"first": piece.first, "last": piece.last, **before}
    if piece.kind == "closings":
        yield from _closings(connection, source, bounds, closings_until)
        return
    after, until = before[f"{source.table}_before"], last_row(connection, source.table, piece.last)
    if source == piece.lake.facts:
        after, until = max(after, piece.after), min(until, piece.until)
    for start in range(after, until, source.step):
        yield {**bounds, "after": start, "until": min(start + source.step, until)}


def _closings(
    connection: Connection, source: Source, bounds: dict[str, int], statement: str
) -> Iterator[dict[str, object]]:
    after = 0
    while True:
        walked = {**bounds, "table": source.table, "after": after, "step": source.step}
        row = connection.execute(statement, walked).fetchone()
        if row is None or row[0] is None:
            return
        until = int(str(row[0]))
        yield {**bounds, "after": after, "until": until}
        after = until
